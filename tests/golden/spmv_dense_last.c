/* y(i) = A(i,j,k) * x(j,k)
 *     y        f64   d
 *     A        f64   dsd
 *     x        f64   dd
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j,k) * x(j,k)' -f 'A:dsd' -d k:8
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k, which must be 8
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

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    (void)A3_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        if (A2_pos[i] < A2_pos[i + 1]) {
            f64x4 y_val0 = {0};
            f64x4 y_val1 = {0};
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t j = A2_crd[pA2];
                int64_t A_base = (int64_t)pA2 * 8;
                int64_t x_base = (int64_t)j * 8;
                y_val0 += *(const f64x4 *)(A_vals + A_base) * *(const f64x4 *)(x_vals + x_base);
                y_val1 += *(const f64x4 *)(A_vals + A_base + 4)
                    * *(const f64x4 *)(x_vals + x_base + 4);
            }
            y_val0 += y_val1;
            y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        }
        y_vals[i] = y_val;
    }
    return 0;
}
