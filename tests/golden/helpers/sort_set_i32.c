#ifndef SPCC_HAS_sort_set_i32
#define SPCC_HAS_sort_set_i32
/* A bit for each of key[0, n), which are low or more. */
static inline void sort_set_i32(int64_t n, const int32_t *restrict key, int64_t low,
                                uint64_t *restrict bits)
{
    for (int64_t p = 0; p < n; p++) {
        uint64_t bit = (uint64_t)(key[p] - low);
        int64_t word = (int64_t)(bit / 64);
        bits[word] |= shl_u64(1, bit % 64);
    }
}
#endif
