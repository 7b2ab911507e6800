/* C(i,j,k) = A(i,j,k) * B(j,k)
 *     C        f64   (i,j,k) -> (i : compressed, j : compressed(nonunique), k : compressed(most=4))
 *     A        f64   sss
 *     B        f64   dd
 * made by spcc VERSION with
 *     spcc 'C(i,j,k) = A(i,j,k) * B(j,k)' -f 'A:csf' -f 'C:bcsf(4)'
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
 *   B_vals        B's values
 *   C1_pos_out    C, level 1 (compressed): where each segment begins and ends
 *   C1_crd_out    C, level 1 (compressed): coordinates
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C3_pos_out    C, level 3 (compressed): where each segment begins and ends
 *   C3_crd_out    C, level 3 (compressed): coordinates
 *   C_vals_out    C's values
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
#include "helpers/max_i64.c"
#include "helpers/reallocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const int32_t *restrict A3_pos, const int32_t *restrict A3_crd,
             const double *restrict A_vals, const double *restrict B_vals, int32_t **C1_pos_out,
             int32_t **C1_crd_out, int32_t **C2_pos_out, int32_t **C2_crd_out, int32_t **C3_pos_out,
             int32_t **C3_crd_out, double **C_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    int32_t *C1_pos = NULL, *C1_crd = NULL, *C2_pos = NULL, *C2_crd = NULL, *C3_pos = NULL,
            *C3_crd = NULL;
    double *C_vals = NULL;
    int64_t *C_from = NULL;
    int32_t *C2_crd_before = NULL, *C3_pos_before = NULL;
    int status = 1;
    int32_t pC1 = 0;
    int32_t pC2 = 0;
    int32_t pC3 = 0;
    int32_t C1_capacity, C2_capacity, C3_capacity;
    int64_t C_made = 0;
    int64_t C_parents;
    C1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!C1_pos)
        goto fail;
    C1_pos[0] = 0;
    C1_capacity = A1_pos[1];
    C1_crd = (int32_t *)allocate_array(C1_capacity, sizeof(int32_t));
    C2_pos = (int32_t *)allocate_array((int64_t)C1_capacity + 1, sizeof(int32_t));
    if (!C1_crd || !C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_capacity = A2_pos[A1_pos[1]];
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C3_pos = (int32_t *)allocate_array((int64_t)C2_capacity + 1, sizeof(int32_t));
    if (!C2_crd || !C3_pos)
        goto fail;
    C3_pos[0] = 0;
    C3_capacity = A3_pos[A2_pos[A1_pos[1]]];
    C3_crd = (int32_t *)allocate_array(C3_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C3_capacity, sizeof(double));
    if (!C3_crd || !C_vals)
        goto fail;
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        int32_t pC2_begin = pC2;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            int32_t pC3_begin = pC3;
            int64_t B_base = (int64_t)j * A3_dimension;
            for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                int32_t k = A3_crd[pA3];
                C_vals[pC3] = A_vals[pA3] * B_vals[B_base + k];
                C3_crd[pC3] = k;
                pC3++;
            }
            if (pC3_begin < pC3) {
                C2_crd[pC2] = j;
                C3_pos[pC2 + 1] = pC3;
                pC2++;
            }
        }
        if (pC2_begin < pC2) {
            C1_crd[pC1] = i;
            C2_pos[pC1 + 1] = pC2;
            pC1++;
        }
    }
    C1_pos[1] = pC1;
    C_parents = C2_pos[C1_pos[1]];
    C_from = (int64_t *)allocate_array(C_parents + 1, sizeof(int64_t));
    if (!C_from)
        goto fail;
    for (int64_t C_at = 0; C_at < C_parents; C_at++) {
        C_from[C_at] = C_made;
        C_made += max_i64((int64_t)(C3_pos[C_at + 1] - C3_pos[C_at]) - 1, 0) / 4 + 1;
    }
    C_from[C_parents] = C_made;
    if (C_made > C_parents) {
        if (C_made > 2147483647) {
            status = 2;
            goto fail;
        }
        C2_crd_before = (int32_t *)allocate_array(C_parents, sizeof(int32_t));
        if (!C2_crd_before)
            goto fail;
        for (int64_t at = 0; at < C_parents; at++)
            C2_crd_before[at] = C2_crd[at];
        C2_crd = (int32_t *)reallocate_array(C2_crd, C_made, sizeof(int32_t));
        if (!C2_crd)
            goto fail;
        for (int64_t C_at = 0; C_at < C_parents; C_at++) {
            for (int64_t C_part = C_from[C_at]; C_part < C_from[C_at + 1]; C_part++)
                C2_crd[C_part] = C2_crd_before[C_at];
        }
        SPCC_FREE(C2_crd_before); C2_crd_before = NULL;
        C3_pos_before = (int32_t *)allocate_array(C_parents + 1, sizeof(int32_t));
        if (!C3_pos_before)
            goto fail;
        for (int64_t at = 0; at < C_parents + 1; at++)
            C3_pos_before[at] = C3_pos[at];
        C3_pos = (int32_t *)reallocate_array(C3_pos, C_made + 1, sizeof(int32_t));
        if (!C3_pos)
            goto fail;
        for (int64_t C_at = 0; C_at < C_parents; C_at++) {
            for (int64_t C_part = C_from[C_at]; C_part < C_from[C_at + 1]; C_part++)
                C3_pos[C_part] = C3_pos_before[C_at] + (int32_t)((C_part - C_from[C_at]) * 4);
        }
        C3_pos[C_made] = C3_pos_before[C_parents];
        SPCC_FREE(C3_pos_before); C3_pos_before = NULL;
        int64_t C_ends = (int64_t)C1_pos[1] + 1;
        for (int64_t C_at = 0; C_at < C_ends; C_at++)
            C2_pos[C_at] = (int32_t)C_from[C2_pos[C_at]];
    }
    SPCC_FREE(C_from);
    *C1_pos_out = C1_pos;
    *C1_crd_out = C1_crd;
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C3_pos_out = C3_pos;
    *C3_crd_out = C3_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C1_pos);
    SPCC_FREE(C1_crd);
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C3_pos);
    SPCC_FREE(C3_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(C_from);
    SPCC_FREE(C2_crd_before);
    SPCC_FREE(C3_pos_before);
    *C1_pos_out = NULL;
    *C1_crd_out = NULL;
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C3_pos_out = NULL;
    *C3_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
