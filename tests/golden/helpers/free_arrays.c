#ifndef SPCC_HAS_free_arrays
#define SPCC_HAS_free_arrays
/* Release arrays, and their room unless that is `few`. */
static inline void free_arrays(void **arrays, void **few)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        SPCC_FREE(*at);
    if (arrays != few)
        SPCC_FREE(arrays);
}
#endif
