#ifndef SPCC_HAS_div_i64
#define SPCC_HAS_div_i64
/* a / b, and 0 where b is 0. */
static __host__ __device__ inline int64_t div_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
#endif
