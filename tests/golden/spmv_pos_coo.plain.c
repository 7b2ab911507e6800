/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   uq
 *     x        f64   d
 * schedule: collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,up,8)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:coo' -s 'collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,up,8)' --plain
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

#include "helpers/plain/min_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
             const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    int32_t p_size = A1_pos[1], p1_size = p_size / 8 + (p_size % 8 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t p0 = 0; p0 < 8; p0++) {
        for (int32_t p1 = 0; p1 < evaluate_min_i32(p1_size, p_size - p0 * p1_size); p1++) {
            int32_t p = p0 * p1_size + p1;
            y_vals[A1_crd[p]] += A_vals[p] * x_vals[A2_crd[p]];
        }
    }
    return 0;
}
