/* B(i,j,k) = A(i,j,k)
 *     B        f64   sss
 *     A        f64   sss
 * made by spcc VERSION with
 *     spcc 'B(i,j,k) = A(i,j,k)' -f 'A:csf' -f 'B:csf'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A_vals        A's values
 *   B1_pos_out    B, level 1 (compressed): where each segment begins and ends
 *   B1_crd_out    B, level 1 (compressed): coordinates
 *   B2_pos_out    B, level 2 (compressed): where each segment begins and ends
 *   B2_crd_out    B, level 2 (compressed): coordinates
 *   B3_pos_out    B, level 3 (compressed): where each segment begins and ends
 *   B3_crd_out    B, level 3 (compressed): coordinates
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const int32_t *restrict A3_pos, const int32_t *restrict A3_crd,
             const double *restrict A_vals, int32_t **B1_pos_out, int32_t **B1_crd_out,
             int32_t **B2_pos_out, int32_t **B2_crd_out, int32_t **B3_pos_out, int32_t **B3_crd_out,
             double **B_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    (void)A3_dimension;
    int32_t *B1_pos = NULL, *B1_crd = NULL, *B2_pos = NULL, *B2_crd = NULL, *B3_pos = NULL,
            *B3_crd = NULL;
    double *B_vals = NULL;
    int32_t nB2, nB;
    int32_t nB1 = A1_pos[1];
    B1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!B1_pos)
        goto fail;
    for (int64_t at = 0; at < 2; at++)
        B1_pos[at] = A1_pos[at];
    B1_crd = (int32_t *)allocate_array(nB1, sizeof(int32_t));
    if (!B1_crd)
        goto fail;
    for (int32_t at = 0; at < nB1; at++)
        B1_crd[at] = A1_crd[at];
    nB2 = A2_pos[A1_pos[1]];
    B2_pos = (int32_t *)allocate_array(nB1 + 1, sizeof(int32_t));
    if (!B2_pos)
        goto fail;
    for (int32_t at = 0; at < nB1 + 1; at++)
        B2_pos[at] = A2_pos[at];
    B2_crd = (int32_t *)allocate_array(nB2, sizeof(int32_t));
    if (!B2_crd)
        goto fail;
    for (int32_t at = 0; at < nB2; at++)
        B2_crd[at] = A2_crd[at];
    nB = A3_pos[A2_pos[A1_pos[1]]];
    B3_pos = (int32_t *)allocate_array(nB2 + 1, sizeof(int32_t));
    if (!B3_pos)
        goto fail;
    for (int32_t at = 0; at < nB2 + 1; at++)
        B3_pos[at] = A3_pos[at];
    B3_crd = (int32_t *)allocate_array(nB, sizeof(int32_t));
    if (!B3_crd)
        goto fail;
    for (int32_t at = 0; at < nB; at++)
        B3_crd[at] = A3_crd[at];
    B_vals = (double *)allocate_array(nB, sizeof(double));
    if (!B_vals)
        goto fail;
    for (int32_t pA3 = A3_pos[A2_pos[A1_pos[0]]]; pA3 < A3_pos[A2_pos[A1_pos[1]]]; pA3++)
        B_vals[pA3] = A_vals[pA3];
    *B1_pos_out = B1_pos;
    *B1_crd_out = B1_crd;
    *B2_pos_out = B2_pos;
    *B2_crd_out = B2_crd;
    *B3_pos_out = B3_pos;
    *B3_crd_out = B3_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B1_pos);
    SPCC_FREE(B1_crd);
    SPCC_FREE(B2_pos);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B3_pos);
    SPCC_FREE(B3_crd);
    SPCC_FREE(B_vals);
    *B1_pos_out = NULL;
    *B1_crd_out = NULL;
    *B2_pos_out = NULL;
    *B2_crd_out = NULL;
    *B3_pos_out = NULL;
    *B3_crd_out = NULL;
    *B_vals_out = NULL;
    return 1;
}
