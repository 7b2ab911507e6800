#ifndef SPCC_HAS_sort_count
#define SPCC_HAS_sort_count
/* place[0, 256), place[256, 512): one more for the last digit, and for the one before it. */
static inline void sort_count(uint64_t rest, int64_t *restrict place)
{
    place[sort_digit(rest)]++;
    place[sort_digit(rest / 256) + 256]++;
}
#endif
