/* A(i,j) = B(i,j) * C(i,k) * D(k,j)
 *     A        f64   dd
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(k,j)' -f 'B:csr' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k
 *   C_vals        C's values
 *   D_vals        D's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, int32_t C2_dimension,
             const double *C_vals, const double *D_vals, double *A_vals)
{
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * B2_dimension) * sizeof(double));
    for (int32_t i = 0; i < B1_dimension; i++) {
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t j = B2_crd[pB2];
            double B_val = B_vals[pB2], A_val = 0.0;
            for (int32_t k = 0; k < C2_dimension; k++)
                A_val += B_val * C_vals[(int64_t)i * C2_dimension + k]
                    * D_vals[(int64_t)k * B2_dimension + j];
            A_vals[(int64_t)i * B2_dimension + j] = A_val;
        }
    }
    return 0;
}
