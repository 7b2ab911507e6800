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

#ifndef SPCC_HAS_min_i32
#define SPCC_HAS_min_i32
static inline int32_t min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}
#endif

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
            for (int32_t ii = 0; ii < min_i32(4, A1_dimension - io * 4); ii++) {
                int32_t i = base_3 + ii;
                int64_t pA3 = base_4 + ii;
                double y_val = 0.0;
                int64_t A_base = pA3 * 4;
                int32_t ji = 0;
                int32_t ji_end = 4 < base_2 ? 4 : base_2;
                if (ji < ji_end - 3) {
                    f64x4 y_val0 = {0};
                    for (; ji < ji_end - 3; ji += 4)
                        y_val0 += *(const f64x4 *)(A_vals + A_base + ji)
                            * *(const f64x4 *)(x_vals + base + ji);
                    y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
                }
                #pragma GCC unroll 1
                for (; ji < ji_end; ji++) {
                    int32_t j = base + ji;
                    y_val += A_vals[A_base + ji] * x_vals[j];
                }
                y_vals[i] += y_val;
            }
        }
    }
    return 0;
}
