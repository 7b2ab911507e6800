/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds:1,0
 * schedule: precompute(B(i,j), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'A:csr' -f 'B:csc' -f 'C:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int32_t *w2_pos = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int32_t *w2_next = NULL;
    int status = 1;
    int64_t pw2_count = 0;
    int64_t pC2 = 0;
    int64_t C2_capacity;
    int32_t pB2_last = B2_pos[A2_dimension];
    w2_next = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    memset(w2_next, 0, (size_t)A1_dimension * sizeof(int32_t));
    for (int32_t pB2 = B2_pos[0]; pB2 < B2_pos[A2_dimension]; pB2++) {
        int32_t ip = B2_crd[pB2];
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
        int32_t pB2_ahead = B2_pos[jp + 1] <= pB2_last - 48 ? 48 : 0;
        if ((int64_t)A1_dimension > 32768) {
            for (int32_t pB2 = B2_pos[jp]; pB2 < B2_pos[jp + 1]; pB2++) {
                int64_t w2_crd_next = B2_crd[pB2 + pB2_ahead];
                int32_t w2_crd_target = w2_next[w2_crd_next];
                __builtin_prefetch(w2_crd + w2_crd_target);
                __builtin_prefetch(w_vals + w2_crd_target);
                int32_t ip = B2_crd[pB2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals[pB2];
            }
        } else {
            int32_t pB2 = B2_pos[jp];
            int32_t pB2_end = B2_pos[jp + 1];
            for (; pB2 < pB2_end - 3; pB2 += 4) {
                int32_t ip = B2_crd[pB2];
                int32_t ip_2 = B2_crd[pB2 + 1];
                int32_t ip_3 = B2_crd[pB2 + 2];
                int32_t ip_4 = B2_crd[pB2 + 3];
                double B_vals_here = B_vals[pB2];
                double B_vals_here_2 = B_vals[pB2 + 1];
                double B_vals_here_3 = B_vals[pB2 + 2];
                double B_vals_here_4 = B_vals[pB2 + 3];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals_here;
                int64_t w_parent_2 = ip_2;
                int32_t pw2_2 = w2_next[w_parent_2];
                w2_next[w_parent_2]++;
                w2_crd[pw2_2] = jp;
                w_vals[pw2_2] = B_vals_here_2;
                int64_t w_parent_3 = ip_3;
                int32_t pw2_3 = w2_next[w_parent_3];
                w2_next[w_parent_3]++;
                w2_crd[pw2_3] = jp;
                w_vals[pw2_3] = B_vals_here_3;
                int64_t w_parent_4 = ip_4;
                int32_t pw2_4 = w2_next[w_parent_4];
                w2_next[w_parent_4]++;
                w2_crd[pw2_4] = jp;
                w_vals[pw2_4] = B_vals_here_4;
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t ip = B2_crd[pB2];
                double B_vals_here = B_vals[pB2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals_here;
            }
        }
    }
    SPCC_FREE(w2_next); w2_next = NULL;
    C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_capacity = (int64_t)A2_pos[A1_dimension] + w2_pos[A1_dimension];
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t pw2 = w2_pos[i];
        int32_t pw2_end = w2_pos[i + 1];
        while (pA2 < pA2_end && pw2 < pw2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jw = w2_crd[pw2];
            if (jA == jw) {
                C_vals[pC2] = A_vals[pA2] + w_vals[pw2];
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
                pw2++;
            } else if (jA < jw) {
                C_vals[pC2] = A_vals[pA2];
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
            } else {
                C_vals[pC2] = w_vals[pw2];
                C2_crd[pC2] = jw;
                pC2++;
                pw2++;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            C_vals[pC2] = A_vals[pA2];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (; pw2 < pw2_end; pw2++) {
            int32_t j = w2_crd[pw2];
            C_vals[pC2] = w_vals[pw2];
            C2_crd[pC2] = j;
            pC2++;
        }
        C2_pos[i + 1] = (int32_t)pC2;
    }
    SPCC_FREE(w2_pos); w2_pos = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    if (pC2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w2_next);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
