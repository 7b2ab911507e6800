/* Y(i,r) = A(i,j) * X(j,r)
 *     Y        f64   dd
 *     A        f64   (i,j) -> (i/8 : dense, i%8 : ragged, j : singleton(padded))
 *     X        f64   dd
 * schedule: split(i, io, ii, down, 8); reorder(io, ii, j, r)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = A(i,j) * X(j,r)' -f 'A:sell(8)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (ragged): where the positions below each parent begin and end
 *   A3_crd        A, level 3 (singleton(padded)): coordinates, -1 where there is none
 *   A_vals        A's values
 *   X2_dimension  size of mode 2 of X: the range of r
 *   X_vals        X's values
 *   Y_vals        Y's values
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

#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A3_crd, const double *restrict A_vals, int32_t X2_dimension,
             const double *restrict X_vals, double *restrict Y_vals)
{
    (void)A2_dimension;
    int32_t io_size = A1_dimension / 8 + (A1_dimension % 8 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 8;
        for (int64_t at = (int64_t)base
             * X2_dimension; at < ((int64_t)base + min_i32(8, A1_dimension - base))
             * X2_dimension; at++)
            Y_vals[at] = 0.0;
        for (int32_t ii = 0; ii < min_i32(8, A1_dimension - io * 8); ii++) {
            int64_t pA2 = (int64_t)A2_pos[io] + ii;
            int32_t i = base + ii;
            int64_t Y_base = (int64_t)i * X2_dimension;
            if (pA2 < A2_pos[io + 1]) {
                int32_t r0 = 0;
                for (; r0 < X2_dimension - 31; r0 += 32) {
                    f64x4 Y_vals0 = *(f64x4 *)(Y_vals + Y_base + r0);
                    f64x4 Y_vals1 = *(f64x4 *)(Y_vals + Y_base + r0 + 4);
                    f64x4 Y_vals2 = *(f64x4 *)(Y_vals + Y_base + r0 + 8);
                    f64x4 Y_vals3 = *(f64x4 *)(Y_vals + Y_base + r0 + 12);
                    f64x4 Y_vals4 = *(f64x4 *)(Y_vals + Y_base + r0 + 16);
                    f64x4 Y_vals5 = *(f64x4 *)(Y_vals + Y_base + r0 + 20);
                    f64x4 Y_vals6 = *(f64x4 *)(Y_vals + Y_base + r0 + 24);
                    f64x4 Y_vals7 = *(f64x4 *)(Y_vals + Y_base + r0 + 28);
                    for (int64_t pA3 = pA2; pA3 < A2_pos[io + 1]; pA3 += 8) {
                        if (A3_crd[pA3] >= 0) {
                            int32_t j = A3_crd[pA3];
                            double A_val = A_vals[pA3];
                            int64_t X_base = (int64_t)j * X2_dimension;
                            Y_vals0 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                            Y_vals1 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                            Y_vals2 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                            Y_vals3 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                            Y_vals4 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 16);
                            Y_vals5 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 20);
                            Y_vals6 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 24);
                            Y_vals7 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 28);
                        }
                    }
                    *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals0;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals1;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 8) = Y_vals2;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 12) = Y_vals3;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 16) = Y_vals4;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 20) = Y_vals5;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 24) = Y_vals6;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 28) = Y_vals7;
                }
                if (r0 < X2_dimension - 15) {
                    f64x4 Y_vals8 = *(f64x4 *)(Y_vals + Y_base + r0);
                    f64x4 Y_vals9 = *(f64x4 *)(Y_vals + Y_base + r0 + 4);
                    f64x4 Y_vals10 = *(f64x4 *)(Y_vals + Y_base + r0 + 8);
                    f64x4 Y_vals11 = *(f64x4 *)(Y_vals + Y_base + r0 + 12);
                    for (int64_t pA3 = pA2; pA3 < A2_pos[io + 1]; pA3 += 8) {
                        if (A3_crd[pA3] >= 0) {
                            int32_t j = A3_crd[pA3];
                            double A_val = A_vals[pA3];
                            int64_t X_base = (int64_t)j * X2_dimension;
                            Y_vals8 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                            Y_vals9 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                            Y_vals10 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                            Y_vals11 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                        }
                    }
                    *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals8;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals9;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 8) = Y_vals10;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 12) = Y_vals11;
                    r0 += 16;
                }
                if (r0 < X2_dimension - 7) {
                    f64x4 Y_vals12 = *(f64x4 *)(Y_vals + Y_base + r0);
                    f64x4 Y_vals13 = *(f64x4 *)(Y_vals + Y_base + r0 + 4);
                    for (int64_t pA3 = pA2; pA3 < A2_pos[io + 1]; pA3 += 8) {
                        if (A3_crd[pA3] >= 0) {
                            int32_t j = A3_crd[pA3];
                            double A_val = A_vals[pA3];
                            int64_t X_base = (int64_t)j * X2_dimension;
                            Y_vals12 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                            Y_vals13 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                        }
                    }
                    *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals12;
                    *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals13;
                    r0 += 8;
                }
                if (r0 < X2_dimension - 3) {
                    f64x4 Y_vals14 = *(f64x4 *)(Y_vals + Y_base + r0);
                    for (int64_t pA3 = pA2; pA3 < A2_pos[io + 1]; pA3 += 8) {
                        if (A3_crd[pA3] >= 0) {
                            int32_t j = A3_crd[pA3];
                            double A_val = A_vals[pA3];
                            int64_t X_base = (int64_t)j * X2_dimension;
                            Y_vals14 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                        }
                    }
                    *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals14;
                    r0 += 4;
                }
                if (r0 < X2_dimension) {
                    for (int64_t pA3 = pA2; pA3 < A2_pos[io + 1]; pA3 += 8) {
                        if (A3_crd[pA3] >= 0) {
                            int32_t j = A3_crd[pA3];
                            double A_val = A_vals[pA3];
                            int64_t X_base = (int64_t)j * X2_dimension;
                            for (int32_t r = r0; r < X2_dimension; r++)
                                Y_vals[Y_base + r] += A_val * X_vals[X_base + r];
                        }
                    }
                }
            }
        }
    }
    return 0;
}
