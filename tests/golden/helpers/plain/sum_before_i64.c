/* Sums of the lengths before each of n, from `first` on, in their place; then the sum of all. */
static inline void evaluate_sum_before_i64(int64_t *length, int64_t n, int64_t first)
{
    int64_t sum = first;
    for (int64_t part = 0; part < n; part++) {
        int64_t here = length[part];
        length[part] = sum;
        sum += here;
    }
    length[n] = sum;
}
