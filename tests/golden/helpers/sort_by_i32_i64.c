#ifndef SPCC_HAS_sort_by_i32_i64
#define SPCC_HAS_sort_by_i32_i64
/* order[begin, end), each of these numbers once, sorted by key, which is in [low, low + dimension); what is alike stays in order. */
static inline void sort_by_i32_i64(int64_t begin, int64_t end, const int32_t *restrict key,
                                   int64_t low, int64_t dimension, int64_t *restrict order,
                                   int64_t *restrict other, int64_t *restrict place)
{
    if (end - begin <= 64) {
        sort_runs_i32_i64(begin, end, key, order, other);
        return;
    }
    int64_t pairs = 0;
    int64_t most = dimension - 1;
    while (most > 0) {
        memset(place, 0, 512 * sizeof(int64_t));
        for (int64_t p = begin; p < end; p++)
            sort_count(sort_rest_i32(key[p], low, pairs), place);
        sort_places(place);
        for (int64_t p = begin; p < end; p++) {
            int64_t d = sort_digit(sort_rest_i32(key[order[p]], low, pairs));
            other[begin + place[d]] = order[p];
            place[d]++;
        }
        if (most > 255) {
            for (int64_t p = begin; p < end; p++) {
                int64_t d = sort_digit(sort_rest_i32(key[other[p]], low, pairs) / 256) + 256;
                order[begin + place[d]] = other[p];
                place[d]++;
            }
        } else {
            for (int64_t p = begin; p < end; p++)
                order[p] = other[p];
        }
        most = most / 65536;
        pairs++;
    }
}
#endif
