#ifndef SPCC_HAS_ctz_u64
#define SPCC_HAS_ctz_u64
/* The zeros below the lowest bit that is set: all if none is. */
static inline uint64_t ctz_u64(uint64_t a)
{
    return a ? (uint64_t)__builtin_ctzll(a) : 64;
}
#endif
