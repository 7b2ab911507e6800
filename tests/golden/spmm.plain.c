/* Y(i,r) = A(i,j) * X(j,r)
 *     Y        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: reorder(i, j, r)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = A(i,j) * X(j,r)' -f 'A:csr' --plain
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

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t X2_dimension,
             const double *X_vals, double *Y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        memset(Y_vals + (int64_t)i * X2_dimension, 0, (size_t)X2_dimension * sizeof(double));
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            for (int32_t r = 0; r < X2_dimension; r++)
                Y_vals[(int64_t)i * X2_dimension + r] += A_val
                    * X_vals[(int64_t)j * X2_dimension + r];
        }
    }
    return 0;
}
