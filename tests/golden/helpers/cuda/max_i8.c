#ifndef SPCC_HAS_max_i8
#define SPCC_HAS_max_i8
static __host__ __device__ inline int8_t max_i8(int8_t a, int8_t b)
{
    return a > b ? a : b;
}
#endif
