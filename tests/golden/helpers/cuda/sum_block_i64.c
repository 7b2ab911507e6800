#ifndef SPCC_HAS_sum_block_i64
#define SPCC_HAS_sum_block_i64
/* The sum over the threads of the block, in each of them. */
static __device__ inline int64_t sum_block_i64(int64_t v, int32_t thread, int32_t threads,
                                               int64_t *ends)
{
    int64_t sum = sum_team32_i64(v);
    if (thread % 32 == 0)
        ends[thread / 32] = sum;
    __syncthreads();
    int64_t end = 0;
    if (thread % 32 < threads / 32)
        end = ends[thread % 32];
    int64_t all = sum_team32_i64(end);
    return all;
}
#endif
