/* The first begin[0] elements of array, each of size bytes, and behind them, from begin[part] to
 * begin[part + 1], those that the part has in its at-th of `many` arrays; in room for n.  All of
 * these are released; if there is no room that is NULL. */
static inline void *evaluate_join_arrays(void *array, void **arrays, int64_t many, int64_t at,
                                const int64_t *begin, int32_t parts, int64_t n, size_t size)
{
    int moves = parts == 1 && begin[0] == 0;
    void *whole = evaluate_reallocate_array(moves ? arrays[at] : array, n, size);
    if (moves) {
        free(array);
        arrays[at] = NULL;
    }
    if (moves || !whole)
        return whole;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int32_t part = 0; part < parts; part++) {
        void **from = &arrays[part * many + at];
        size_t length = (size_t)(begin[part + 1] - begin[part]);
        if (length > 0)
            memcpy((char *)whole + (size_t)begin[part] * size, *from, length * size);
        free(*from);
        *from = NULL;
    }
    return whole;
}
