#ifndef SPCC_HAS_sort_row_i32
#define SPCC_HAS_sort_row_i32
/* key[0, n), the coordinates c for which map[c - low] is set, in ascending order. */
static inline void sort_row_i32(int64_t n, int32_t *restrict key, const bool *restrict map,
                                int64_t low, int32_t *restrict other, int64_t *restrict place)
{
    if (n <= 16) {
        sort_few_i32(n, key);
        return;
    }
    int64_t run = 1;
    while (run < n && key[run - 1] < key[run])
        run++;
    if (run == n)
        return;
    int64_t least = key[0];
    int64_t most = least;
    for (int64_t p = 1; p < n; p++) {
        least = min_i64(least, key[p]);
        most = max_i64(most, key[p]);
    }
    int64_t rest = most - least;
    if (rest < 4 * n + (n > 32 ? 512 : 0)) {
        sort_walk_i32(n, key, map, low, least);
        return;
    }
    if (n <= (rest > 65535 ? 48 : 32)) {
        sort_few_i32(n, key);
        return;
    }
    int64_t pairs = 0;
    /* no more digits than to the base 256, and fewer places for each */
    bool narrow = rest < 4096 || (rest > 65535 && rest < 262144);
    while (rest > 0) {
        sort_pair_i32(n, key, least, pairs, narrow, rest > (narrow ? 63 : 255), other, place);
        rest = narrow ? rest / 4096 : rest / 65536;
        pairs++;
    }
}
#endif
