#ifndef SPCC_HAS_sum_block_list_i64
#define SPCC_HAS_sum_block_list_i64
/* The sum of list[begin, end), by a block. */
static __device__ inline int64_t sum_block_list_i64(const int64_t *__restrict__ list, int64_t begin,
                                                    int64_t end, int32_t thread, int32_t threads,
                                                    int64_t *ends)
{
    int64_t sum = 0;
    int64_t at_ = begin + thread;
    #pragma unroll 1
    while (at_ < end) {
        sum += list[at_];
        at_ += threads;
    }
    int64_t all = sum_block_i64(sum, thread, threads, ends);
    return all;
}
#endif
