#ifndef SPCC_HAS_sort_digits
#define SPCC_HAS_sort_digits
/* item[begin, end) sorted by the bits from `first` on, up to `last`, by eight at a time. */
static inline void sort_digits(int64_t begin, int64_t end, int64_t first, int64_t last,
                               int64_t *restrict item, int64_t *restrict other,
                               int64_t *restrict place)
{
    for (; first < last; first += 16) {
        memset(place, 0, 512 * sizeof(int64_t));
        for (int64_t p = begin; p < end; p++) {
            int64_t rest = shr_i64(item[p], first);
            place[rest & 255]++;
            place[((rest / 256) & 255) + 256]++;
        }
        sort_places(place);
        for (int64_t p = begin; p < end; p++) {
            int64_t moved = item[p];
            int64_t d = shr_i64(moved, first) & 255;
            other[begin + place[d]] = moved;
            place[d]++;
        }
        if (first + 8 < last) {
            for (int64_t p = begin; p < end; p++) {
                int64_t moved = other[p];
                int64_t d = (shr_i64(moved, first + 8) & 255) + 256;
                item[begin + place[d]] = moved;
                place[d]++;
            }
        } else {
            for (int64_t p = begin; p < end; p++)
                item[p] = other[p];
        }
    }
}
#endif
