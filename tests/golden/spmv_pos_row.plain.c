/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: pos(j,p,A(i,j)); split(p,p0,p1,down,4)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'pos(j,p,A(i,j)); split(p,p0,p1,down,4)' --plain
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
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t p_begin = A2_pos[i], p_size = A2_pos[i + 1] - A2_pos[i];
        int32_t p0_size = p_size / 4 + (p_size % 4 > 0);
        double y_val = 0.0;
        for (int32_t p0 = 0; p0 < p0_size; p0++) {
            for (int32_t p1 = 0; p1 < evaluate_min_i32(4, p_size - p0 * 4); p1++) {
                int32_t p = p0 * 4 + p1, j = A2_crd[p_begin + p];
                y_val += A_vals[p_begin + p] * x_vals[j];
            }
        }
        y_vals[i] = y_val;
    }
    return 0;
}
