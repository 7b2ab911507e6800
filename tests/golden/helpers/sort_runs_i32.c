#ifndef SPCC_HAS_sort_runs_i32
#define SPCC_HAS_sort_runs_i32
/* order[begin, end) sorted by key: neighbouring runs are merged until there is one. */
static inline void sort_runs_i32(int64_t begin, int64_t end, const int32_t *restrict key,
                                 int64_t *restrict order, int64_t *restrict other)
{
    int64_t runs = 2;
    while (runs > 1) {
        runs = 0;
        int64_t from = begin;
        while (from < end) {
            int64_t middle = sort_run_i32(from, end, key, order);
            int64_t to = middle;
            if (middle < end) {
                to = sort_run_i32(middle, end, key, order);
                sort_merge_i32(from, middle, to, key, order, other);
            }
            from = to;
            runs++;
        }
    }
}
#endif
