#ifndef SPCC_HAS_sum_block_before_i32
#define SPCC_HAS_sum_block_before_i32
/* The sum over the threads of the block before this one; ends[32] is that of all. */
static __device__ inline int32_t sum_block_before_i32(int32_t v, int32_t thread, int32_t threads,
                                                      int32_t *ends)
{
    int32_t sum = sum_warp_up_to_i32(v, thread);
    int32_t before_ = __shfl_up_sync(0xffffffff, sum, 1);
    if (thread % 32 == 31)
        ends[thread / 32] = sum;
    __syncthreads();
    if (thread < 32) {
        int32_t end = 0;
        if (thread < threads / 32)
            end = ends[thread];
        int32_t ahead = sum_warp_before_i32(end, thread);
        ends[thread] = ahead;
        if (thread == 31)
            ends[32] = ahead + end;
    }
    __syncthreads();
    return thread % 32 == 0 ? ends[thread / 32] : ends[thread / 32] + before_;
}
#endif
