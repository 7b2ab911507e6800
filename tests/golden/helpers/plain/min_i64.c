static inline int64_t evaluate_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
