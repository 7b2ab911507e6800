/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   dd
 *     B        f64   ds
 *     C        f64   ds
 * schedule: reorder(i,k,j)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'B:csr' -f 'C:csr' -s 'reorder(i,k,j)' --plain --no-plan
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
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
             const int32_t *C2_pos, const int32_t *C2_crd, const double *C_vals, double *A_vals)
{
    (void)B2_dimension;
    for (int32_t i = 0; i < B1_dimension; i++) {
        memset(A_vals + (int64_t)i * C2_dimension, 0, (size_t)C2_dimension * sizeof(double));
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            for (int32_t pC2 = C2_pos[k]; pC2 < C2_pos[k + 1]; pC2++)
                A_vals[(int64_t)i * C2_dimension + C2_crd[pC2]] += B_val * C_vals[pC2];
        }
    }
    return 0;
}
