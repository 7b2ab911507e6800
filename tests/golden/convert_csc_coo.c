/* B(i,j) = A(i,j)
 *     B        f64   uq
 *     A        f64   ds:1,0
 * schedule: precompute(A(i,j), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(i,j)' -f 'A:csc' -f 'B:coo'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B1_pos_out    B, level 1 (compressed): where each segment begins and ends
 *   B1_crd_out    B, level 1 (compressed): coordinates
 *   B2_crd_out    B, level 2 (singleton): coordinates
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t **B1_pos_out,
             int32_t **B1_crd_out, int32_t **B2_crd_out, double **B_vals_out)
{
    int32_t *B1_pos = NULL, *B1_crd = NULL, *B2_crd = NULL;
    double *B_vals = NULL;
    int32_t *w2_pos = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int32_t *w2_next = NULL;
    int status = 1;
    int64_t pw2_count = 0;
    int32_t pB2 = 0;
    int32_t B2_capacity;
    int32_t pA2_last = A2_pos[A2_dimension];
    w2_next = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    memset(w2_next, 0, (size_t)A1_dimension * sizeof(int32_t));
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A2_dimension]; pA2++) {
        int32_t ip = A2_crd[pA2];
        w2_next[ip]++;
    }
    w2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!w2_pos)
        goto fail;
    w2_pos[0] = 0;
    for (int64_t pw2_parent = 0; pw2_parent < A1_dimension; pw2_parent++) {
        int64_t pw2_children = w2_next[pw2_parent];
        w2_next[pw2_parent] = (int32_t)pw2_count;
        pw2_count += pw2_children;
        w2_pos[pw2_parent + 1] = (int32_t)pw2_count;
    }
    if (pw2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    w2_crd = (int32_t *)allocate_array(pw2_count, sizeof(int32_t));
    w_vals = (double *)allocate_array(pw2_count, sizeof(double));
    if (!w2_crd || !w_vals)
        goto fail;
    for (int32_t jp = 0; jp < A2_dimension; jp++) {
        int32_t pA2_ahead = A2_pos[jp + 1] <= pA2_last - 48 ? 48 : 0;
        if ((int64_t)A1_dimension > 32768) {
            for (int32_t pA2 = A2_pos[jp]; pA2 < A2_pos[jp + 1]; pA2++) {
                int64_t w2_crd_next = A2_crd[pA2 + pA2_ahead];
                int32_t w2_crd_target = w2_next[w2_crd_next];
                __builtin_prefetch(w2_crd + w2_crd_target);
                __builtin_prefetch(w_vals + w2_crd_target);
                int32_t ip = A2_crd[pA2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = A_vals[pA2];
            }
        } else {
            int32_t pA2 = A2_pos[jp];
            int32_t pA2_end = A2_pos[jp + 1];
            for (; pA2 < pA2_end - 3; pA2 += 4) {
                int32_t ip = A2_crd[pA2];
                int32_t ip_2 = A2_crd[pA2 + 1];
                int32_t ip_3 = A2_crd[pA2 + 2];
                int32_t ip_4 = A2_crd[pA2 + 3];
                double A_vals_here = A_vals[pA2];
                double A_vals_here_2 = A_vals[pA2 + 1];
                double A_vals_here_3 = A_vals[pA2 + 2];
                double A_vals_here_4 = A_vals[pA2 + 3];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = A_vals_here;
                int64_t w_parent_2 = ip_2;
                int32_t pw2_2 = w2_next[w_parent_2];
                w2_next[w_parent_2]++;
                w2_crd[pw2_2] = jp;
                w_vals[pw2_2] = A_vals_here_2;
                int64_t w_parent_3 = ip_3;
                int32_t pw2_3 = w2_next[w_parent_3];
                w2_next[w_parent_3]++;
                w2_crd[pw2_3] = jp;
                w_vals[pw2_3] = A_vals_here_3;
                int64_t w_parent_4 = ip_4;
                int32_t pw2_4 = w2_next[w_parent_4];
                w2_next[w_parent_4]++;
                w2_crd[pw2_4] = jp;
                w_vals[pw2_4] = A_vals_here_4;
            }
            for (; pA2 < pA2_end; pA2++) {
                int32_t ip = A2_crd[pA2];
                double A_vals_here = A_vals[pA2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = A_vals_here;
            }
        }
    }
    SPCC_FREE(w2_next); w2_next = NULL;
    B1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!B1_pos)
        goto fail;
    B1_pos[0] = 0;
    B2_capacity = w2_pos[A1_dimension];
    B1_crd = (int32_t *)allocate_array(B2_capacity, sizeof(int32_t));
    B2_crd = (int32_t *)allocate_array(B2_capacity, sizeof(int32_t));
    B_vals = (double *)allocate_array(B2_capacity, sizeof(double));
    if (!B1_crd || !B2_crd || !B_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        for (int32_t pw2 = w2_pos[i]; pw2 < w2_pos[i + 1]; pw2++) {
            int32_t j = w2_crd[pw2];
            B_vals[pB2] = w_vals[pw2];
            B1_crd[pB2] = i;
            B2_crd[pB2] = j;
            pB2++;
        }
    }
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    B1_pos[1] = pB2;
    *B1_pos_out = B1_pos;
    *B1_crd_out = B1_crd;
    *B2_crd_out = B2_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B1_pos);
    SPCC_FREE(B1_crd);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B_vals);
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w2_next);
    *B1_pos_out = NULL;
    *B1_crd_out = NULL;
    *B2_crd_out = NULL;
    *B_vals_out = NULL;
    return status;
}
