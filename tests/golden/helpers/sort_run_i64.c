#ifndef SPCC_HAS_sort_run_i64
#define SPCC_HAS_sort_run_i64
/* The end of the run that order[from, end) begins with, in which key ascends. */
static inline int64_t sort_run_i64(int64_t from, int64_t end, const int64_t *restrict key,
                                   const int64_t *restrict order)
{
    int64_t to = from + 1;
    while (to < end && key[order[to - 1]] <= key[order[to]])
        to++;
    return to;
}
#endif
