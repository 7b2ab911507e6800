/* C(i,j) = A(j,i)
 *     C        f64   ds
 *     A        f64   uq
 * schedule: reorder(j, i)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(j,i)' -f 'A:coo' -f 'C:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of j
 *   A2_dimension  size of mode 2 of A: the range of i
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A_vals        A's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
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
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
             const double *restrict A_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    (void)A1_dimension;
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int32_t *C2_next = NULL;
    int status = 1;
    int64_t pC2_count = 0;
    int32_t pA1, pA1_end, pA1_2, pA1_end_2;
    int32_t pA2_last = A1_pos[1];
    C2_next = (int32_t *)allocate_array(A2_dimension, sizeof(int32_t));
    if (!C2_next)
        goto fail;
    memset(C2_next, 0, (size_t)A2_dimension * sizeof(int32_t));
    pA1 = A1_pos[0];
    pA1_end = A1_pos[1];
    for (int32_t pA2 = pA1; pA2 < pA1_end; pA2++) {
        int32_t i = A2_crd[pA2];
        C2_next[i]++;
    }
    C2_pos = (int32_t *)allocate_array((int64_t)A2_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    for (int64_t pC2_parent = 0; pC2_parent < A2_dimension; pC2_parent++) {
        int64_t pC2_children = C2_next[pC2_parent];
        C2_next[pC2_parent] = (int32_t)pC2_count;
        pC2_count += pC2_children;
        C2_pos[pC2_parent + 1] = (int32_t)pC2_count;
    }
    if (pC2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    C2_crd = (int32_t *)allocate_array(pC2_count, sizeof(int32_t));
    C_vals = (double *)allocate_array(pC2_count, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    pA1_2 = A1_pos[0];
    pA1_end_2 = A1_pos[1];
    if ((int64_t)A2_dimension > 32768) {
        for (int32_t pA2 = pA1_2; pA2 < pA1_end_2; pA2++) {
            int64_t C2_crd_next = A2_crd[pA2 + min_i32(pA2_last - 1 - pA2, 48)];
            int32_t C2_crd_target = C2_next[C2_crd_next];
            __builtin_prefetch(C2_crd + C2_crd_target);
            __builtin_prefetch(C_vals + C2_crd_target);
            int32_t j = A1_crd[pA2];
            int32_t i = A2_crd[pA2];
            int64_t C_parent = i;
            int32_t pC2 = C2_next[C_parent];
            C2_next[C_parent]++;
            C2_crd[pC2] = j;
            C_vals[pC2] = A_vals[pA2];
        }
    } else {
        int32_t pA2 = pA1_2;
        for (; pA2 < pA1_end_2 - 3; pA2 += 4) {
            int32_t j = A1_crd[pA2];
            int32_t j_2 = A1_crd[pA2 + 1];
            int32_t j_3 = A1_crd[pA2 + 2];
            int32_t j_4 = A1_crd[pA2 + 3];
            int32_t i = A2_crd[pA2];
            int32_t i_2 = A2_crd[pA2 + 1];
            int32_t i_3 = A2_crd[pA2 + 2];
            int32_t i_4 = A2_crd[pA2 + 3];
            double A_vals_here = A_vals[pA2];
            double A_vals_here_2 = A_vals[pA2 + 1];
            double A_vals_here_3 = A_vals[pA2 + 2];
            double A_vals_here_4 = A_vals[pA2 + 3];
            int64_t C_parent = i;
            int32_t pC2 = C2_next[C_parent];
            C2_next[C_parent]++;
            C2_crd[pC2] = j;
            C_vals[pC2] = A_vals_here;
            int64_t C_parent_2 = i_2;
            int32_t pC2_2 = C2_next[C_parent_2];
            C2_next[C_parent_2]++;
            C2_crd[pC2_2] = j_2;
            C_vals[pC2_2] = A_vals_here_2;
            int64_t C_parent_3 = i_3;
            int32_t pC2_3 = C2_next[C_parent_3];
            C2_next[C_parent_3]++;
            C2_crd[pC2_3] = j_3;
            C_vals[pC2_3] = A_vals_here_3;
            int64_t C_parent_4 = i_4;
            int32_t pC2_4 = C2_next[C_parent_4];
            C2_next[C_parent_4]++;
            C2_crd[pC2_4] = j_4;
            C_vals[pC2_4] = A_vals_here_4;
        }
        for (; pA2 < pA1_end_2; pA2++) {
            int32_t j = A1_crd[pA2];
            int32_t i = A2_crd[pA2];
            double A_vals_here = A_vals[pA2];
            int64_t C_parent = i;
            int32_t pC2 = C2_next[C_parent];
            C2_next[C_parent]++;
            C2_crd[pC2] = j;
            C_vals[pC2] = A_vals_here;
        }
    }
    SPCC_FREE(C2_next);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(C2_next);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
