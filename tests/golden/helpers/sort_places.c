#ifndef SPCC_HAS_sort_places
#define SPCC_HAS_sort_places
/* How many have each of n digits becomes how many have a lower one, in both halves of the room. */
static inline void sort_places(int64_t n, int64_t *restrict place)
{
    int64_t last = 0;
    int64_t other = 0;
    for (int64_t d = 0; d < n; d++) {
        int64_t here = place[d];
        int64_t there = place[d + 2048];
        place[d] = last;
        place[d + 2048] = other;
        last += here;
        other += there;
    }
}
#endif
