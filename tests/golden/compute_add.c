/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --kernel=compute --name=add_values
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int add_values(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
               const int32_t *restrict B2_crd, const double *restrict B_vals,
               const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
               const double *restrict C_vals, const int32_t *restrict A2_pos,
               const int32_t *restrict A2_crd, double *restrict A_vals)
{
    (void)B2_dimension;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pC2 = C2_pos[i];
        int32_t pC2_end = C2_pos[i + 1];
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            while (pB2 < pB2_end && B2_crd[pB2] < j)
                pB2++;
            bool B_here = pB2 < pB2_end && B2_crd[pB2] == j;
            while (pC2 < pC2_end && C2_crd[pC2] < j)
                pC2++;
            bool C_here = pC2 < pC2_end && C2_crd[pC2] == j;
            if (B_here && C_here)
                A_vals[pA2] = B_vals[pB2] + C_vals[pC2];
            else if (B_here)
                A_vals[pA2] = B_vals[pB2];
            else if (C_here)
                A_vals[pA2] = C_vals[pC2];
            else
                A_vals[pA2] = 0.0;
        }
    }
    return 0;
}
