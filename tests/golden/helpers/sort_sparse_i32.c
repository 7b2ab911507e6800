#ifndef SPCC_HAS_sort_sparse_i32
#define SPCC_HAS_sort_sparse_i32
/* The same, and sort_set before; a word of some has a bit for each word of bits with any. */
static inline void sort_sparse_i32(int64_t n, int32_t *restrict key, int64_t low, int64_t first,
                                   int64_t end, uint64_t *restrict bits, uint64_t *restrict some)
{
    for (int64_t p = 0; p < n; p++) {
        uint64_t of = (uint64_t)(key[p] - low) / 64;
        int64_t in = (int64_t)(of / 64);
        some[in] |= shl_u64(1, of % 64);
    }
    sort_set_i32(n, key, low, bits);
    int64_t to = 0;
    for (int64_t group = first / 64; group < (end + 63) / 64; group++) {
        uint64_t words = some[group];
        some[group] = 0;
        while (words != 0) {
            int64_t word = 64 * group + (int64_t)ctz_u64(words);
            uint64_t rest = bits[word];
            bits[word] = 0;
            words &= words - 1;
            while (rest != 0) {
                key[to] = (int32_t)(low + 64 * word + (int64_t)ctz_u64(rest));
                rest &= rest - 1;
                to++;
            }
        }
    }
}
#endif
