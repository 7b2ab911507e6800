#ifndef SPCC_HAS_sort_row_i32
#define SPCC_HAS_sort_row_i32
/* key[0, n), for which map[c - low] is set, ascending.  bits and some are 0, and stay so. */
static inline void sort_row_i32(int64_t n, int32_t *restrict key, const bool *restrict map,
                                int64_t low, uint64_t *restrict bits, uint64_t *restrict some,
                                int32_t *restrict was, int32_t *restrict rank)
{
    if (n <= 5) {
        sort_few_i32(n, key);
        return;
    }
    if (n <= 16) {
        sort_rank_i32(n, key, was, rank);
        return;
    }
    int64_t least = key[0];
    int64_t most = least;
    for (int64_t p = 1; p < n; p++) {
        least = min_i64(least, key[p]);
        most = max_i64(most, key[p]);
    }
    int64_t first = (least - low) / 64;
    int64_t end = (most - low) / 64 + 1;
    if (most - least < 2 * n) {
        sort_walk_i32(n, key, map, low, least);
    } else if (end - first <= 2 * n) {
        sort_set_i32(n, key, low, bits);
        sort_take_i32(n, key, low, first, end, bits);
    } else if (n <= 48) {
        sort_rank_i32(n, key, was, rank);
    } else if (end - first <= 2048 * n) {
        sort_sparse_i32(n, key, low, first, end, bits, some);
    } else {
        sort_ascending_i32(n, key);
    }
}
#endif
