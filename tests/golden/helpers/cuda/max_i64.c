#ifndef SPCC_HAS_max_i64
#define SPCC_HAS_max_i64
static __host__ __device__ inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
#endif
