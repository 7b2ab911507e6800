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

#include "helpers/plain/div_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, const double *B_vals,
             double *C_vals)
{
    if (A1_dimension > evaluate_div_i32(2147483647, A2_dimension > 1 ? A2_dimension : 1)) return 2;
    int32_t f_size = A1_dimension * A2_dimension;
    for (int32_t f = 0; f < f_size; f++)
        C_vals[f] = A_vals[f] + B_vals[f];
    return 0;
}
