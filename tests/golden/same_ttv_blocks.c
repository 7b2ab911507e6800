/* Z(i,j) = X(i,j,k) * v(k)
 *     Z        f64   (i,j) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8))
 *     X        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8), k : compressed(pos=u64))
 *     v        f64   d
 * promised, and not checked: one pattern: X,Z
 * schedule: split(i, io, ii, down, 128); split(j, jo, ji, down, 128); reorder(io, jo, ii, ji, k)
 * made by spcc VERSION with
 *     spcc 'Z(i,j) = X(i,j,k) * v(k)' -f 'X:(i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(crd=u8), k : compressed(pos=u64))' -f 'Z:hicoo(128)' --same 'X,Z' --kernel=compute
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
 *   v_vals        v's values
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
            const uint64_t *restrict X5_pos, const int32_t *restrict X5_crd,
            const double *restrict X_vals, const double *restrict v_vals,
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
    (void)Z1_pos;
    (void)Z1_crd;
    (void)Z2_crd;
    (void)Z3_pos;
    (void)Z3_crd;
    (void)Z4_crd;
    for (int64_t pX4 = (int64_t)X3_pos[(int64_t)X1_pos[0]]; pX4
         < (int64_t)X3_pos[(int64_t)X1_pos[1]]; pX4++) {
        double Z_val = 0.0;
        int64_t pX5 = (int64_t)X5_pos[pX4];
        int64_t pX5_end = (int64_t)X5_pos[pX4 + 1];
        if (pX5 < pX5_end - 3) {
            f64x4 Z_val0 = {0};
            for (; pX5 < pX5_end - 3; pX5 += 4)
                Z_val0 += *(const f64x4 *)(X_vals + pX5)
                    * (f64x4){v_vals[X5_crd[pX5]], v_vals[X5_crd[pX5 + 1]], v_vals[X5_crd[pX5 + 2]],
                    v_vals[X5_crd[pX5 + 3]]};
            Z_val += Z_val0[0] + Z_val0[2] + (Z_val0[1] + Z_val0[3]);
        }
        #pragma GCC unroll 1
        for (; pX5 < pX5_end; pX5++) {
            int32_t k = X5_crd[pX5];
            Z_val += X_vals[pX5] * v_vals[k];
        }
        Z_vals[pX4] = Z_val;
    }
    return 0;
}
