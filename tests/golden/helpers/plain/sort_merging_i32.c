/* order[begin, end) sorted by key, what is alike in order: runs twice as long each time are merged. */
static inline void evaluate_sort_merging_i32(int64_t begin, int64_t end, const int32_t *key,
                                             int64_t *order, int64_t *other)
{
    int64_t run = 1;
    while (run < end - begin) {
        for (int64_t p = begin; p < end; p++)
            other[p] = order[p];
        int64_t from = begin;
        while (from < end) {
            int64_t left_ = from, middle = from + run < end ? from + run : end, right = middle;
            int64_t to = middle + run < end ? middle + run : end;
            for (int64_t p = from; p < to; p++) {
                bool first = left_ < middle
                    && (right == to || key[other[left_]] <= key[other[right]]);
                order[p] = first ? other[left_] : other[right];
                left_ += first;
                right += 1 - (int64_t)first;
            }
            from = to;
        }
        run *= 2;
    }
}
