/* Room for n arrays, NULL each, and behind them this room itself, which is the end; for so
 * many that is `few`.  NULL if there is none. */
static inline void **evaluate_allocate_arrays(int64_t n, int64_t many, void **few)
{
    void **arrays = n == many ? few : n < 0 ? NULL
        : (void **)evaluate_allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}
