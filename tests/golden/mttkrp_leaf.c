/* Y(k,r) = A(i,j,k) * X(i,r) * Z(j,r)
 *     Y        f64   dd
 *     A        f64   sss
 *     X        f64   dd
 *     Z        f64   dd
 * schedule: reorder(i, j, k, r)
 * made by spcc VERSION with
 *     spcc 'Y(k,r) = A(i,j,k) * X(i,r) * Z(j,r)' -f 'A:csf'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A_vals        A's values
 *   X2_dimension  size of mode 2 of X: the range of r
 *   X_vals        X's values
 *   Z_vals        Z's values
 *   Y_vals        Y's values
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const int32_t *restrict A3_pos, const int32_t *restrict A3_crd,
             const double *restrict A_vals, int32_t X2_dimension, const double *restrict X_vals,
             const double *restrict Z_vals, double *restrict Y_vals)
{
    (void)A1_dimension;
    (void)A2_dimension;
    int32_t pA3_last = A3_pos[A2_pos[A1_pos[1]]];
    int32_t pA2_last = A2_pos[A1_pos[1]];
    memset(Y_vals, 0, (size_t)((int64_t)A3_dimension * X2_dimension) * sizeof(double));
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        for (int64_t line0 = 0; line0 < X2_dimension; line0 += 8) {
            __builtin_prefetch(X_vals + (int64_t)A1_crd[pA1 + min_i32(A1_pos[1] - 1 - pA1, 16)]
                * X2_dimension + (int32_t)line0);
        }
        int32_t i = A1_crd[pA1];
        int64_t X_base = (int64_t)i * X2_dimension;
        int32_t pA2_ahead = A2_pos[pA1 + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            for (int64_t line = 0; line < X2_dimension; line += 8) {
                __builtin_prefetch(Z_vals + (int64_t)A2_crd[pA2 + pA2_ahead] * X2_dimension
                    + (int32_t)line);
            }
            int32_t j = A2_crd[pA2];
            int64_t Z_base = (int64_t)j * X2_dimension;
            if (A3_pos[pA2] < A3_pos[pA2 + 1]) {
                int32_t r0 = 0;
                for (; r0 < X2_dimension - 31; r0 += 32) {
                    f64x4 kept = *(const f64x4 *)(X_vals + X_base + r0)
                        * *(const f64x4 *)(Z_vals + Z_base + r0);
                    f64x4 kept0 = *(const f64x4 *)(X_vals + X_base + r0 + 4)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 4);
                    f64x4 kept1 = *(const f64x4 *)(X_vals + X_base + r0 + 8)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 8);
                    f64x4 kept2 = *(const f64x4 *)(X_vals + X_base + r0 + 12)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 12);
                    f64x4 kept3 = *(const f64x4 *)(X_vals + X_base + r0 + 16)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 16);
                    f64x4 kept4 = *(const f64x4 *)(X_vals + X_base + r0 + 20)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 20);
                    f64x4 kept5 = *(const f64x4 *)(X_vals + X_base + r0 + 24)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 24);
                    f64x4 kept6 = *(const f64x4 *)(X_vals + X_base + r0 + 28)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 28);
                    int32_t pA3_ahead = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                    for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                        int32_t k = A3_crd[pA3];
                        double A_val = A_vals[pA3];
                        int64_t Y_base = (int64_t)k * X2_dimension;
                        *(f64x4 *)(Y_vals + Y_base + r0) += A_val * kept;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 4) += A_val * kept0;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 8) += A_val * kept1;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 12) += A_val * kept2;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 16) += A_val * kept3;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 20) += A_val * kept4;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 24) += A_val * kept5;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 28) += A_val * kept6;
                        int64_t Y_vals_next = (int64_t)A3_crd[pA3 + pA3_ahead] * X2_dimension + r0;
                        __builtin_prefetch(Y_vals + Y_vals_next);
                        __builtin_prefetch(Y_vals + Y_vals_next + 8);
                        __builtin_prefetch(Y_vals + Y_vals_next + 16);
                        __builtin_prefetch(Y_vals + Y_vals_next + 24);
                    }
                }
                if (r0 < X2_dimension - 15) {
                    f64x4 kept7 = *(const f64x4 *)(X_vals + X_base + r0)
                        * *(const f64x4 *)(Z_vals + Z_base + r0);
                    f64x4 kept8 = *(const f64x4 *)(X_vals + X_base + r0 + 4)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 4);
                    f64x4 kept9 = *(const f64x4 *)(X_vals + X_base + r0 + 8)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 8);
                    f64x4 kept10 = *(const f64x4 *)(X_vals + X_base + r0 + 12)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 12);
                    int32_t pA3_ahead0 = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                    for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                        int32_t k = A3_crd[pA3];
                        double A_val = A_vals[pA3];
                        int64_t Y_base = (int64_t)k * X2_dimension;
                        *(f64x4 *)(Y_vals + Y_base + r0) += A_val * kept7;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 4) += A_val * kept8;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 8) += A_val * kept9;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 12) += A_val * kept10;
                        int64_t Y_vals_next0 = (int64_t)A3_crd[pA3 + pA3_ahead0] * X2_dimension
                            + r0;
                        __builtin_prefetch(Y_vals + Y_vals_next0);
                        __builtin_prefetch(Y_vals + Y_vals_next0 + 8);
                    }
                    r0 += 16;
                }
                if (r0 < X2_dimension - 7) {
                    f64x4 kept11 = *(const f64x4 *)(X_vals + X_base + r0)
                        * *(const f64x4 *)(Z_vals + Z_base + r0);
                    f64x4 kept12 = *(const f64x4 *)(X_vals + X_base + r0 + 4)
                        * *(const f64x4 *)(Z_vals + Z_base + r0 + 4);
                    int32_t pA3_ahead1 = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                    for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                        int32_t k = A3_crd[pA3];
                        double A_val = A_vals[pA3];
                        int64_t Y_base = (int64_t)k * X2_dimension;
                        *(f64x4 *)(Y_vals + Y_base + r0) += A_val * kept11;
                        *(f64x4 *)(Y_vals + Y_base + r0 + 4) += A_val * kept12;
                        int64_t Y_vals_next1 = (int64_t)A3_crd[pA3 + pA3_ahead1] * X2_dimension
                            + r0;
                        __builtin_prefetch(Y_vals + Y_vals_next1);
                    }
                    r0 += 8;
                }
                if (r0 < X2_dimension - 3) {
                    f64x4 kept13 = *(const f64x4 *)(X_vals + X_base + r0)
                        * *(const f64x4 *)(Z_vals + Z_base + r0);
                    int32_t pA3_ahead2 = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                    for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                        int32_t k = A3_crd[pA3];
                        double A_val = A_vals[pA3];
                        int64_t Y_base = (int64_t)k * X2_dimension;
                        *(f64x4 *)(Y_vals + Y_base + r0) += A_val * kept13;
                        int64_t Y_vals_next2 = (int64_t)A3_crd[pA3 + pA3_ahead2] * X2_dimension
                            + r0;
                        __builtin_prefetch(Y_vals + Y_vals_next2);
                    }
                    r0 += 4;
                }
                if (r0 < X2_dimension) {
                    for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                        int32_t k = A3_crd[pA3];
                        double A_val = A_vals[pA3];
                        int64_t Y_base = (int64_t)k * X2_dimension;
                        for (int32_t r = r0; r < X2_dimension; r++)
                            Y_vals[Y_base + r] += A_val * X_vals[X_base + r] * Z_vals[Z_base + r];
                    }
                }
            }
        }
    }
    return 0;
}
