#ifndef SPCC_HAS_sum_block_scan_i64
#define SPCC_HAS_sum_block_scan_i64
/* Each of list[begin, end) becomes the sum of those before it there, from `first` on, by a block. */
static __device__ inline void sum_block_scan_i64(int64_t *list, int64_t begin, int64_t end,
                                                 int64_t first, int32_t thread, int32_t threads,
                                                 int64_t *ends)
{
    int64_t carry = first;
    int64_t tile = begin;
    #pragma unroll 1
    while (tile < end) {
        int64_t at_ = tile + thread;
        int64_t here = 0;
        if (at_ < end)
            here = list[at_];
        int64_t before_ = sum_block_before_i64(here, thread, threads, ends);
        if (at_ < end)
            list[at_] = carry + before_;
        carry += ends[32];
        tile += threads;
        __syncthreads();
    }
}
#endif
