#ifndef SPCC_HAS_sum_warp_up_to_i64
#define SPCC_HAS_sum_warp_up_to_i64
/* The sum over the lanes of the warp up to this one. */
static __device__ inline int64_t sum_warp_up_to_i64(int64_t v, int32_t thread)
{
    int32_t lane = thread % 32;
    int64_t sum = v;
    int32_t d = 1;
    #pragma unroll 1
    while (d < 32) {
        int64_t below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d)
            sum += below;
        d *= 2;
    }
    return sum;
}
#endif
