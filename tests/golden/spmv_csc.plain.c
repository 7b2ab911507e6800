/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds:1,0
 *     x        f64   d
 * schedule: reorder(j, i)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csc' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
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

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t j = 0; j < A2_dimension; j++) {
        double x_val = x_vals[j];
        for (int32_t pA2 = A2_pos[j]; pA2 < A2_pos[j + 1]; pA2++)
            y_vals[A2_crd[pA2]] += A_vals[pA2] * x_val;
    }
    return 0;
}
