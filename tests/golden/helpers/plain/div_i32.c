/* a / b, and 0 where b is 0. */
static inline int32_t evaluate_div_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
}
