static inline int32_t evaluate_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}
