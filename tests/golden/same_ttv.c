/* Z(i,j) = X(i,j,k) * v(k)
 *     Z        f64   ss
 *     X        f64   sss
 *     v        f64   d
 * promised, and not checked: one pattern: X,Z
 * made by spcc VERSION with
 *     spcc 'Z(i,j) = X(i,j,k) * v(k)' -f 'X:csf' -f 'Z:dcsr' --same 'X,Z' --kernel=compute
 *
 *   X1_dimension  size of mode 1 of X: the range of i
 *   X2_dimension  size of mode 2 of X: the range of j
 *   X3_dimension  size of mode 3 of X: the range of k
 *   X1_pos        X, level 1 (compressed): where each segment begins and ends
 *   X1_crd        X, level 1 (compressed): coordinates
 *   X2_pos        X, level 2 (compressed): where each segment begins and ends
 *   X2_crd        X, level 2 (compressed): coordinates
 *   X3_pos        X, level 3 (compressed): where each segment begins and ends
 *   X3_crd        X, level 3 (compressed): coordinates
 *   X_vals        X's values
 *   v_vals        v's values
 *   Z1_pos        Z, level 1 (compressed): where each segment begins and ends
 *   Z1_crd        Z, level 1 (compressed): coordinates
 *   Z2_pos        Z, level 2 (compressed): where each segment begins and ends
 *   Z2_crd        Z, level 2 (compressed): coordinates
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
            const int32_t *restrict X1_pos, const int32_t *restrict X1_crd,
            const int32_t *restrict X2_pos, const int32_t *restrict X2_crd,
            const int32_t *restrict X3_pos, const int32_t *restrict X3_crd,
            const double *restrict X_vals, const double *restrict v_vals,
            const int32_t *restrict Z1_pos, const int32_t *restrict Z1_crd,
            const int32_t *restrict Z2_pos, const int32_t *restrict Z2_crd, double *restrict Z_vals)
{
    (void)X1_dimension;
    (void)X2_dimension;
    (void)X3_dimension;
    (void)X1_crd;
    (void)X2_crd;
    (void)Z1_pos;
    (void)Z1_crd;
    (void)Z2_pos;
    (void)Z2_crd;
    for (int32_t pX2 = X2_pos[X1_pos[0]]; pX2 < X2_pos[X1_pos[1]]; pX2++) {
        double Z_val = 0.0;
        int32_t pX3 = X3_pos[pX2];
        int32_t pX3_end = X3_pos[pX2 + 1];
        if (pX3 < pX3_end - 3) {
            f64x4 Z_val0 = {0};
            for (; pX3 < pX3_end - 3; pX3 += 4)
                Z_val0 += *(const f64x4 *)(X_vals + pX3)
                    * (f64x4){v_vals[X3_crd[pX3]], v_vals[X3_crd[pX3 + 1]], v_vals[X3_crd[pX3 + 2]],
                    v_vals[X3_crd[pX3 + 3]]};
            Z_val += Z_val0[0] + Z_val0[2] + (Z_val0[1] + Z_val0[3]);
        }
        #pragma GCC unroll 1
        for (; pX3 < pX3_end; pX3++) {
            int32_t k = X3_crd[pX3];
            Z_val += X_vals[pX3] * v_vals[k];
        }
        Z_vals[pX2] = Z_val;
    }
    return 0;
}
