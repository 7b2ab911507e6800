/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   h
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -f 'x:hash'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x1_width      x, level 1 (hashed): slots for each parent
 *   x1_crd        x, level 1 (hashed): coordinates, -1 in empty slots
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/probe_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict x1_width, const int32_t *restrict x1_crd,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int32_t nx1 = x1_width[0];
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            int64_t px1 = probe_i32(x1_crd, 0, nx1, j);
            if (x1_crd[px1] != -1)
                y_val += A_vals[pA2] * x_vals[px1];
        }
        y_vals[i] = y_val;
    }
    return 0;
}
