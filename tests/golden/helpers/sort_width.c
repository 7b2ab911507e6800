#ifndef SPCC_HAS_sort_width
#define SPCC_HAS_sort_width
/* How many bits it takes to count to n. */
static inline int64_t sort_width(int64_t n)
{
    int64_t bits = 0;
    int64_t most = n - 1;
    while (most > 0) {
        most = most / 2;
        bits++;
    }
    return bits;
}
#endif
