#ifndef SPCC_HAS_shr_i32
#define SPCC_HAS_shr_i32
static __host__ __device__ inline int32_t shr_i32(int32_t a, int32_t b)
{
    return b >= 0 && b < 32 ? (int32_t)(a >> b) : a < 0 ? -1 : 0;
}
#endif
