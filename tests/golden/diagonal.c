/* d(i) = A(i,i)
 *     d        f64   d
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'd(i) = A(i,i)' -f 'A:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   d_vals        d's values
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
int evaluate(int32_t A1_dimension, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, double *restrict d_vals)
{
    memset(d_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t pA2 = search_i32(A2_crd, A2_pos[i], A2_pos[i + 1], i);
        if (pA2 >= 0)
            d_vals[i] = A_vals[pA2];
    }
    return 0;
}
