#ifndef SPCC_HAS_sort_merge_i32
#define SPCC_HAS_sort_merge_i32
/* order[from, end): its runs [from, middle) and [middle, end) merged; of what is alike the former first. */
static inline void sort_merge_i32(int64_t from, int64_t middle, int64_t end,
                                  const int32_t *restrict key, int64_t *restrict order,
                                  int64_t *restrict other)
{
    for (int64_t p = from; p < middle; p++)
        other[p] = order[p];
    int64_t left_ = from;
    int64_t right = middle;
    while (left_ < middle && right < end) {
        bool first = key[other[left_]] <= key[order[right]];
        order[left_ + right - middle] = first ? other[left_] : order[right];
        left_ += first;
        right += 1 - (int64_t)first;
    }
    for (int64_t p = left_; p < middle; p++)
        order[p + right - middle] = other[p];
}
#endif
