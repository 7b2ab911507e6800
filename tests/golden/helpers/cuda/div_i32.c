#ifndef SPCC_HAS_div_i32
#define SPCC_HAS_div_i32
/* a / b, and 0 where b is 0. */
static __host__ __device__ inline int32_t div_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
}
#endif
