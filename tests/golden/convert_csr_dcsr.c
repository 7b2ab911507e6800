/* B(i,j) = A(i,j)
 *     B        f64   ss
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(i,j)' -f 'A:csr' -f 'B:dcsr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B1_pos_out    B, level 1 (compressed): where each segment begins and ends
 *   B1_crd_out    B, level 1 (compressed): coordinates
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
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t **B1_pos_out,
             int32_t **B1_crd_out, int32_t **B2_pos_out, int32_t **B2_crd_out, double **B_vals_out)
{
    (void)A2_dimension;
    int32_t *B1_pos = NULL, *B1_crd = NULL, *B2_pos = NULL, *B2_crd = NULL;
    double *B_vals = NULL;
    int32_t pB1 = 0;
    int32_t pB2 = 0;
    int32_t B2_capacity;
    B1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!B1_pos)
        goto fail;
    B1_pos[0] = 0;
    B1_crd = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    B2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!B1_crd || !B2_pos)
        goto fail;
    B2_pos[0] = 0;
    B2_capacity = A2_pos[A1_dimension];
    B2_crd = (int32_t *)allocate_array(B2_capacity, sizeof(int32_t));
    B_vals = (double *)allocate_array(B2_capacity, sizeof(double));
    if (!B2_crd || !B_vals)
        goto fail;
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A1_dimension]; pA2++) {
        int32_t j = A2_crd[pA2];
        B_vals[pB2 + (pA2 - A2_pos[0])] = A_vals[pA2];
        B2_crd[pB2 + (pA2 - A2_pos[0])] = j;
    }
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pB2_begin = pB2;
        pB2 += A2_pos[i + 1] - A2_pos[i];
        if (pB2_begin < pB2) {
            B1_crd[pB1] = i;
            B2_pos[pB1 + 1] = pB2;
            pB1++;
        }
    }
    B1_pos[1] = pB1;
    *B1_pos_out = B1_pos;
    *B1_crd_out = B1_crd;
    *B2_pos_out = B2_pos;
    *B2_crd_out = B2_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B1_pos);
    SPCC_FREE(B1_crd);
    SPCC_FREE(B2_pos);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B_vals);
    *B1_pos_out = NULL;
    *B1_crd_out = NULL;
    *B2_pos_out = NULL;
    *B2_crd_out = NULL;
    *B_vals_out = NULL;
    return 1;
}
