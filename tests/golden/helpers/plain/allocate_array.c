/* Room for n elements of size bytes; NULL if there is none. */
static inline void *evaluate_allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return calloc(n > 0 ? (size_t)n : 1, size);
}
