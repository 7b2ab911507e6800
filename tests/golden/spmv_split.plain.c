/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: split(i,i0,i1,down,32)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'split(i,i0,i1,down,32)' --plain
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
#include <stdint.h>

#include "helpers/plain/min_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    int32_t i0_size = A1_dimension / 32 + (A1_dimension % 32 > 0);
    for (int32_t i0 = 0; i0 < i0_size; i0++) {
        for (int32_t i1 = 0; i1 < evaluate_min_i32(32, A1_dimension - i0 * 32); i1++) {
            int32_t i = i0 * 32 + i1;
            double y_val = 0.0;
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
                y_val += A_vals[pA2] * x_vals[A2_crd[pA2]];
            y_vals[i] = y_val;
        }
    }
    return 0;
}
