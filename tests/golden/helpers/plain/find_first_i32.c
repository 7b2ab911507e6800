/* The first position in crd[low, end), which ascends, of what is not below the least. */
static inline int64_t evaluate_find_first_i32(const int32_t *crd, int64_t low, int64_t end,
                                              int64_t least)
{
    int64_t from = low, to = end;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
