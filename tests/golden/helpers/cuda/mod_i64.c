#ifndef SPCC_HAS_mod_i64
#define SPCC_HAS_mod_i64
/* What is left of a / b, and 0 where b is 0. */
static __host__ __device__ inline int64_t mod_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? 0 : a % b;
}
#endif
