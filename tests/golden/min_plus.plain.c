/* y(i) = min(j, A(i,j) + x(j))
 *     y        f64   d, fill inf
 *     A        f64   ds, fill inf
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = min(j, A(i,j) + x(j))' -f 'A:csr' --fill 'A:inf' --fill 'y:inf' --plain
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
#include <math.h>
#include <stdint.h>

#include "helpers/plain/min_f64.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = INFINITY;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
            y_val = evaluate_min_f64(y_val, A_vals[pA2] + x_vals[A2_crd[pA2]]);
        y_vals[i] = y_val;
    }
    return 0;
}
