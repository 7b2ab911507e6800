#ifndef SPCC_HAS_sort_table_block_i32
#define SPCC_HAS_sort_table_block_i32
/* The same by a block, through 33 shared numbers. */
static __device__ inline void sort_table_block_i32(const int32_t *__restrict__ crd, int64_t begin,
                                                   int64_t width, int32_t *list, int64_t at_,
                                                   bool sorts, int32_t thread, int32_t threads,
                                                   int32_t *ends)
{
    int64_t n = 0;
    int64_t tile = 0;
    #pragma unroll 1
    while (tile < width) {
        int64_t place = tile + thread;
        int32_t here = -1;
        if (place < width)
            here = crd[begin + place];
        int32_t is = here != -1;
        int32_t before_ = sum_block_before_i32(is, thread, threads, ends);
        if (is == 1)
            list[at_ + 1 + n + before_] = here;
        n += ends[32];
        tile += threads;
        __syncthreads();
    }
    if (thread == 0)
        list[at_] = (int32_t)n;
    int64_t run = sorts ? 1 : n;
    #pragma unroll 1
    while (run < n) {
        int64_t d = run;
        #pragma unroll 1
        while (d > 0) {
            __syncthreads();
            sort_exchange_i32(list, at_ + 1, n, d, d == run, thread, threads);
            d = d / 2;
        }
        run *= 2;
    }
}
#endif
