#ifndef SPCC_HAS_sort_half_i64
#define SPCC_HAS_sort_half_i64
/* Where the half begins in which sort_grid leaves the numbers. */
static __host__ __device__ inline int64_t sort_half_i64(int64_t at_, int64_t n, int64_t size)
{
    int64_t from = at_;
    int64_t most = size - 1;
    #pragma unroll 1
    while (most > 0) {
        from = n - from;
        most = most / 256;
    }
    return from;
}
#endif
