#ifndef SPCC_HAS_sort_count_u64
#define SPCC_HAS_sort_count_u64
/* How many bits of bits[0, n) are set. */
static inline int64_t sort_count_u64(int64_t n, const uint64_t *restrict bits)
{
    int64_t count = 0;
    for (int64_t word = 0; word < n; word++)
        count += (int64_t)popcount_u64(bits[word]);
    return count;
}
#endif
