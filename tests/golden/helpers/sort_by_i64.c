#ifndef SPCC_HAS_sort_by_i64
#define SPCC_HAS_sort_by_i64
/* order[begin, end), each of these numbers once, sorted by key, which is in [low, low + dimension); what is alike stays in order.  An entry's number moves with bits of its key above it. */
static inline void sort_by_i64(int64_t begin, int64_t end, const int64_t *restrict key, int64_t low,
                               int64_t dimension, int64_t *restrict order, int64_t *restrict other,
                               int64_t *restrict place)
{
    if (end - begin <= 64) {
        sort_runs_i64(begin, end, key, order, other);
        return;
    }
    int64_t width = sort_width(end - begin);
    int64_t bits = sort_width(dimension);
    int64_t done = 0;
    while (done < bits) {
        int64_t now = min_i64(bits - done, 62 - width);
        int64_t mask = shl_i64(1, now) - 1;
        for (int64_t p = begin; p < end; p++) {
            int64_t entry = order[p];
            order[p] = shl_i64(shr_i64(key[entry] - low, done) & mask, width) + (entry - begin);
        }
        sort_digits(begin, end, width, width + now, order, other, place);
        mask = shl_i64(1, width) - 1;
        for (int64_t p = begin; p < end; p++)
            order[p] = begin + (order[p] & mask);
        done += now;
    }
}
#endif
