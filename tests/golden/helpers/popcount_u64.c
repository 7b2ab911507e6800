#ifndef SPCC_HAS_popcount_u64
#define SPCC_HAS_popcount_u64
/* How many bits are set. */
static inline uint64_t popcount_u64(uint64_t a)
{
    return (uint64_t)__builtin_popcountll(a);
}
#endif
