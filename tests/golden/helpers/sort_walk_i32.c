#ifndef SPCC_HAS_sort_walk_i32
#define SPCC_HAS_sort_walk_i32
/* key[0, n): the coordinates c from least on for which map[c - low] is set. */
static inline void sort_walk_i32(int64_t n, int32_t *restrict key, const bool *restrict map,
                                 int64_t low, int64_t least)
{
    int64_t found = 0;
    while (found < n) {
        key[found] = (int32_t)least;
        found += map[least - low];
        least++;
    }
}
#endif
