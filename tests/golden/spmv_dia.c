/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     x        f64   d
 * schedule: skew(j, i, d); reorder(d, i)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dia'
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

#include "helpers/min_i64.c"
#include "helpers/max_i32.c"
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    int32_t pA10 = A1_pos[0];
    while (pA10 < A1_pos[1]) {
        int32_t pA1_next = (int32_t)min_i64((int64_t)pA10 + 12, A1_pos[1]);
        int32_t i0 = 0;
        for (; i0 < A1_dimension - 31; i0 += 32) {
            f64x4 y_vals0 = *(f64x4 *)(y_vals + i0);
            f64x4 y_vals1 = *(f64x4 *)(y_vals + i0 + 4);
            f64x4 y_vals2 = *(f64x4 *)(y_vals + i0 + 8);
            f64x4 y_vals3 = *(f64x4 *)(y_vals + i0 + 12);
            f64x4 y_vals4 = *(f64x4 *)(y_vals + i0 + 16);
            f64x4 y_vals5 = *(f64x4 *)(y_vals + i0 + 20);
            f64x4 y_vals6 = *(f64x4 *)(y_vals + i0 + 24);
            f64x4 y_vals7 = *(f64x4 *)(y_vals + i0 + 28);
            for (int32_t pA1 = pA10; pA1 < pA1_next; pA1++) {
                int32_t d = A1_crd[pA1];
                int64_t A_base = (int64_t)pA1 * A1_dimension;
                if (-d <= i0 && i0 + 32 <= A2_dimension - d) {
                    y_vals0 += *(const f64x4 *)(A_vals + A_base + i0)
                        * *(const f64x4 *)(x_vals + i0 + d);
                    y_vals1 += *(const f64x4 *)(A_vals + A_base + i0 + 4)
                        * *(const f64x4 *)(x_vals + i0 + d + 4);
                    y_vals2 += *(const f64x4 *)(A_vals + A_base + i0 + 8)
                        * *(const f64x4 *)(x_vals + i0 + d + 8);
                    y_vals3 += *(const f64x4 *)(A_vals + A_base + i0 + 12)
                        * *(const f64x4 *)(x_vals + i0 + d + 12);
                    y_vals4 += *(const f64x4 *)(A_vals + A_base + i0 + 16)
                        * *(const f64x4 *)(x_vals + i0 + d + 16);
                    y_vals5 += *(const f64x4 *)(A_vals + A_base + i0 + 20)
                        * *(const f64x4 *)(x_vals + i0 + d + 20);
                    y_vals6 += *(const f64x4 *)(A_vals + A_base + i0 + 24)
                        * *(const f64x4 *)(x_vals + i0 + d + 24);
                    y_vals7 += *(const f64x4 *)(A_vals + A_base + i0 + 28)
                        * *(const f64x4 *)(x_vals + i0 + d + 28);
                } else {
                    *(f64x4 *)(y_vals + i0) = y_vals0;
                    *(f64x4 *)(y_vals + i0 + 4) = y_vals1;
                    *(f64x4 *)(y_vals + i0 + 8) = y_vals2;
                    *(f64x4 *)(y_vals + i0 + 12) = y_vals3;
                    *(f64x4 *)(y_vals + i0 + 16) = y_vals4;
                    *(f64x4 *)(y_vals + i0 + 20) = y_vals5;
                    *(f64x4 *)(y_vals + i0 + 24) = y_vals6;
                    *(f64x4 *)(y_vals + i0 + 28) = y_vals7;
                    for (int32_t i = max_i32(max_i32(0, -d), i0); i
                         < min_i32(min_i32(A1_dimension, A2_dimension - d), i0 + 32); i++) {
                        int32_t j = i + d;
                        y_vals[i] += A_vals[A_base + i] * x_vals[j];
                    }
                    y_vals0 = *(f64x4 *)(y_vals + i0);
                    y_vals1 = *(f64x4 *)(y_vals + i0 + 4);
                    y_vals2 = *(f64x4 *)(y_vals + i0 + 8);
                    y_vals3 = *(f64x4 *)(y_vals + i0 + 12);
                    y_vals4 = *(f64x4 *)(y_vals + i0 + 16);
                    y_vals5 = *(f64x4 *)(y_vals + i0 + 20);
                    y_vals6 = *(f64x4 *)(y_vals + i0 + 24);
                    y_vals7 = *(f64x4 *)(y_vals + i0 + 28);
                }
            }
            *(f64x4 *)(y_vals + i0) = y_vals0;
            *(f64x4 *)(y_vals + i0 + 4) = y_vals1;
            *(f64x4 *)(y_vals + i0 + 8) = y_vals2;
            *(f64x4 *)(y_vals + i0 + 12) = y_vals3;
            *(f64x4 *)(y_vals + i0 + 16) = y_vals4;
            *(f64x4 *)(y_vals + i0 + 20) = y_vals5;
            *(f64x4 *)(y_vals + i0 + 24) = y_vals6;
            *(f64x4 *)(y_vals + i0 + 28) = y_vals7;
        }
        if (i0 < A1_dimension) {
            for (int32_t pA1 = pA10; pA1 < pA1_next; pA1++) {
                int32_t d = A1_crd[pA1];
                int64_t A_base = (int64_t)pA1 * A1_dimension;
                for (int32_t i = max_i32(max_i32(0, -d), i0); i
                     < min_i32(A1_dimension, A2_dimension - d); i++) {
                    int32_t j = i + d;
                    y_vals[i] += A_vals[A_base + i] * x_vals[j];
                }
            }
        }
        pA10 = pA1_next;
    }
    return 0;
}
