#ifndef SPCC_HAS_find_on_diagonal_i32_i32
#define SPCC_HAS_find_on_diagonal_i32_i32
/* The coordinate behind the last of so many entries of crd[low, end) and crd2[low2, end2), which ascend, as they would be merged: `first` of none, `past` if there are fewer. On the diagonal of so many steps, which either of them may have made, it is found how many are of which. */
static __host__ __device__ inline int64_t find_on_diagonal_i32_i32(const int32_t *__restrict__ crd,
                                                                   int64_t low, int64_t end,
                                                                   const int32_t *__restrict__ crd2,
                                                                   int64_t low2, int64_t end2,
                                                                   int64_t steps, int64_t first,
                                                                   int64_t past)
{
    if (steps > end - low + end2 - low2)
        return past;
    int64_t from = max_i64(steps - (end2 - low2), 0);
    int64_t to = min_i64(steps, end - low);
    #pragma unroll 1
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if ((int64_t)crd[low + middle] <= crd2[low2 + steps - 1 - middle])
            from = middle + 1;
        else
            to = middle;
    }
    int64_t found = first;
    if (from > 0)
        found = (int64_t)crd[low + from - 1] + 1;
    if (from < steps)
        found = max_i64(found, (int64_t)crd2[low2 + steps - from - 1] + 1);
    return found;
}
#endif
