/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   uq
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:coo' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
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

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
             const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    int32_t pA1 = A1_pos[0], pA1_end = A1_pos[1];
    while (pA1 < pA1_end) {
        int32_t i = A1_crd[pA1], pA1_next = pA1;
        while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
            pA1_next++;
        double y_val = 0.0;
        for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++)
            y_val += A_vals[pA2] * x_vals[A2_crd[pA2]];
        y_vals[i] = y_val;
        pA1 = pA1_next;
    }
    return 0;
}
