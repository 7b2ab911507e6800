/* Y(i,r) = d(i) * A(i,j) * X(j,r)
 *     Y        f64   dd
 *     d        f64   d
 *     A        f64   ds
 *     X        f64   dd
 * schedule: precompute(t, w, {r,r,rp}, dense); sequence(w); reorder(j, rp)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = d(i) * A(i,j) * X(j,r)' -f 'A:csr' -d r:16
 *
 *   d1_dimension  size of mode 1 of d: the range of i
 *   d_vals        d's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   X2_dimension  size of mode 2 of X: the range of r, which must be 16
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t d1_dimension, const double *restrict d_vals, int32_t A2_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, int32_t X2_dimension, const double *restrict X_vals,
             double *restrict Y_vals)
{
    (void)A2_dimension;
    (void)X2_dimension;
    int32_t pA2_last = A2_pos[d1_dimension];
    for (int32_t i = 0; i < d1_dimension; i++) {
        double d_val = d_vals[i];
        int64_t Y_base = (int64_t)i * 16;
        f64x4 Y_vals0 = {0};
        f64x4 Y_vals1 = {0};
        f64x4 Y_vals2 = {0};
        f64x4 Y_vals3 = {0};
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int64_t X_base = (int64_t)j * 16;
            Y_vals0 += A_val * *(const f64x4 *)(X_vals + X_base);
            Y_vals1 += A_val * *(const f64x4 *)(X_vals + X_base + 4);
            Y_vals2 += A_val * *(const f64x4 *)(X_vals + X_base + 8);
            Y_vals3 += A_val * *(const f64x4 *)(X_vals + X_base + 12);
            int64_t X_vals_next = (int64_t)A2_crd[pA2 + pA2_ahead] * 16;
            __builtin_prefetch(X_vals + X_vals_next);
            __builtin_prefetch(X_vals + X_vals_next + 8);
        }
        Y_vals0 *= d_val - (f64x4){0};
        Y_vals1 *= d_val - (f64x4){0};
        Y_vals2 *= d_val - (f64x4){0};
        Y_vals3 *= d_val - (f64x4){0};
        *(f64x4 *)(Y_vals + Y_base) = Y_vals0;
        *(f64x4 *)(Y_vals + Y_base + 4) = Y_vals1;
        *(f64x4 *)(Y_vals + Y_base + 8) = Y_vals2;
        *(f64x4 *)(Y_vals + Y_base + 12) = Y_vals3;
    }
    return 0;
}
