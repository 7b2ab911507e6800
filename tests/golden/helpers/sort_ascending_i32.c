#ifndef SPCC_HAS_sort_ascending_i32
#define SPCC_HAS_sort_ascending_i32
/* key[0, n) in ascending order: sorted by inserting at smaller and smaller gaps (Shell). */
static inline void sort_ascending_i32(int64_t n, int32_t *restrict key)
{
    int64_t gap = n;
    while (gap > 1) {
        gap = (5 * gap + 1) / 11;
        for (int64_t p = gap; p < n; p++) {
            int32_t moved = key[p];
            int64_t to = p;
            while (to >= gap && key[to - gap] > moved) {
                key[to] = key[to - gap];
                to -= gap;
            }
            key[to] = moved;
        }
    }
}
#endif
