/* A(i,j) = B(i,j)
 *     A        f64   ds:1,0
 *     B        f64   ds
 * schedule: reorder(i, j)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:csc' -f 'B:csr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *A2_next = NULL;
    int status = 1;
    int64_t pA2_count = 0;
    int32_t pB2_last = B2_pos[B1_dimension];
    A2_next = (int32_t *)allocate_array(B2_dimension, sizeof(int32_t));
    if (!A2_next)
        goto fail;
    memset(A2_next, 0, (size_t)B2_dimension * sizeof(int32_t));
    for (int32_t pB2 = B2_pos[0]; pB2 < B2_pos[B1_dimension]; pB2++) {
        int32_t j = B2_crd[pB2];
        A2_next[j]++;
    }
    A2_pos = (int32_t *)allocate_array((int64_t)B2_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    for (int64_t pA2_parent = 0; pA2_parent < B2_dimension; pA2_parent++) {
        int64_t pA2_children = A2_next[pA2_parent];
        A2_next[pA2_parent] = (int32_t)pA2_count;
        pA2_count += pA2_children;
        A2_pos[pA2_parent + 1] = (int32_t)pA2_count;
    }
    if (pA2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    A2_crd = (int32_t *)allocate_array(pA2_count, sizeof(int32_t));
    A_vals = (double *)allocate_array(pA2_count, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 48 ? 48 : 0;
        if ((int64_t)B2_dimension > 32768) {
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int64_t A2_crd_next = B2_crd[pB2 + pB2_ahead];
                int32_t A2_crd_target = A2_next[A2_crd_next];
                __builtin_prefetch(A2_crd + A2_crd_target);
                __builtin_prefetch(A_vals + A2_crd_target);
                int32_t j = B2_crd[pB2];
                int64_t A_parent = j;
                int32_t pA2 = A2_next[A_parent];
                A2_next[A_parent]++;
                A2_crd[pA2] = i;
                A_vals[pA2] = B_vals[pB2];
            }
        } else {
            int32_t pB2 = B2_pos[i];
            int32_t pB2_end = B2_pos[i + 1];
            for (; pB2 < pB2_end - 3; pB2 += 4) {
                int32_t j = B2_crd[pB2];
                int32_t j_2 = B2_crd[pB2 + 1];
                int32_t j_3 = B2_crd[pB2 + 2];
                int32_t j_4 = B2_crd[pB2 + 3];
                double B_vals_here = B_vals[pB2];
                double B_vals_here_2 = B_vals[pB2 + 1];
                double B_vals_here_3 = B_vals[pB2 + 2];
                double B_vals_here_4 = B_vals[pB2 + 3];
                int64_t A_parent = j;
                int32_t pA2 = A2_next[A_parent];
                A2_next[A_parent]++;
                A2_crd[pA2] = i;
                A_vals[pA2] = B_vals_here;
                int64_t A_parent_2 = j_2;
                int32_t pA2_2 = A2_next[A_parent_2];
                A2_next[A_parent_2]++;
                A2_crd[pA2_2] = i;
                A_vals[pA2_2] = B_vals_here_2;
                int64_t A_parent_3 = j_3;
                int32_t pA2_3 = A2_next[A_parent_3];
                A2_next[A_parent_3]++;
                A2_crd[pA2_3] = i;
                A_vals[pA2_3] = B_vals_here_3;
                int64_t A_parent_4 = j_4;
                int32_t pA2_4 = A2_next[A_parent_4];
                A2_next[A_parent_4]++;
                A2_crd[pA2_4] = i;
                A_vals[pA2_4] = B_vals_here_4;
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t j = B2_crd[pB2];
                double B_vals_here = B_vals[pB2];
                int64_t A_parent = j;
                int32_t pA2 = A2_next[A_parent];
                A2_next[A_parent]++;
                A2_crd[pA2] = i;
                A_vals[pA2] = B_vals_here;
            }
        }
    }
    SPCC_FREE(A2_next);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(A2_next);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
