/* A(i,j) = B(i,j) + C(j,i)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: precompute(C(j,i), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(j,i)' -f 'A:csr' -f 'B:csr' -f 'C:csr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
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
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w2_pos = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int32_t *w2_next = NULL;
    int status = 1;
    int64_t pw2_count = 0;
    int64_t pA2 = 0;
    int64_t A2_capacity;
    int32_t pC2_last = C2_pos[B2_dimension];
    w2_next = (int32_t *)allocate_array(B1_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    memset(w2_next, 0, (size_t)B1_dimension * sizeof(int32_t));
    for (int32_t pC2 = C2_pos[0]; pC2 < C2_pos[B2_dimension]; pC2++) {
        int32_t ip = C2_crd[pC2];
        w2_next[ip]++;
    }
    w2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!w2_pos)
        goto fail;
    w2_pos[0] = 0;
    for (int64_t pw2_parent = 0; pw2_parent < B1_dimension; pw2_parent++) {
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
    for (int32_t jp = 0; jp < B2_dimension; jp++) {
        int32_t pC2_ahead = C2_pos[jp + 1] <= pC2_last - 48 ? 48 : 0;
        if ((int64_t)B1_dimension > 32768) {
            for (int32_t pC2 = C2_pos[jp]; pC2 < C2_pos[jp + 1]; pC2++) {
                int64_t w2_crd_next = C2_crd[pC2 + pC2_ahead];
                int32_t w2_crd_target = w2_next[w2_crd_next];
                __builtin_prefetch(w2_crd + w2_crd_target);
                __builtin_prefetch(w_vals + w2_crd_target);
                int32_t ip = C2_crd[pC2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = C_vals[pC2];
            }
        } else {
            int32_t pC2 = C2_pos[jp];
            int32_t pC2_end = C2_pos[jp + 1];
            for (; pC2 < pC2_end - 3; pC2 += 4) {
                int32_t ip = C2_crd[pC2];
                int32_t ip_2 = C2_crd[pC2 + 1];
                int32_t ip_3 = C2_crd[pC2 + 2];
                int32_t ip_4 = C2_crd[pC2 + 3];
                double C_vals_here = C_vals[pC2];
                double C_vals_here_2 = C_vals[pC2 + 1];
                double C_vals_here_3 = C_vals[pC2 + 2];
                double C_vals_here_4 = C_vals[pC2 + 3];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = C_vals_here;
                int64_t w_parent_2 = ip_2;
                int32_t pw2_2 = w2_next[w_parent_2];
                w2_next[w_parent_2]++;
                w2_crd[pw2_2] = jp;
                w_vals[pw2_2] = C_vals_here_2;
                int64_t w_parent_3 = ip_3;
                int32_t pw2_3 = w2_next[w_parent_3];
                w2_next[w_parent_3]++;
                w2_crd[pw2_3] = jp;
                w_vals[pw2_3] = C_vals_here_3;
                int64_t w_parent_4 = ip_4;
                int32_t pw2_4 = w2_next[w_parent_4];
                w2_next[w_parent_4]++;
                w2_crd[pw2_4] = jp;
                w_vals[pw2_4] = C_vals_here_4;
            }
            for (; pC2 < pC2_end; pC2++) {
                int32_t ip = C2_crd[pC2];
                double C_vals_here = C_vals[pC2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = C_vals_here;
            }
        }
    }
    SPCC_FREE(w2_next); w2_next = NULL;
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int64_t)B2_pos[B1_dimension] + w2_pos[B1_dimension];
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pw2 = w2_pos[i];
        int32_t pw2_end = w2_pos[i + 1];
        while (pB2 < pB2_end && pw2 < pw2_end) {
            int32_t jB = B2_crd[pB2];
            int32_t jw = w2_crd[pw2];
            if (jB == jw) {
                A_vals[pA2] = B_vals[pB2] + w_vals[pw2];
                A2_crd[pA2] = jB;
                pA2++;
                pB2++;
                pw2++;
            } else if (jB < jw) {
                A_vals[pA2] = B_vals[pB2];
                A2_crd[pA2] = jB;
                pA2++;
                pB2++;
            } else {
                A_vals[pA2] = w_vals[pw2];
                A2_crd[pA2] = jw;
                pA2++;
                pw2++;
            }
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2];
            A_vals[pA2] = B_vals[pB2];
            A2_crd[pA2] = j;
            pA2++;
        }
        for (; pw2 < pw2_end; pw2++) {
            int32_t j = w2_crd[pw2];
            A_vals[pA2] = w_vals[pw2];
            A2_crd[pA2] = j;
            pA2++;
        }
        A2_pos[i + 1] = (int32_t)pA2;
    }
    SPCC_FREE(w2_pos); w2_pos = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    if (pA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w2_next);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
