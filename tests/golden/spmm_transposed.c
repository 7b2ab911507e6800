/* Y(j,r) = A(i,j) * X(i,r)
 *     Y        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: reorder(i, j, r)
 * made by spcc VERSION with
 *     spcc 'Y(j,r) = A(i,j) * X(i,r)' -f 'A:csr'
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
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t X2_dimension,
             const double *restrict X_vals, double *restrict Y_vals)
{
    int32_t pA2_last = A2_pos[A1_dimension];
    memset(Y_vals, 0, (size_t)((int64_t)A2_dimension * X2_dimension) * sizeof(double));
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t X_base = (int64_t)i * X2_dimension;
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int64_t Y_base = (int64_t)j * X2_dimension;
            for (int64_t line = 0; line < X2_dimension; line += 8) {
                __builtin_prefetch(Y_vals + (int64_t)A2_crd[pA2 + pA2_ahead] * X2_dimension
                    + (int32_t)line);
            }
            for (int32_t r = 0; r < X2_dimension; r++)
                Y_vals[Y_base + r] += A_val * X_vals[X_base + r];
        }
    }
    return 0;
}
