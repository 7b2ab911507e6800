/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j/4 : dense, i/4 : compressed, i%4 : dense, j%4 : dense)
 *     x        f64   d
 * schedule: split(j, jo, ji, down, 4); split(i, io, ii, down, 4); reorder(jo, io, ii, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:bcsc(4,4)'
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

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    int32_t jo_size = A2_dimension / 4 + (A2_dimension % 4 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t jo = 0; jo < jo_size; jo++) {
        int32_t base = jo * 4;
        int32_t base_2 = A2_dimension - base;
        for (int32_t pA2 = A2_pos[jo]; pA2 < A2_pos[jo + 1]; pA2++) {
            int32_t io = A2_crd[pA2];
            int32_t base_3 = io * 4;
            int64_t base_4 = (int64_t)pA2 * 4;
            int32_t ii = 0;
            int32_t ii_end = min_i32(4, A1_dimension - io * 4);
            for (; ii < ii_end - 3; ii += 4) {
                int32_t i = base_3 + ii;
                int32_t i_2 = base_3 + (ii + 1);
                int32_t i_3 = base_3 + (ii + 2);
                int32_t i_4 = base_3 + (ii + 3);
                int64_t pA3 = base_4 + ii;
                int64_t pA3_2 = base_4 + (ii + 1);
                int64_t pA3_3 = base_4 + (ii + 2);
                int64_t pA3_4 = base_4 + (ii + 3);
                double y_val = 0.0;
                double y_val_2 = 0.0;
                double y_val_3 = 0.0;
                double y_val_4 = 0.0;
                int64_t A_base = pA3 * 4;
                int64_t A_base_2 = pA3_2 * 4;
                int64_t A_base_3 = pA3_3 * 4;
                int64_t A_base_4 = pA3_4 * 4;
                int32_t ji = 0;
                int32_t ji_end = 4 < base_2 ? 4 : base_2;
                if (ji < ji_end - 3) {
                    f64x4 y_val00 = {0};
                    f64x4 y_val10 = {0};
                    f64x4 y_val20 = {0};
                    f64x4 y_val30 = {0};
                    for (; ji < ji_end - 3; ji += 4) {
                        y_val00 += *(const f64x4 *)(A_vals + A_base + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                        y_val10 += *(const f64x4 *)(A_vals + A_base_2 + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                        y_val20 += *(const f64x4 *)(A_vals + A_base_3 + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                        y_val30 += *(const f64x4 *)(A_vals + A_base_4 + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                    }
                    y_val += y_val00[0] + y_val00[2] + (y_val00[1] + y_val00[3]);
                    y_val_2 += y_val10[0] + y_val10[2] + (y_val10[1] + y_val10[3]);
                    y_val_3 += y_val20[0] + y_val20[2] + (y_val20[1] + y_val20[3]);
                    y_val_4 += y_val30[0] + y_val30[2] + (y_val30[1] + y_val30[3]);
                }
                #pragma GCC unroll 1
                for (; ji < ji_end; ji++) {
                    int32_t j = base + ji;
                    y_val += A_vals[A_base + ji] * x_vals[j];
                    int32_t j_2 = base + ji;
                    y_val_2 += A_vals[A_base_2 + ji] * x_vals[j_2];
                    int32_t j_3 = base + ji;
                    y_val_3 += A_vals[A_base_3 + ji] * x_vals[j_3];
                    int32_t j_4 = base + ji;
                    y_val_4 += A_vals[A_base_4 + ji] * x_vals[j_4];
                }
                y_vals[i] += y_val;
                y_vals[i_2] += y_val_2;
                y_vals[i_3] += y_val_3;
                y_vals[i_4] += y_val_4;
            }
            for (; ii < ii_end; ii++) {
                int32_t i = base_3 + ii;
                int64_t pA3 = base_4 + ii;
                double y_val = 0.0;
                int64_t A_base = pA3 * 4;
                int32_t ji = 0;
                int32_t ji_end0 = 4 < base_2 ? 4 : base_2;
                if (ji < ji_end0 - 3) {
                    f64x4 y_val4 = {0};
                    for (; ji < ji_end0 - 3; ji += 4)
                        y_val4 += *(const f64x4 *)(A_vals + A_base + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                    y_val += y_val4[0] + y_val4[2] + (y_val4[1] + y_val4[3]);
                }
                #pragma GCC unroll 1
                for (; ji < ji_end0; ji++) {
                    int32_t j = base + ji;
                    y_val += A_vals[A_base + ji] * x_vals[j];
                }
                y_vals[i] += y_val;
            }
        }
    }
    return 0;
}
