/* A(i,j) = 2 * B(i,j) * B(i,j)
 *     A        f64   ds
 *     B        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(i,j) = 2 * B(i,j) * B(i,j)' -f 'A:csr' -f 'B:csr' --kernel=compute
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   A_vals        A's values: it has the pattern of B
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
int compute(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
            const int32_t *restrict B2_crd, const double *restrict B_vals, double *restrict A_vals)
{
    (void)B2_dimension;
    (void)B2_crd;
    for (int32_t pB2 = B2_pos[0]; pB2 < B2_pos[B1_dimension]; pB2++)
        A_vals[pB2] = 2.0 * B_vals[pB2] * B_vals[pB2];
    return 0;
}
