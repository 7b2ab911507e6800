/* y(i) = A(i,3)
 *     y        f64   d
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,3)' -f 'A:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A, larger than 3
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 3 where a size is too small for an index that the
 * statement names.
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, double *restrict y_vals)
{
    int status = 1;
    if (A2_dimension <= 3) {
        status = 3;
        goto fail;
    }
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t pA2 = search_i32(A2_crd, A2_pos[i], A2_pos[i + 1], 3);
        if (pA2 >= 0)
            y_vals[i] = A_vals[pA2];
    }
    return 0;

fail:
    return status;
}
