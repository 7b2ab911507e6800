#ifndef SPCC_HAS_allocate_arrays
#define SPCC_HAS_allocate_arrays
/* Room for n arrays, NULL each, and behind them this room itself, which is the end; for so
 * many that is `few`.  NULL if there is none. */
static inline void **allocate_arrays(int64_t n, int64_t many, void **few)
{
    void **arrays = n == many ? few : n < 0 ? NULL
        : (void **)allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}
#endif
