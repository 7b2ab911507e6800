/* s = A(i,j) * B(i,j)
 *     s        f64   dense
 *     A        f64   ds
 *     B        f64   ds
 * made by spcc VERSION with
 *     spcc 's = A(i,j) * B(i,j)' -f 'A:csr' -f 'B:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   s_vals        s's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, double *s_vals)
{
    (void)A2_dimension;
    double s_val = 0.0;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i], pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
            if (jA == jB)
                s_val += A_vals[pA2++] * B_vals[pB2++];
            else if (jA < jB)
                pA2++;
            else
                pB2++;
        }
    }
    s_vals[0] = s_val;
    return 0;
}
