#ifndef SPCC_HAS_shr_i64
#define SPCC_HAS_shr_i64
static inline int64_t shr_i64(int64_t a, int64_t b)
{
    return b >= 0 && b < 64 ? (int64_t)(a >> b) : a < 0 ? -1 : 0;
}
#endif
