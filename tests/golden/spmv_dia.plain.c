/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     x        f64   d
 * schedule: skew(j, i, d); reorder(d, i)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dia' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "helpers/plain/max_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t d = A1_crd[pA1];
        for (int32_t i = evaluate_max_i32(0, -d); i
             < (A1_dimension < A2_dimension - d ? A1_dimension : A2_dimension - d); i++) {
            int32_t j = i + d;
            y_vals[i] += A_vals[(int64_t)pA1 * A1_dimension + i] * x_vals[j];
        }
    }
    return 0;
}
