#ifndef SPCC_HAS_sort_rank_i32
#define SPCC_HAS_sort_rank_i32
/* key[0, n), no two alike, ascending: each goes where as many are less.  was: n and 15, rank: 16. */
static inline void sort_rank_i32(int64_t n, int32_t *restrict key, int32_t *restrict was,
                                 int32_t *restrict rank)
{
    for (int64_t p = 0; p < n; p++)
        was[p] = key[p];
    for (int64_t p = n; p < (n + 15) / 16 * 16; p++)
        was[p] = was[0];
    for (int64_t from = 0; from < n; from += 16) {
        for (int64_t p = 0; p < 16; p++)
            rank[p] = 0;
        for (int64_t q = 0; q < n; q++) {
            int32_t less = was[q];
            for (int64_t p = 0; p < 16; p++)
                rank[p] += less < was[from + p];
        }
        for (int64_t p = 0; p < min_i64(16, n - from); p++)
            key[rank[p]] = was[from + p];
    }
}
#endif
