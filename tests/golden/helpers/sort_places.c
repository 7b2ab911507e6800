#ifndef SPCC_HAS_sort_places
#define SPCC_HAS_sort_places
/* How many have a digit becomes how many have a lower one. */
static inline void sort_places(int64_t *restrict place)
{
    int64_t last = 0;
    int64_t other = 0;
    for (int64_t d = 0; d < 256; d++) {
        int64_t here = place[d];
        int64_t there = place[d + 256];
        place[d] = last;
        place[d + 256] = other;
        last += here;
        other += there;
    }
}
#endif
