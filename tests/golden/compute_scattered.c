/* A(i,j) = B(j,i)
 *     A        f64   ds
 *     B        f64   ds
 * schedule: reorder(j, i)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(j,i)' -f 'A:csr' -f 'B:csr' -s 'reorder(j, i)' --kernel=compute --no-plan
 *
 *   B1_dimension  size of mode 1 of B: the range of j
 *   B2_dimension  size of mode 2 of B: the range of i
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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

#include "helpers/search_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int compute(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
            const int32_t *restrict B2_crd, const double *restrict B_vals,
            const int32_t *restrict A2_pos, const int32_t *restrict A2_crd, double *restrict A_vals)
{
    memset(A_vals, 0, (size_t)A2_pos[B2_dimension] * sizeof(double));
    for (int32_t j = 0; j < B1_dimension; j++) {
        for (int32_t pB2 = B2_pos[j]; pB2 < B2_pos[j + 1]; pB2++) {
            int32_t i = B2_crd[pB2];
            int64_t pA2 = search_i32(A2_crd, A2_pos[i], A2_pos[i + 1], j);
            if (pA2 >= 0)
                A_vals[pA2] = B_vals[pB2];
        }
    }
    return 0;
}
