/* B(i,j,k) = -A(i,j,k)
 *     B        f64   uqq
 *     A        f64   sss
 * made by spcc VERSION with
 *     spcc 'B(i,j,k) = -A(i,j,k)' -f 'A:csf' -f 'B:coo'
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
 *   B2_crd_out    B, level 2 (singleton): coordinates
 *   B3_crd_out    B, level 3 (singleton): coordinates
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
             int32_t **B2_crd_out, int32_t **B3_crd_out, double **B_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    (void)A3_dimension;
    int32_t *B1_pos = NULL, *B1_crd = NULL, *B2_crd = NULL, *B3_crd = NULL;
    double *B_vals = NULL;
    int32_t pB3 = 0;
    int32_t B3_capacity;
    B1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!B1_pos)
        goto fail;
    B1_pos[0] = 0;
    B3_capacity = A3_pos[A2_pos[A1_pos[1]]];
    B1_crd = (int32_t *)allocate_array(B3_capacity, sizeof(int32_t));
    B2_crd = (int32_t *)allocate_array(B3_capacity, sizeof(int32_t));
    B3_crd = (int32_t *)allocate_array(B3_capacity, sizeof(int32_t));
    B_vals = (double *)allocate_array(B3_capacity, sizeof(double));
    if (!B1_crd || !B2_crd || !B3_crd || !B_vals)
        goto fail;
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        for (int32_t pA3 = A3_pos[A2_pos[pA1]]; pA3 < A3_pos[A2_pos[pA1 + 1]]; pA3++) {
            int32_t k = A3_crd[pA3];
            B_vals[pB3 + (pA3 - A3_pos[A2_pos[pA1]])] = -A_vals[pA3];
            B1_crd[pB3 + (pA3 - A3_pos[A2_pos[pA1]])] = i;
            B3_crd[pB3 + (pA3 - A3_pos[A2_pos[pA1]])] = k;
        }
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                B2_crd[pB3] = j;
                pB3++;
            }
        }
    }
    B1_pos[1] = pB3;
    *B1_pos_out = B1_pos;
    *B1_crd_out = B1_crd;
    *B2_crd_out = B2_crd;
    *B3_crd_out = B3_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B1_pos);
    SPCC_FREE(B1_crd);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B3_crd);
    SPCC_FREE(B_vals);
    *B1_pos_out = NULL;
    *B1_crd_out = NULL;
    *B2_crd_out = NULL;
    *B3_crd_out = NULL;
    *B_vals_out = NULL;
    return 1;
}
