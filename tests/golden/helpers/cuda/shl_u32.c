#ifndef SPCC_HAS_shl_u32
#define SPCC_HAS_shl_u32
static __host__ __device__ inline uint32_t shl_u32(uint32_t a, uint32_t b)
{
    return b < 32 ? (uint32_t)((uint32_t)a << b) : 0;
}
#endif
