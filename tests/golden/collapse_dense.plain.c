/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: collapse(i,j,f)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -s 'collapse(i,j,f)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 */
#include <stdint.h>

/* a / b, and 0 where b is 0. */
static inline int32_t evaluate_div_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
}

/* What is left of a / b, and 0 where b is 0. */
static inline int32_t evaluate_mod_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? 0 : a % b;
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, const double *B_vals,
             double *C_vals)
{
    if (A1_dimension > evaluate_div_i32(2147483647, A2_dimension > 1 ? A2_dimension : 1)) return 2;
    int32_t f_size = A1_dimension * A2_dimension;
    for (int32_t f = 0; f < f_size; f++) {
        int32_t i = evaluate_div_i32(f, A2_dimension), j = evaluate_mod_i32(f, A2_dimension);
        C_vals[(int64_t)i * A2_dimension + j] = A_vals[(int64_t)i * A2_dimension + j]
            + B_vals[(int64_t)i * A2_dimension + j];
    }
    return 0;
}
