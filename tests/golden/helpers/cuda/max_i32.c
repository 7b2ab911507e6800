#ifndef SPCC_HAS_max_i32
#define SPCC_HAS_max_i32
static __host__ __device__ inline int32_t max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}
#endif
