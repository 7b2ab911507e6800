#ifndef SPCC_HAS_shl_u64
#define SPCC_HAS_shl_u64
static inline uint64_t shl_u64(uint64_t a, uint64_t b)
{
    return b < 64 ? (uint64_t)((uint64_t)a << b) : 0;
}
#endif
