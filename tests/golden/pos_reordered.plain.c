/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,64); reorder(p1,p0)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,64); reorder(p1,p0)' --plain
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

#include "helpers/plain/find_first_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    int32_t p_size = A2_pos[A1_dimension];
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t p1 = 0; p1 < 64; p1++) {
        for (int64_t p = p1; p < p_size; p += 64) {
            int32_t i = (int32_t)(evaluate_find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, p
                + 1) - 1);
            y_vals[i] += A_vals[p] * x_vals[A2_crd[p]];
        }
    }
    return 0;
}
