/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   dc
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:ell' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_width      A, level 2 (padded): positions for each parent
 *   A2_crd        A, level 2 (padded): coordinates, -1 behind the last
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_width,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    int32_t nA2 = A2_width[0];
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t pA2_begin = (int64_t)i * nA2, pA2_end = (int64_t)(i + 1) * nA2;
        if (pA2_begin < pA2_end && A2_crd[pA2_end - 1] == -1) {
            pA2_end = pA2_begin;
            while (pA2_end < (int64_t)(i + 1) * nA2 - 3 && A2_crd[pA2_end + 3] != -1)
                pA2_end += 4;
            while (A2_crd[pA2_end] != -1)
                pA2_end++;
        }
        double y_val = 0.0;
        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++)
            y_val += A_vals[pA2] * x_vals[A2_crd[pA2]];
        y_vals[i] = y_val;
    }
    return 0;
}
