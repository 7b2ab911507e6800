/* A(i,j) = B(i,j)
 *     A        f64   hh
 *     B        f64   ds
 * schedule: collect(A, w)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:dok' -f 'B:csr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   A1_width_out  A, level 1 (hashed): slots for each parent
 *   A1_crd_out    A, level 1 (hashed): coordinates, -1 in empty slots
 *   A2_width_out  A, level 2 (hashed): slots for each parent
 *   A2_crd_out    A, level 2 (hashed): coordinates, -1 in empty slots
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
#include "helpers/probe_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t **A1_width_out,
             int32_t **A1_crd_out, int32_t **A2_width_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B2_dimension;
    int32_t *A1_width = NULL, *A1_crd = NULL, *A2_width = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int status = 1;
    int64_t A1_most = 0;
    int64_t A1_children = 0;
    int64_t pA1_width = 1;
    int64_t A2_most = 0;
    int64_t A2_children = 0;
    int64_t pA2_width = 1;
    int32_t nA1, nA2, pw1, pw1_end;
    int32_t nw = 0;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!w1_pos)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B2_pos[B1_dimension], sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    w2_crd = (int32_t *)allocate_array(B2_pos[B1_dimension], sizeof(int32_t));
    if (!w2_crd)
        goto fail;
    w_vals = (double *)allocate_array(B2_pos[B1_dimension], sizeof(double));
    if (!w_vals)
        goto fail;
    for (int32_t pB2 = B2_pos[0]; pB2 < B2_pos[B1_dimension]; pB2++) {
        int32_t j = B2_crd[pB2];
        w2_crd[nw + (pB2 - B2_pos[0])] = j;
        w_vals[nw + (pB2 - B2_pos[0])] = B_vals[pB2];
    }
    for (int32_t i = 0; i < B1_dimension; i++) {
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            w1_crd[nw] = i;
            nw++;
        }
    }
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_crd[pw] != w1_crd[pw - 1])
            A1_children++;
        A1_most = A1_most > A1_children ? A1_most : A1_children;
    }
    while (pA1_width / 2 < A1_most)
        pA1_width *= 2;
    if (pA1_width > 2147483647) {
        status = 2;
        goto fail;
    }
    nA1 = (int32_t)pA1_width;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_crd[pw] != w1_crd[pw - 1])
            A2_children = 0;
        if (pw == 0 || w1_crd[pw] != w1_crd[pw - 1] || w2_crd[pw] != w2_crd[pw - 1])
            A2_children++;
        A2_most = A2_most > A2_children ? A2_most : A2_children;
    }
    while (pA2_width / 2 < A2_most)
        pA2_width *= 2;
    if (pA2_width > 2147483647) {
        status = 2;
        goto fail;
    }
    nA2 = (int32_t)pA2_width;
    A1_crd = (int32_t *)allocate_array(nA1, sizeof(int32_t));
    A2_crd = (int32_t *)allocate_array((int64_t)nA1 * nA2, sizeof(int32_t));
    A_vals = (double *)allocate_array((int64_t)nA1 * nA2, sizeof(double));
    if (!A1_crd || !A2_crd || !A_vals)
        goto fail;
    for (int64_t at = 0; at < (int64_t)nA1; at++)
        A1_crd[at] = -1;
    for (int64_t at = 0; at < (int64_t)nA1 * nA2; at++)
        A2_crd[at] = -1;
    memset(A_vals, 0, (size_t)((int64_t)nA1 * nA2) * sizeof(double));
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t ic = w1_crd[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_crd[pw1_next] == ic)
            pw1_next++;
        int64_t pA1 = probe_i32(A1_crd, 0, nA1, ic);
        A1_crd[pA1] = ic;
        int64_t base = pA1 * nA2;
        for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
            int32_t jc = w2_crd[pw2];
            int64_t pA2 = probe_i32(A2_crd, base, nA2, jc);
            A2_crd[pA2] = jc;
            A_vals[pA2] = w_vals[pw2];
        }
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos); w1_pos = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    A1_width = (int32_t *)allocate_array(1, sizeof(int32_t));
    if (!A1_width)
        goto fail;
    A1_width[0] = nA1;
    A2_width = (int32_t *)allocate_array(1, sizeof(int32_t));
    if (!A2_width)
        goto fail;
    A2_width[0] = nA2;
    *A1_width_out = A1_width;
    *A1_crd_out = A1_crd;
    *A2_width_out = A2_width;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A1_width);
    SPCC_FREE(A1_crd);
    SPCC_FREE(A2_width);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    *A1_width_out = NULL;
    *A1_crd_out = NULL;
    *A2_width_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
