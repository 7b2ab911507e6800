/* Y(i,r) = A(i,j) * X(j,r)
 *     Y        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: reorder(i, j, r)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = A(i,j) * X(j,r)' -f 'A:csr' --vector=512
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
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

#ifdef __clang__ /* which halves vectors otherwise on some processors */
#pragma clang attribute push(__attribute__((min_vector_width(512))), apply_to = function)
#endif
typedef double f64x8 __attribute__((vector_size(64), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t X2_dimension,
             const double *restrict X_vals, double *restrict Y_vals)
{
    (void)A2_dimension;
    int32_t pA2_last = A2_pos[A1_dimension];
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t Y_base = (int64_t)i * X2_dimension;
        int32_t r0 = 0;
        for (; r0 < X2_dimension - 31; r0 += 32) {
            f64x8 Y_vals0 = {0};
            f64x8 Y_vals1 = {0};
            f64x8 Y_vals2 = {0};
            f64x8 Y_vals3 = {0};
            int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                int64_t X_base = (int64_t)j * X2_dimension;
                Y_vals0 += A_val * *(const f64x8 *)(X_vals + X_base + r0);
                Y_vals1 += A_val * *(const f64x8 *)(X_vals + X_base + r0 + 8);
                Y_vals2 += A_val * *(const f64x8 *)(X_vals + X_base + r0 + 16);
                Y_vals3 += A_val * *(const f64x8 *)(X_vals + X_base + r0 + 24);
                int64_t X_vals_next = (int64_t)A2_crd[pA2 + pA2_ahead] * X2_dimension + r0;
                __builtin_prefetch(X_vals + X_vals_next);
                __builtin_prefetch(X_vals + X_vals_next + 8);
                __builtin_prefetch(X_vals + X_vals_next + 16);
                __builtin_prefetch(X_vals + X_vals_next + 24);
            }
            *(f64x8 *)(Y_vals + Y_base + r0) = Y_vals0;
            *(f64x8 *)(Y_vals + Y_base + r0 + 8) = Y_vals1;
            *(f64x8 *)(Y_vals + Y_base + r0 + 16) = Y_vals2;
            *(f64x8 *)(Y_vals + Y_base + r0 + 24) = Y_vals3;
        }
        if (r0 < X2_dimension - 15) {
            f64x8 Y_vals4 = {0};
            f64x8 Y_vals5 = {0};
            int32_t pA2_ahead0 = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                int64_t X_base = (int64_t)j * X2_dimension;
                Y_vals4 += A_val * *(const f64x8 *)(X_vals + X_base + r0);
                Y_vals5 += A_val * *(const f64x8 *)(X_vals + X_base + r0 + 8);
                int64_t X_vals_next0 = (int64_t)A2_crd[pA2 + pA2_ahead0] * X2_dimension + r0;
                __builtin_prefetch(X_vals + X_vals_next0);
                __builtin_prefetch(X_vals + X_vals_next0 + 8);
            }
            *(f64x8 *)(Y_vals + Y_base + r0) = Y_vals4;
            *(f64x8 *)(Y_vals + Y_base + r0 + 8) = Y_vals5;
            r0 += 16;
        }
        if (r0 < X2_dimension - 7) {
            f64x8 Y_vals6 = {0};
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                int64_t X_base = (int64_t)j * X2_dimension;
                Y_vals6 += A_val * *(const f64x8 *)(X_vals + X_base + r0);
            }
            *(f64x8 *)(Y_vals + Y_base + r0) = Y_vals6;
            r0 += 8;
        }
        if (r0 < X2_dimension) {
            for (int32_t r = r0; r < X2_dimension; r++)
                Y_vals[Y_base + r] = 0.0;
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                int64_t X_base = (int64_t)j * X2_dimension;
                for (int32_t r = r0; r < X2_dimension; r++)
                    Y_vals[Y_base + r] += A_val * X_vals[X_base + r];
            }
        }
    }
    return 0;
}
#ifdef __clang__
#pragma clang attribute pop
#endif
