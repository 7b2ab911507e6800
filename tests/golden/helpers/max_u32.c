#ifndef SPCC_HAS_max_u32
#define SPCC_HAS_max_u32
static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
#endif
