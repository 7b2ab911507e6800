/* Y(i,r) = A(i,k) * X(k,r)
 *     Y        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: bound(r,rb,32,exact); reorder(i, k, rb)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = A(i,k) * X(k,r)' -f 'A:csr' -s 'bound(r,rb,32,exact)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   X2_dimension  size of mode 2 of X: the range of r
 *   X_vals        X's values
 *   Y_vals        Y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 4 where a size is not what the schedule's bounds
 * say.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t X2_dimension,
             const double *restrict X_vals, double *restrict Y_vals)
{
    (void)A2_dimension;
    int status = 1;
    int32_t pA2_last = A2_pos[A1_dimension];
    if ((int64_t)X2_dimension != 32) {
        status = 4;
        goto fail;
    }
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t Y_base = (int64_t)i * 32;
        f64x4 Y_vals0 = {0};
        f64x4 Y_vals1 = {0};
        f64x4 Y_vals2 = {0};
        f64x4 Y_vals3 = {0};
        f64x4 Y_vals4 = {0};
        f64x4 Y_vals5 = {0};
        f64x4 Y_vals6 = {0};
        f64x4 Y_vals7 = {0};
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int64_t X_base = (int64_t)k * 32;
            Y_vals0 += A_val * *(const f64x4 *)(X_vals + X_base);
            Y_vals1 += A_val * *(const f64x4 *)(X_vals + X_base + 4);
            Y_vals2 += A_val * *(const f64x4 *)(X_vals + X_base + 8);
            Y_vals3 += A_val * *(const f64x4 *)(X_vals + X_base + 12);
            Y_vals4 += A_val * *(const f64x4 *)(X_vals + X_base + 16);
            Y_vals5 += A_val * *(const f64x4 *)(X_vals + X_base + 20);
            Y_vals6 += A_val * *(const f64x4 *)(X_vals + X_base + 24);
            Y_vals7 += A_val * *(const f64x4 *)(X_vals + X_base + 28);
            int64_t X_vals_next = (int64_t)A2_crd[pA2 + pA2_ahead] * 32;
            __builtin_prefetch(X_vals + X_vals_next);
            __builtin_prefetch(X_vals + X_vals_next + 8);
            __builtin_prefetch(X_vals + X_vals_next + 16);
            __builtin_prefetch(X_vals + X_vals_next + 24);
        }
        *(f64x4 *)(Y_vals + Y_base) = Y_vals0;
        *(f64x4 *)(Y_vals + Y_base + 4) = Y_vals1;
        *(f64x4 *)(Y_vals + Y_base + 8) = Y_vals2;
        *(f64x4 *)(Y_vals + Y_base + 12) = Y_vals3;
        *(f64x4 *)(Y_vals + Y_base + 16) = Y_vals4;
        *(f64x4 *)(Y_vals + Y_base + 20) = Y_vals5;
        *(f64x4 *)(Y_vals + Y_base + 24) = Y_vals6;
        *(f64x4 *)(Y_vals + Y_base + 28) = Y_vals7;
    }
    return 0;

fail:
    return status;
}
