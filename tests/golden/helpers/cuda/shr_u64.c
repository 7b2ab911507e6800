#ifndef SPCC_HAS_shr_u64
#define SPCC_HAS_shr_u64
static __host__ __device__ inline uint64_t shr_u64(uint64_t a, uint64_t b)
{
    return b < 64 ? (uint64_t)(a >> b) : 0;
}
#endif
