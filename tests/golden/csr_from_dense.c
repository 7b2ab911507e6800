/* B(i,j) = A(i,j)
 *     B        f64   ds
 *     A        f64   dd
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(i,j)' -f 'B:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   B2_pos_out    B, level 2 (compressed): where each segment begins and ends
 *   B2_crd_out    B, level 2 (compressed): coordinates
 *   B_vals_out    B's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *restrict A_vals,
             int32_t **B2_pos_out, int32_t **B2_crd_out, double **B_vals_out)
{
    int32_t *B2_pos = NULL, *B2_crd = NULL;
    double *B_vals = NULL;
    int status = 1;
    int64_t pB2 = 0;
    int64_t B2_capacity;
    B2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!B2_pos)
        goto fail;
    B2_pos[0] = 0;
    B2_capacity = (int64_t)A1_dimension * A2_dimension;
    B2_crd = (int32_t *)allocate_array(B2_capacity, sizeof(int32_t));
    B_vals = (double *)allocate_array(B2_capacity, sizeof(double));
    if (!B2_crd || !B_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t A_base = (int64_t)i * A2_dimension;
        for (int32_t j = 0; j < A2_dimension; j++) {
            B_vals[pB2] = A_vals[A_base + j];
            B2_crd[pB2] = j;
            pB2++;
        }
        B2_pos[i + 1] = (int32_t)pB2;
    }
    if (pB2 > 2147483647) {
        status = 2;
        goto fail;
    }
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
    return status;
}
