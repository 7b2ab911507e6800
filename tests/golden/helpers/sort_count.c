#ifndef SPCC_HAS_sort_count
#define SPCC_HAS_sort_count
/* place[0, base), place[base, 2 * base): one more for each of the two last digits. */
static inline void sort_count(uint64_t rest, bool narrow, int64_t base, int64_t *restrict place)
{
    place[sort_digit(rest, narrow)]++;
    place[sort_other(rest, narrow) + base]++;
}
#endif
