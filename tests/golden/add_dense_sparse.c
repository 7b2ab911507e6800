/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   dd
 *     B        f64   ds
 *     C        f64   dd
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'B:csr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C_vals        C's values
 *   A_vals        A's values
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
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const double *restrict C_vals, double *restrict A_vals)
{
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t j = 0;
        int64_t A_base = (int64_t)i * B2_dimension;
        while (pB2 < pB2_end) {
            int32_t jB = B2_crd[pB2];
            if (jB == j)
                A_vals[A_base + j] = B_vals[pB2] + C_vals[A_base + j];
            else
                A_vals[A_base + j] = C_vals[A_base + j];
            pB2 += jB == j;
            j++;
        }
        for (int32_t j_2 = j; j_2 < B2_dimension; j_2++)
            A_vals[A_base + j_2] = C_vals[A_base + j_2];
    }
    return 0;
}
