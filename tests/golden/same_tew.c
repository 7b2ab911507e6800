/* Z(i,j,k) = X(i,j,k) * W(i,j,k)
 *     Z        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton(nonunique), k/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(nonunique, crd=u8), k%128 : singleton(crd=u8))
 *     X        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton(nonunique), k/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(nonunique, crd=u8), k%128 : singleton(crd=u8))
 *     W        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton(nonunique), k/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(nonunique, crd=u8), k%128 : singleton(crd=u8))
 * promised, and not checked: one pattern: X,W
 * schedule: split(i, io, ii, down, 128); split(j, jo, ji, down, 128); split(k, ko, ki, down, 128); reorder(io, jo, ko, ii, ji, ki)
 * made by spcc VERSION with
 *     spcc 'Z(i,j,k) = X(i,j,k) * W(i,j,k)' -f 'X:hicoo(128)' -f 'W:hicoo(128)' -f 'Z:hicoo(128)' --same 'X,W' --kernel=compute
 *
 *   X1_dimension  size of mode 1 of X: the range of i
 *   X2_dimension  size of mode 2 of X: the range of j
 *   X3_dimension  size of mode 3 of X: the range of k
 *   X1_pos        X, level 1 (compressed): where each segment begins and ends
 *   X1_crd        X, level 1 (compressed): coordinates
 *   X2_crd        X, level 2 (singleton): coordinates
 *   X3_crd        X, level 3 (singleton): coordinates
 *   X4_pos        X, level 4 (compressed): where each segment begins and ends
 *   X4_crd        X, level 4 (compressed): coordinates
 *   X5_crd        X, level 5 (singleton): coordinates
 *   X6_crd        X, level 6 (singleton): coordinates
 *   X_vals        X's values
 *   W1_pos        W, level 1 (compressed): where each segment begins and ends
 *   W1_crd        W, level 1 (compressed): coordinates
 *   W2_crd        W, level 2 (singleton): coordinates
 *   W3_crd        W, level 3 (singleton): coordinates
 *   W4_pos        W, level 4 (compressed): where each segment begins and ends
 *   W4_crd        W, level 4 (compressed): coordinates
 *   W5_crd        W, level 5 (singleton): coordinates
 *   W6_crd        W, level 6 (singleton): coordinates
 *   W_vals        W's values
 *   Z_vals        Z's values: it has the pattern of W
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int compute(int32_t X1_dimension, int32_t X2_dimension, int32_t X3_dimension,
            const uint64_t *restrict X1_pos, const int32_t *restrict X1_crd,
            const int32_t *restrict X2_crd, const int32_t *restrict X3_crd,
            const uint64_t *restrict X4_pos, const uint8_t *restrict X4_crd,
            const uint8_t *restrict X5_crd, const uint8_t *restrict X6_crd,
            const double *restrict X_vals, const uint64_t *restrict W1_pos,
            const int32_t *restrict W1_crd, const int32_t *restrict W2_crd,
            const int32_t *restrict W3_crd, const uint64_t *restrict W4_pos,
            const uint8_t *restrict W4_crd, const uint8_t *restrict W5_crd,
            const uint8_t *restrict W6_crd, const double *restrict W_vals, double *restrict Z_vals)
{
    (void)X1_dimension;
    (void)X2_dimension;
    (void)X3_dimension;
    (void)X1_pos;
    (void)X1_crd;
    (void)X2_crd;
    (void)X3_crd;
    (void)X4_pos;
    (void)X4_crd;
    (void)X5_crd;
    (void)X6_crd;
    (void)W1_crd;
    (void)W2_crd;
    (void)W3_crd;
    (void)W4_crd;
    (void)W5_crd;
    (void)W6_crd;
    int64_t pW1 = (int64_t)W1_pos[0];
    int64_t pW1_end = (int64_t)W1_pos[1];
    for (int64_t pW6 = (int64_t)W4_pos[pW1]; pW6 < (int64_t)W4_pos[pW1_end]; pW6++)
        Z_vals[pW6] = W_vals[pW6] * X_vals[pW6];
    return 0;
}
