/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     x        f64   d
 * schedule: split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:bcsr(4,4)'
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    int32_t io_size = A1_dimension / 4 + (A1_dimension % 4 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 4;
        int32_t base_2 = A1_dimension - base;
        if (4 <= base_2) {
            int32_t pA2_whole = A2_pos[io + 1];
            while (A2_pos[io] < pA2_whole && 4 > A2_dimension - A2_crd[pA2_whole - 1] * 4)
                pA2_whole--;
            f64x4 y_vals0 = {0};
            f64x4 y_vals1 = {0};
            f64x4 y_vals2 = {0};
            f64x4 y_vals3 = {0};
            for (int32_t pA2 = A2_pos[io]; pA2 < pA2_whole; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_3 = (int64_t)pA2 * 4;
                int32_t base_5 = jo * 4;
                y_vals0 += *(const f64x4 *)(A_vals + base_3 * 4)
                    * *(const f64x4 *)(x_vals + base_5);
                y_vals1 += *(const f64x4 *)(A_vals + (base_3 + 1) * 4)
                    * *(const f64x4 *)(x_vals + base_5);
                y_vals2 += *(const f64x4 *)(A_vals + (base_3 + 2) * 4)
                    * *(const f64x4 *)(x_vals + base_5);
                y_vals3 += *(const f64x4 *)(A_vals + (base_3 + 3) * 4)
                    * *(const f64x4 *)(x_vals + base_5);
            }
            *(f64x4 *)(y_vals + base) = (f64x4){y_vals0[0] + y_vals0[2] + (y_vals0[1] + y_vals0[3]),
                y_vals1[0] + y_vals1[2] + (y_vals1[1] + y_vals1[3]), y_vals2[0] + y_vals2[2]
                + (y_vals2[1] + y_vals2[3]), y_vals3[0] + y_vals3[2] + (y_vals3[1] + y_vals3[3])};
            for (int32_t pA2 = pA2_whole; pA2 < A2_pos[io + 1]; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_3 = (int64_t)pA2 * 4;
                int32_t base_5 = jo * 4;
                int32_t base_4 = A2_dimension - base_5;
                for (int32_t ii = 0; ii < (4 < base_2 ? 4 : base_2); ii++) {
                    int32_t i = base + ii;
                    int64_t pA3 = base_3 + ii;
                    double y_val = 0.0;
                    int64_t A_base = pA3 * 4;
                    if (base_4 >= 4) {
                        for (int32_t ji = 0; ji < 4; ji++) {
                            int32_t j = base_5 + ji;
                            y_val += A_vals[A_base + ji] * x_vals[j];
                        }
                    } else {
                        for (int32_t ji = 0; ji < base_4; ji++) {
                            int32_t j = base_5 + ji;
                            y_val += A_vals[A_base + ji] * x_vals[j];
                        }
                    }
                    y_vals[i] += y_val;
                }
            }
        } else {
            memset(y_vals + base, 0, (size_t)(4 < base_2 ? 4 : base_2) * sizeof(double));
            for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_3 = (int64_t)pA2 * 4;
                int32_t base_5 = jo * 4;
                int32_t base_4 = A2_dimension - base_5;
                for (int32_t ii = 0; ii < (4 < base_2 ? 4 : base_2); ii++) {
                    int32_t i = base + ii;
                    int64_t pA3 = base_3 + ii;
                    double y_val = 0.0;
                    int64_t A_base = pA3 * 4;
                    if (base_4 >= 4) {
                        for (int32_t ji = 0; ji < 4; ji++) {
                            int32_t j = base_5 + ji;
                            y_val += A_vals[A_base + ji] * x_vals[j];
                        }
                    } else {
                        for (int32_t ji = 0; ji < base_4; ji++) {
                            int32_t j = base_5 + ji;
                            y_val += A_vals[A_base + ji] * x_vals[j];
                        }
                    }
                    y_vals[i] += y_val;
                }
            }
        }
    }
    return 0;
}
