#ifndef SPCC_HAS_find_on_path_i32
#define SPCC_HAS_find_on_path_i32
/* Where a path along the rows pos[r, pos[r + 1]) is after so many steps, of which an entry is one and the end of a row is one: at which entry.  After some of these steps it is at one that is known. */
static inline int64_t find_on_path_i32(const int32_t *restrict pos, int64_t rows, int64_t known,
                                       int64_t before_, int64_t steps)
{
    int64_t from = before_ - known;
    int64_t to = min_i64(rows, steps - known);
    while (from < to) {
        int64_t middle = to - (to - from) / 2;
        if (pos[middle] + middle <= steps)
            from = middle;
        else
            to = middle - 1;
    }
    return min_i64(steps - from, pos[rows]);
}
#endif
