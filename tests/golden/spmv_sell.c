/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/8 : dense, i%8 : ragged, j : singleton(padded))
 *     x        f64   d
 * schedule: split(i, io, ii, down, 8); reorder(io, ii, j)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:sell(8)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (ragged): where the positions below each parent begin and end
 *   A3_crd        A, level 3 (singleton(padded)): coordinates, -1 where there is none
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
typedef int64_t i64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int32_t i32x4 __attribute__((vector_size(16), aligned(4), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A3_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    int32_t io_size = A1_dimension / 8 + (A1_dimension % 8 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 8;
        int32_t base_2 = A1_dimension - base;
        if (8 <= base_2 && A2_dimension > 0) {
            f64x4 y_vals0 = {0};
            f64x4 y_vals1 = {0};
            for (int32_t pA2_round = A2_pos[io]; pA2_round < A2_pos[io + 1]; pA2_round += 8) {
                if ((A3_crd[pA2_round] | A3_crd[pA2_round + 1] | A3_crd[pA2_round + 2]
                    | A3_crd[pA2_round + 3] | A3_crd[pA2_round + 4] | A3_crd[pA2_round + 5]
                    | A3_crd[pA2_round + 6] | A3_crd[pA2_round + 7]) >= 0) {
                    y_vals0 += *(const f64x4 *)(A_vals + pA2_round)
                        * (f64x4){x_vals[A3_crd[pA2_round]], x_vals[A3_crd[pA2_round + 1]],
                        x_vals[A3_crd[pA2_round + 2]], x_vals[A3_crd[pA2_round + 3]]};
                    y_vals1 += *(const f64x4 *)(A_vals + pA2_round + 4)
                        * (f64x4){x_vals[A3_crd[pA2_round + 4]], x_vals[A3_crd[pA2_round + 5]],
                        x_vals[A3_crd[pA2_round + 6]], x_vals[A3_crd[pA2_round + 7]]};
                } else {
                    y_vals0 += (f64x4)((i64x4)(*(const f64x4 *)(A_vals + pA2_round)
                        * (f64x4){x_vals[A3_crd[pA2_round] & -(int32_t)(A3_crd[pA2_round] >= 0)],
                        x_vals[A3_crd[pA2_round + 1] & -(int32_t)(A3_crd[pA2_round + 1] >= 0)],
                        x_vals[A3_crd[pA2_round + 2] & -(int32_t)(A3_crd[pA2_round + 2] >= 0)],
                        x_vals[A3_crd[pA2_round + 3] & -(int32_t)(A3_crd[pA2_round + 3] >= 0)]}) &
                        (i64x4)(__builtin_convertvector(*(const i32x4 *)(A3_crd + pA2_round), i64x4)
                        >= (int64_t)0));
                    y_vals1 += (f64x4)((i64x4)(*(const f64x4 *)(A_vals + pA2_round + 4)
                        * (f64x4){x_vals[A3_crd[pA2_round + 4]
                        & -(int32_t)(A3_crd[pA2_round + 4] >= 0)],
                        x_vals[A3_crd[pA2_round + 5] & -(int32_t)(A3_crd[pA2_round + 5] >= 0)],
                        x_vals[A3_crd[pA2_round + 6] & -(int32_t)(A3_crd[pA2_round + 6] >= 0)],
                        x_vals[A3_crd[pA2_round + 7] & -(int32_t)(A3_crd[pA2_round + 7] >= 0)]}) &
                        (i64x4)(__builtin_convertvector(*(const i32x4 *)(A3_crd + pA2_round
                        + 4), i64x4) >= (int64_t)0));
                }
            }
            *(f64x4 *)(y_vals + base) = y_vals0;
            *(f64x4 *)(y_vals + base + 4) = y_vals1;
        } else {
            memset(y_vals + base, 0, (size_t)(8 < base_2 ? 8 : base_2) * sizeof(double));
            for (int32_t pA2_round = A2_pos[io]; pA2_round < A2_pos[io + 1]; pA2_round += 8) {
                if (base_2 >= 8) {
                    for (int32_t ii = 0; ii < 8; ii++) {
                        int32_t pA2 = pA2_round + ii;
                        int32_t i = base + ii;
                        if (A3_crd[pA2] >= 0) {
                            int32_t j = A3_crd[pA2];
                            y_vals[i] += A_vals[pA2] * x_vals[j];
                        }
                    }
                } else {
                    for (int32_t ii = 0; ii < base_2; ii++) {
                        int32_t pA2 = pA2_round + ii;
                        int32_t i = base + ii;
                        if (A3_crd[pA2] >= 0) {
                            int32_t j = A3_crd[pA2];
                            y_vals[i] += A_vals[pA2] * x_vals[j];
                        }
                    }
                }
            }
        }
    }
    return 0;
}
