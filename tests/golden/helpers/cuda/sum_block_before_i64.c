#ifndef SPCC_HAS_sum_block_before_i64
#define SPCC_HAS_sum_block_before_i64
/* The sum over the threads of the block before this one; ends[32] is that of all. */
static __device__ inline int64_t sum_block_before_i64(int64_t v, int32_t thread, int32_t threads,
                                                      int64_t *ends)
{
    int64_t sum = sum_warp_up_to_i64(v, thread);
    int64_t before_ = __shfl_up_sync(0xffffffff, sum, 1);
    if (thread % 32 == 31)
        ends[thread / 32] = sum;
    __syncthreads();
    if (thread < 32) {
        int64_t end = 0;
        if (thread < threads / 32)
            end = ends[thread];
        int64_t ahead = sum_warp_before_i64(end, thread);
        ends[thread] = ahead;
        if (thread == 31)
            ends[32] = ahead + end;
    }
    __syncthreads();
    return thread % 32 == 0 ? ends[thread / 32] : ends[thread / 32] + before_;
}
#endif
