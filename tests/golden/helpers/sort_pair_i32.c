#ifndef SPCC_HAS_sort_pair_i32
#define SPCC_HAS_sort_pair_i32
/* key[0, n) by a digit of what they are above least, or by both of a pair: there and back. */
static inline void sort_pair_i32(int64_t n, int32_t *restrict key, int64_t least, int64_t pairs,
                                 bool narrow, bool both, int32_t *restrict other,
                                 int64_t *restrict place)
{
    int64_t base = narrow ? 64 : 256;
    memset(place, 0, (size_t)(2 * base) * sizeof(int64_t));
    for (int64_t p = 0; p < n; p++)
        sort_count(sort_rest_i32(key[p], least, pairs, narrow), narrow, base, place);
    sort_places(place, base);
    for (int64_t p = 0; p < n; p++) {
        int64_t d = sort_digit(sort_rest_i32(key[p], least, pairs, narrow), narrow);
        other[place[d]] = key[p];
        place[d]++;
    }
    if (both) {
        for (int64_t p = 0; p < n; p++) {
            int64_t d = sort_other(sort_rest_i32(other[p], least, pairs, narrow), narrow) + base;
            key[place[d]] = other[p];
            place[d]++;
        }
    } else {
        for (int64_t p = 0; p < n; p++)
            key[p] = other[p];
    }
}
#endif
