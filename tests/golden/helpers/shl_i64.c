#ifndef SPCC_HAS_shl_i64
#define SPCC_HAS_shl_i64
static inline int64_t shl_i64(int64_t a, int64_t b)
{
    return b >= 0 && b < 64 ? (int64_t)((uint64_t)a << b) : 0;
}
#endif
