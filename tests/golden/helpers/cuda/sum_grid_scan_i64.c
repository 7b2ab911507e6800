#ifndef SPCC_HAS_sum_grid_scan_i64
#define SPCC_HAS_sum_grid_scan_i64
SPCC_KERNEL void __launch_bounds__(256, 4) sum_grid_scan_i64_block(int64_t *list, int64_t n,
                                                                   int64_t each)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t ends[33];
    int64_t begin = block * each;
    int64_t sum = sum_block_list_i64(list, begin, min_i64(begin + each, n), thread, 256, ends);
    if (thread == 0)
        list[n + 1 + block] = sum;
}

SPCC_KERNEL void __launch_bounds__(256) sum_grid_scan_i64_2_block(int64_t *list, int64_t n,
                                                                  int64_t shares)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t ends[33];
    sum_block_scan_i64(list, n + 1, n + 1 + shares, 0, thread, 256, ends);
    if (thread == 0)
        list[n] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) sum_grid_scan_i64_3_block(int64_t *list, int64_t n,
                                                                     int64_t each)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t ends[33];
    int64_t begin = block * each;
    sum_block_scan_i64(list, begin, min_i64(begin + each, n + 1), list[n + 1 + block], thread, 256,
                       ends);
}

#ifndef __CUDACC_RTC__
/* Each of list[0, n) becomes the sum of those before it, and list[n] that of all; 1024 behind it are scratch. */
static inline void sum_grid_scan_i64(int64_t *__restrict__ list, int64_t n, cudaStream_t stream)
{
    int64_t shares = min_i64(n / 2048 + 1, 1024);
    int64_t each = div_i64(n + shares, shares);
    SPCC_LAUNCH(sum_grid_scan_i64_block, (int32_t)shares, 256, stream, list, n, each);
    SPCC_LAUNCH(sum_grid_scan_i64_2_block, 1, 256, stream, list, n, shares);
    SPCC_LAUNCH(sum_grid_scan_i64_3_block, (int32_t)shares, 256, stream, list, n, each);
}
#endif
#endif
