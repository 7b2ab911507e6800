/* B(i,j) = select(A(i,j) > 0.5, A(i,j), 0)
 *     B        f64   ds
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'B(i,j) = select(A(i,j) > 0.5, A(i,j), 0)' -f 'A:csr' -f 'B:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos_out    B, level 2 (compressed): where each segment begins and ends
 *   B2_crd_out    B, level 2 (compressed): coordinates
 *   B_vals_out    B's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/allocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t **B2_pos_out,
             int32_t **B2_crd_out, double **B_vals_out)
{
    (void)A2_dimension;
    int32_t *B2_pos = NULL, *B2_crd = NULL;
    double *B_vals = NULL;
    int32_t nB = A2_pos[A1_dimension];
    B2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!B2_pos)
        goto fail;
    for (int64_t at = 0; at < (int64_t)A1_dimension + 1; at++)
        B2_pos[at] = A2_pos[at];
    B2_crd = (int32_t *)allocate_array(nB, sizeof(int32_t));
    if (!B2_crd)
        goto fail;
    for (int32_t at = 0; at < nB; at++)
        B2_crd[at] = A2_crd[at];
    B_vals = (double *)allocate_array(nB, sizeof(double));
    if (!B_vals)
        goto fail;
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A1_dimension]; pA2++)
        B_vals[pA2] = A_vals[pA2] > 0.5 ? A_vals[pA2] : 0.0;
    *B2_pos_out = B2_pos;
    *B2_crd_out = B2_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B2_pos);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B_vals);
    *B2_pos_out = NULL;
    *B2_crd_out = NULL;
    *B_vals_out = NULL;
    return 1;
}
