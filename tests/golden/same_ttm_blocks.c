/* Z(i,j,r) = X(i,j,k) * U(k,r)
 *     Z        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8), k : dense)
 *     X        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8), k : compressed)
 *     U        f64   dd
 * promised, and not checked: one pattern: X,Z
 * schedule: split(i, io, ii, down, 128); split(j, jo, ji, down, 128); reorder(io, jo, ii, ji, k, r)
 * made by spcc VERSION with
 *     spcc 'Z(i,j,r) = X(i,j,k) * U(k,r)' -f 'X:(i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8), k : compressed)' -f 'Z:shicoo(128; 2)' --same 'X,Z' -d r:16 --kernel=compute
 *
 *   X1_dimension  size of mode 1 of X: the range of i
 *   X2_dimension  size of mode 2 of X: the range of j
 *   X3_dimension  size of mode 3 of X: the range of k
 *   X1_pos        X, level 1 (compressed): where each segment begins and ends
 *   X1_crd        X, level 1 (compressed): coordinates
 *   X2_crd        X, level 2 (singleton): coordinates
 *   X3_pos        X, level 3 (compressed): where each segment begins and ends
 *   X3_crd        X, level 3 (compressed): coordinates
 *   X4_crd        X, level 4 (singleton): coordinates
 *   X5_pos        X, level 5 (compressed): where each segment begins and ends
 *   X5_crd        X, level 5 (compressed): coordinates
 *   X_vals        X's values
 *   U2_dimension  size of mode 2 of U: the range of r, which must be 16
 *   U_vals        U's values
 *   Z1_pos        Z, level 1 (compressed): where each segment begins and ends
 *   Z1_crd        Z, level 1 (compressed): coordinates
 *   Z2_crd        Z, level 2 (singleton): coordinates
 *   Z3_pos        Z, level 3 (compressed): where each segment begins and ends
 *   Z3_crd        Z, level 3 (compressed): coordinates
 *   Z4_crd        Z, level 4 (singleton): coordinates
 *   Z_vals        Z's values
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
int compute(int32_t X1_dimension, int32_t X2_dimension, int32_t X3_dimension,
            const uint64_t *restrict X1_pos, const int32_t *restrict X1_crd,
            const int32_t *restrict X2_crd, const uint64_t *restrict X3_pos,
            const uint8_t *restrict X3_crd, const uint8_t *restrict X4_crd,
            const int32_t *restrict X5_pos, const int32_t *restrict X5_crd,
            const double *restrict X_vals, int32_t U2_dimension, const double *restrict U_vals,
            const uint64_t *restrict Z1_pos, const int32_t *restrict Z1_crd,
            const int32_t *restrict Z2_crd, const uint64_t *restrict Z3_pos,
            const uint8_t *restrict Z3_crd, const uint8_t *restrict Z4_crd, double *restrict Z_vals)
{
    (void)X1_dimension;
    (void)X2_dimension;
    (void)X3_dimension;
    (void)X1_crd;
    (void)X2_crd;
    (void)X3_crd;
    (void)X4_crd;
    (void)U2_dimension;
    (void)Z1_pos;
    (void)Z1_crd;
    (void)Z2_crd;
    (void)Z3_pos;
    (void)Z3_crd;
    (void)Z4_crd;
    int32_t pX5_last = X5_pos[(int64_t)X3_pos[(int64_t)X1_pos[1]]];
    for (int64_t pX4 = (int64_t)X3_pos[(int64_t)X1_pos[0]]; pX4
         < (int64_t)X3_pos[(int64_t)X1_pos[1]]; pX4++) {
        int64_t Z_base = pX4 * 16;
        f64x4 Z_vals0 = {0};
        f64x4 Z_vals1 = {0};
        f64x4 Z_vals2 = {0};
        f64x4 Z_vals3 = {0};
        int32_t pX5_ahead = X5_pos[pX4 + 1] <= pX5_last - 16 ? 16 : 0;
        for (int32_t pX5 = X5_pos[pX4]; pX5 < X5_pos[pX4 + 1]; pX5++) {
            int32_t k = X5_crd[pX5];
            double X_val = X_vals[pX5];
            int64_t U_base = (int64_t)k * 16;
            Z_vals0 += X_val * *(const f64x4 *)(U_vals + U_base);
            Z_vals1 += X_val * *(const f64x4 *)(U_vals + U_base + 4);
            Z_vals2 += X_val * *(const f64x4 *)(U_vals + U_base + 8);
            Z_vals3 += X_val * *(const f64x4 *)(U_vals + U_base + 12);
            int64_t U_vals_next = (int64_t)X5_crd[pX5 + pX5_ahead] * 16;
            __builtin_prefetch(U_vals + U_vals_next);
            __builtin_prefetch(U_vals + U_vals_next + 8);
        }
        *(f64x4 *)(Z_vals + Z_base) = Z_vals0;
        *(f64x4 *)(Z_vals + Z_base + 4) = Z_vals1;
        *(f64x4 *)(Z_vals + Z_base + 8) = Z_vals2;
        *(f64x4 *)(Z_vals + Z_base + 12) = Z_vals3;
    }
    return 0;
}
