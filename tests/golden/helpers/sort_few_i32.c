#ifndef SPCC_HAS_sort_few_i32
#define SPCC_HAS_sort_few_i32
/* key[0, n) in ascending order, by inserting. */
static inline void sort_few_i32(int64_t n, int32_t *restrict key)
{
    for (int64_t p = 1; p < n; p++) {
        int32_t moved = key[p];
        int64_t to = p;
        while (to > 0 && key[to - 1] > moved) {
            key[to] = key[to - 1];
            to--;
        }
        key[to] = moved;
    }
}
#endif
