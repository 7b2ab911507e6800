#ifndef SPCC_HAS_mod_i32
#define SPCC_HAS_mod_i32
/* What is left of a / b, and 0 where b is 0. */
static __host__ __device__ inline int32_t mod_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? 0 : a % b;
}
#endif
