#ifndef SPCC_HAS_sum_warp_before_i64
#define SPCC_HAS_sum_warp_before_i64
/* The sum over the lanes of the warp before this one. */
static __device__ inline int64_t sum_warp_before_i64(int64_t v, int32_t thread)
{
    int64_t sum = sum_warp_up_to_i64(v, thread);
    int64_t before_ = __shfl_up_sync(0xffffffff, sum, 1);
    return thread % 32 == 0 ? 0 : before_;
}
#endif
