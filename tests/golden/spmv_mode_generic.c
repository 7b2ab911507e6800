/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   sd
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:mode-generic'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
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

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        double y_val = 0.0;
        int64_t A_base = (int64_t)pA1 * A2_dimension;
        int32_t j = 0;
        if (j < A2_dimension - 3) {
            f64x4 y_val0 = {0};
            if (j < A2_dimension - 15) {
                f64x4 y_val1 = {0};
                f64x4 y_val2 = {0};
                f64x4 y_val3 = {0};
                for (; j < A2_dimension - 15; j += 16) {
                    y_val0 += *(const f64x4 *)(A_vals + A_base + j) * *(const f64x4 *)(x_vals + j);
                    y_val1 += *(const f64x4 *)(A_vals + A_base + j + 4)
                        * *(const f64x4 *)(x_vals + j + 4);
                    y_val2 += *(const f64x4 *)(A_vals + A_base + j + 8)
                        * *(const f64x4 *)(x_vals + j + 8);
                    y_val3 += *(const f64x4 *)(A_vals + A_base + j + 12)
                        * *(const f64x4 *)(x_vals + j + 12);
                }
                y_val0 += y_val2;
                y_val1 += y_val3;
                y_val0 += y_val1;
            }
            for (; j < A2_dimension - 3; j += 4)
                y_val0 += *(const f64x4 *)(A_vals + A_base + j) * *(const f64x4 *)(x_vals + j);
            y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        }
        #pragma GCC unroll 1
        for (; j < A2_dimension; j++)
            y_val += A_vals[A_base + j] * x_vals[j];
        y_vals[i] = y_val;
    }
    return 0;
}
