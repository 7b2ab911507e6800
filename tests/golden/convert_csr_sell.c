/* B(i,j) = A(i,j)
 *     B        f64   (i,j) -> (i/4 : dense, i%4 : ragged, j : singleton(padded))
 *     A        f64   ds
 * schedule: reorder(i, j)
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(i,j)' -f 'A:csr' -f 'B:sell(4)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos_out    B, level 2 (ragged): where the positions below each parent begin and end
 *   B3_crd_out    B, level 3 (singleton(padded)): coordinates, -1 where there is none
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
#include <string.h>

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
#include "helpers/max_i64.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t **B2_pos_out,
             int32_t **B3_crd_out, double **B_vals_out)
{
    (void)A2_dimension;
    int32_t *B2_pos = NULL, *B3_crd = NULL;
    double *B_vals = NULL;
    int32_t *B3_next = NULL;
    int status = 1;
    int64_t pB2_count = 0;
    int32_t io_size = A1_dimension / 4 + (A1_dimension % 4 > 0);
    B3_next = (int32_t *)allocate_array((int64_t)io_size * 4, sizeof(int32_t));
    if (!B3_next)
        goto fail;
    memset(B3_next, 0, (size_t)((int64_t)io_size * 4) * sizeof(int32_t));
    for (int32_t i = 0; i < A1_dimension; i++) {
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
            B3_next[i]++;
    }
    B2_pos = (int32_t *)allocate_array((int64_t)io_size + 1, sizeof(int32_t));
    if (!B2_pos)
        goto fail;
    B2_pos[0] = 0;
    for (int64_t pB2_parent = 0; pB2_parent < io_size; pB2_parent++) {
        int64_t pB2_rounds = 0;
        int64_t B3_base = pB2_parent * 4;
        for (int64_t pB2_slot = 0; pB2_slot < 4; pB2_slot++) {
            pB2_rounds = max_i64(pB2_rounds, (uint32_t)B3_next[B3_base + pB2_slot]);
            B3_next[B3_base + pB2_slot] = (int32_t)(pB2_count + pB2_slot);
        }
        pB2_count += pB2_rounds * 4;
        B2_pos[pB2_parent + 1] = (int32_t)pB2_count;
    }
    if (pB2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    B3_crd = (int32_t *)allocate_array(pB2_count, sizeof(int32_t));
    B_vals = (double *)allocate_array(pB2_count, sizeof(double));
    if (!B3_crd || !B_vals)
        goto fail;
    for (int64_t at = 0; at < pB2_count; at++)
        B3_crd[at] = -1;
    memset(B_vals, 0, (size_t)pB2_count * sizeof(double));
    for (int32_t i = 0; i < A1_dimension; i++) {
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            int64_t B_parent = i;
            int32_t pB3 = B3_next[B_parent];
            B3_next[B_parent] += 4;
            B3_crd[pB3] = j;
            B_vals[pB3] = A_vals[pA2];
        }
    }
    SPCC_FREE(B3_next);
    *B2_pos_out = B2_pos;
    *B3_crd_out = B3_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B2_pos);
    SPCC_FREE(B3_crd);
    SPCC_FREE(B_vals);
    SPCC_FREE(B3_next);
    *B2_pos_out = NULL;
    *B3_crd_out = NULL;
    *B_vals_out = NULL;
    return status;
}
