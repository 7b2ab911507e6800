/* What is left of a / b, and 0 where b is 0. */
static inline int32_t evaluate_mod_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? 0 : a % b;
}
