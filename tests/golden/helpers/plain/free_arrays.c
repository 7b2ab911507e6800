/* Release arrays, and their room unless that is `few`. */
static inline void evaluate_free_arrays(void **arrays, void **few)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        free(*at);
    if (arrays != few)
        free(arrays);
}
