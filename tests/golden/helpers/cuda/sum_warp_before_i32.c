#ifndef SPCC_HAS_sum_warp_before_i32
#define SPCC_HAS_sum_warp_before_i32
/* The sum over the lanes of the warp before this one. */
static __device__ inline int32_t sum_warp_before_i32(int32_t v, int32_t thread)
{
    int32_t sum = sum_warp_up_to_i32(v, thread);
    int32_t before_ = __shfl_up_sync(0xffffffff, sum, 1);
    return thread % 32 == 0 ? 0 : before_;
}
#endif
