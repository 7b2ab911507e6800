#ifndef SPCC_HAS_sort_grid_i32_i32
#define SPCC_HAS_sort_grid_i32_i32
SPCC_KERNEL void __launch_bounds__(256, 4) sort_grid_i32_i32_block(const int32_t *__restrict__ number,
                                                                   int32_t *__restrict__ key,
                                                                   int32_t *__restrict__ order,
                                                                   int64_t at_, int64_t n,
                                                                   bool first)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 256 + thread; p < n; p += 2162688) {
        int32_t entry = (int32_t)p;
        if (first)
            order[at_ + p] = entry;
        else
            entry = order[at_ + p];
        key[at_ + p] = number[entry];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) sort_grid_i32_i32_2_block(int32_t *key, int64_t *count,
                                                                     int64_t n, int64_t low,
                                                                     int64_t each, int64_t shift,
                                                                     int64_t from, int64_t shares)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int32_t here[256];
    int64_t begin = block * each;
    sort_block_count_i32(key, low, shift, from + begin, from + min_i64(begin + each, n), count,
                         block, (int32_t)shares, thread, here);
}

SPCC_KERNEL void __launch_bounds__(256, 4) sort_grid_i32_i32_3_block(int32_t *key, int32_t *order,
                                                                     int64_t *count, int64_t n,
                                                                     int64_t low, int64_t each,
                                                                     int64_t shift, int64_t from,
                                                                     int64_t shares)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t next[256];
    __shared__ int32_t ahead[2048];
    int64_t begin = block * each;
    sort_block_move_i32_i32(key, order, low, shift, from + begin, from + min_i64(begin + each, n), n
                            - from, count, block, (int32_t)shares, thread, next, ahead);
}

#ifndef __CUDACC_RTC__
/* order[at, at + n) in the order of number - low, which is below size; stable.  key is scratch, as long as order, and so is count: 256 for each block, and 1025. */
static inline void sort_grid_i32_i32(const int32_t *__restrict__ number, int32_t *__restrict__ key,
                                     int32_t *__restrict__ order, int64_t *__restrict__ count,
                                     int64_t at_, int64_t n, int64_t low, int64_t size, bool first,
                                     cudaStream_t stream)
{
    int64_t shares = min_i64(n / 4096 + 1, 1024);
    int64_t each = div_i64(n + shares - 1, shares);
    SPCC_LAUNCH(sort_grid_i32_i32_block, (int32_t)min_i64((n + 256) / 256, 8448), 256, stream,
                number, key, order, at_, n, first);
    int64_t from = at_;
    int64_t shift = 0;
    int64_t most = size - 1;
    while (most > 0) {
        SPCC_LAUNCH(sort_grid_i32_i32_2_block, (int32_t)shares, 256, stream, key, count, n, low,
                    each, shift, from, shares);
        sum_grid_scan_i64(count, shares * 256, stream);
        SPCC_LAUNCH(sort_grid_i32_i32_3_block, (int32_t)shares, 256, stream, key, order, count, n,
                    low, each, shift, from, shares);
        from = n - from;
        shift += 8;
        most = most / 256;
    }
}
#endif
#endif
