#ifndef SPCC_HAS_popcount_u32
#define SPCC_HAS_popcount_u32
/* How many bits are set. */
static __host__ __device__ inline uint32_t popcount_u32(uint32_t a)
{
    uint64_t n = (uint64_t)a;
    n -= n >> 1 & 0x5555555555555555;
    n = (n & 0x3333333333333333) + (n >> 2 & 0x3333333333333333);
    n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(n * 0x0101010101010101 >> 56);
}
#endif
