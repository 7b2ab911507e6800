/* A(i,r) = B(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     B        f64   sss
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i, k, l, r)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = B(i,k,l) * C(k,r) * D(l,r)' -f 'B:csf' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of r
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

int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, int32_t C2_dimension, const double *C_vals, const double *D_vals,
             double *A_vals)
{
    (void)B2_dimension; (void)B3_dimension;
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * C2_dimension) * sizeof(double));
    for (int32_t pB1 = B1_pos[0]; pB1 < B1_pos[1]; pB1++) {
        int32_t i = B1_crd[pB1];
        for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                int32_t l = B3_crd[pB3];
                double B_val = B_vals[pB3];
                for (int32_t r = 0; r < C2_dimension; r++)
                    A_vals[(int64_t)i * C2_dimension + r] += B_val
                        * C_vals[(int64_t)k * C2_dimension + r]
                        * D_vals[(int64_t)l * C2_dimension + r];
            }
        }
    }
    return 0;
}
