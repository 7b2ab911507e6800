#ifndef SPCC_HAS_sort_ascends_i32
#define SPCC_HAS_sort_ascends_i32
/* Does key[0, n) ascend? */
static inline bool sort_ascends_i32(int64_t n, const int32_t *restrict key)
{
    int64_t run = 1;
    while (run < n && key[run - 1] < key[run])
        run++;
    return run >= n;
}
#endif
