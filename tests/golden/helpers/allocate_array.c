#ifndef SPCC_HAS_allocate_array
#define SPCC_HAS_allocate_array
/* Room for n elements of size bytes; NULL if there is none. */
static inline void *allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_MALLOC(n > 0 ? (size_t)n * size : size);
}
#endif
