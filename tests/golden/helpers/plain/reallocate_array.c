/* Room for n elements of size bytes that holds what array held; if there is none array is
 * released, and that is NULL. */
static inline void *evaluate_reallocate_array(void *array, int64_t n, size_t size)
{
    void *longer = NULL;
    if (n >= 0 && (uint64_t)n <= (size_t)-1 / size)
        longer = realloc(array, n > 0 ? (size_t)n * size : size);
    if (!longer)
        free(array);
    return longer;
}
