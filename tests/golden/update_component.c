/* A(2,3) += 5
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(2,3) += 5' -f 'A:csr'
 *
 *   A1_dimension  size of mode 1 of A, larger than 2
 *   A2_dimension  size of mode 2 of A, larger than 3
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 3 where a size is too small for an index that the
 * statement names, or 5 where a result, which stays as it was, does not store a component that
 * would change.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/search_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, double *restrict A_vals)
{
    int status = 1;
    int64_t pA_before2;
    double A_before_val;
    if (A1_dimension <= 2) {
        status = 3;
        goto fail;
    }
    if (A2_dimension <= 3) {
        status = 3;
        goto fail;
    }
    pA_before2 = search_i32(A2_crd, A2_pos[2], A2_pos[3], 3);
    A_before_val = pA_before2 >= 0 ? A_vals[pA_before2] : 0.0;
    if (pA_before2 < 0 && A_before_val + 5.0 != 0.0) {
        status = 5;
        goto fail;
    }
    if (pA_before2 >= 0)
        A_vals[pA_before2] = A_before_val + 5.0;
    return 0;

fail:
    return status;
}
