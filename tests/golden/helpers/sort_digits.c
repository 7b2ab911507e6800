#ifndef SPCC_HAS_sort_digits
#define SPCC_HAS_sort_digits
/* item[begin, end) sorted by the bits from `first` up to `last`, above which there are none: by two digits at a time, which are alike wide, up to eleven bits if there are many entries. */
static inline void sort_digits(int64_t begin, int64_t end, int64_t first, int64_t last,
                               int64_t *restrict item, int64_t *restrict other,
                               int64_t *restrict place)
{
    int64_t most = end - begin < 16384 ? 16 : 22;
    while (first < last) {
        int64_t bits = last - first;
        int64_t digit = (min_i64(bits > most ? (bits + 1) / 2 : bits, most) + 1) / 2;
        int64_t digits = shl_i64(1, digit);
        memset(place, 0, (size_t)digits * sizeof(int64_t));
        memset(place + 2048, 0, (size_t)digits * sizeof(int64_t));
        for (int64_t p = begin; p < end; p++) {
            int64_t rest = shr_i64(item[p], first);
            place[rest & (digits - 1)]++;
            place[(shr_i64(rest, digit) & (digits - 1)) + 2048]++;
        }
        sort_places(digits, place);
        for (int64_t p = begin; p < end; p++) {
            int64_t moved = item[p];
            int64_t d = shr_i64(moved, first) & (digits - 1);
            other[begin + place[d]] = moved;
            place[d]++;
        }
        first += digit;
        for (int64_t p = begin; p < end; p++) {
            int64_t moved = other[p];
            int64_t d = (shr_i64(moved, first) & (digits - 1)) + 2048;
            item[begin + place[d]] = moved;
            place[d]++;
        }
        first += digit;
    }
}
#endif
