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
    memset(Y_vals, 0, (size_t)((int64_t)A3_dimension * X2_dimension) * sizeof(double));
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        int64_t X_base = (int64_t)i * X2_dimension;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            int64_t Z_base = (int64_t)j * X2_dimension;
            int32_t pA3_ahead = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
            for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                int32_t k = A3_crd[pA3];
                double A_val = A_vals[pA3];
                int64_t Y_base = (int64_t)k * X2_dimension;
                for (int64_t line = 0; line < X2_dimension; line += 8) {
                    __builtin_prefetch(Y_vals + (int64_t)A3_crd[pA3 + pA3_ahead] * X2_dimension
                        + (int32_t)line);
                }
                for (int32_t r = 0; r < X2_dimension; r++)
                    Y_vals[Y_base + r] += A_val * X_vals[X_base + r] * Z_vals[Z_base + r];
            }
        }
    }
    return 0;
}
