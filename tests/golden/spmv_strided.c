/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i : strided, j : strided(unit))
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:(i,j) -> (i : strided, j : strided(unit))'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_stride     A, level 1 (strided): how far a value is from the one before
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_stride,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    int32_t nA1 = A1_stride[0];
    int64_t base = (1 - (int64_t)A1_dimension) * nA1;
    int32_t i = 0;
    for (; i < A1_dimension - 3; i += 4) {
        int64_t pA1 = (base > 0 ? base : 0) + (int64_t)i * nA1;
        int64_t pA1_2 = (base > 0 ? base : 0) + (int64_t)(i + 1) * nA1;
        int64_t pA1_3 = (base > 0 ? base : 0) + (int64_t)(i + 2) * nA1;
        int64_t pA1_4 = (base > 0 ? base : 0) + (int64_t)(i + 3) * nA1;
        double y_val = 0.0;
        double y_val_2 = 0.0;
        double y_val_3 = 0.0;
        double y_val_4 = 0.0;
        int32_t j = 0;
        if (j < A2_dimension - 3) {
            f64x4 y_val00 = {0};
            f64x4 y_val10 = {0};
            f64x4 y_val20 = {0};
            f64x4 y_val30 = {0};
            for (; j < A2_dimension - 3; j += 4) {
                y_val00 += *(const f64x4 *)(A_vals + pA1 + j) * *(const f64x4 *)(x_vals + j);
                y_val10 += *(const f64x4 *)(A_vals + pA1_2 + j) * *(const f64x4 *)(x_vals + j);
                y_val20 += *(const f64x4 *)(A_vals + pA1_3 + j) * *(const f64x4 *)(x_vals + j);
                y_val30 += *(const f64x4 *)(A_vals + pA1_4 + j) * *(const f64x4 *)(x_vals + j);
            }
            y_val += y_val00[0] + y_val00[2] + (y_val00[1] + y_val00[3]);
            y_val_2 += y_val10[0] + y_val10[2] + (y_val10[1] + y_val10[3]);
            y_val_3 += y_val20[0] + y_val20[2] + (y_val20[1] + y_val20[3]);
            y_val_4 += y_val30[0] + y_val30[2] + (y_val30[1] + y_val30[3]);
        }
        #pragma GCC unroll 1
        for (; j < A2_dimension; j++) {
            y_val += A_vals[pA1 + j] * x_vals[j];
            y_val_2 += A_vals[pA1_2 + j] * x_vals[j];
            y_val_3 += A_vals[pA1_3 + j] * x_vals[j];
            y_val_4 += A_vals[pA1_4 + j] * x_vals[j];
        }
        y_vals[i] = y_val;
        y_vals[i + 1] = y_val_2;
        y_vals[i + 2] = y_val_3;
        y_vals[i + 3] = y_val_4;
    }
    for (; i < A1_dimension; i++) {
        int64_t pA1 = (base > 0 ? base : 0) + (int64_t)i * nA1;
        double y_val = 0.0;
        int32_t j = 0;
        if (j < A2_dimension - 3) {
            f64x4 y_val4 = {0};
            for (; j < A2_dimension - 3; j += 4)
                y_val4 += *(const f64x4 *)(A_vals + pA1 + j) * *(const f64x4 *)(x_vals + j);
            y_val += y_val4[0] + y_val4[2] + (y_val4[1] + y_val4[3]);
        }
        #pragma GCC unroll 1
        for (; j < A2_dimension; j++)
            y_val += A_vals[pA1 + j] * x_vals[j];
        y_vals[i] = y_val;
    }
    return 0;
}
