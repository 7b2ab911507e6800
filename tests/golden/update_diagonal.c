/* A(i,i) += x(i)
 *     A        f64   ds
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'A(i,i) += x(i)' -f 'A:csr'
 *
 *   x1_dimension  size of mode 1 of x: the range of i
 *   x_vals        x's values
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 5 where a result, which stays as it was, does not
 * store a component that would change.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/search_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t x1_dimension, const double *restrict x_vals, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, double *restrict A_vals)
{
    int status = 1;
    for (int32_t i = 0; i < x1_dimension; i++) {
        int64_t pA_before2 = search_i32(A2_crd, A2_pos[i], A2_pos[i + 1], i);
        if (pA_before2 < 0) {
            if (x_vals[i] != 0.0) {
                status = 5;
                goto fail;
            }
        }
    }
    for (int32_t i = 0; i < x1_dimension; i++) {
        int64_t pA_before2 = search_i32(A2_crd, A2_pos[i], A2_pos[i + 1], i);
        if (pA_before2 >= 0)
            A_vals[pA_before2] += x_vals[i];
    }
    return 0;

fail:
    return status;
}
