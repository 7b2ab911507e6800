/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     B        f64   uq
 * schedule: collect(A, w)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:dia' -f 'B:coo'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B_vals        B's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
 *   A_vals_out    A's values
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
#include <stdbool.h>
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

#include "helpers/min_i64.c"
#include "helpers/shl_i64.c"
#include "helpers/shr_i64.c"
#include "helpers/max_i32.c"
#include "helpers/allocate_array.c"
#include "helpers/sort_run_i32.c"
#include "helpers/sort_merge_i32.c"
#include "helpers/sort_runs_i32.c"
#include "helpers/sort_width.c"
#include "helpers/sort_places.c"
#include "helpers/sort_digits.c"
#include "helpers/sort_by_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             double **A_vals_out)
{
    int32_t *A1_pos = NULL, *A1_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_order = NULL, *w_other = NULL, *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL;
    double *w_sorted = NULL;
    int32_t pA1 = 0;
    int32_t nA1 = 0;
    int32_t pB1, pB1_end, A1_capacity, pw1, pw1_end;
    int32_t d2_size = max_i32(B2_dimension + B1_dimension - 1, 0);
    int32_t nw = 0;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!w1_pos)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    w2_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w2_crd)
        goto fail;
    w3_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w3_crd)
        goto fail;
    w_vals = (double *)allocate_array(B1_pos[1], sizeof(double));
    if (!w_vals)
        goto fail;
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    for (int32_t pB2 = pB1; pB2 < pB1_end; pB2++) {
        int32_t i = B1_crd[pB2];
        int32_t j = B2_crd[pB2];
        int32_t d2 = j - i;
        w1_crd[nw] = d2;
        w2_crd[nw] = i;
        w3_crd[nw] = j;
        w_vals[nw] = B_vals[pB2];
        nw++;
    }
    w_order = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_other = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_place = (int64_t *)allocate_array(4096, sizeof(int64_t));
    if (!w_order || !w_other || !w_place)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    sort_by_i32(0, nw, w1_crd, 1 - B1_dimension, d2_size, w_order, w_other, w_place);
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w1_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w1_sorted[pw] = w1_crd[w_order[pw]];
    SPCC_FREE(w1_crd); w1_crd = NULL;
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w2_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w2_sorted[pw] = w2_crd[w_order[pw]];
    SPCC_FREE(w2_crd); w2_crd = NULL;
    w3_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w3_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w3_sorted[pw] = w3_crd[w_order[pw]];
    SPCC_FREE(w3_crd); w3_crd = NULL;
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w_sorted[pw] = w_vals[w_order[pw]];
    SPCC_FREE(w_vals); w_vals = NULL;
    SPCC_FREE(w_order); w_order = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    A1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!A1_pos)
        goto fail;
    A1_pos[0] = 0;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1])
            nA1++;
    }
    A1_capacity = nA1;
    A1_crd = (int32_t *)allocate_array(A1_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array((int64_t)A1_capacity * B1_dimension, sizeof(double));
    if (!A1_crd || !A_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t d = w1_sorted[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == d)
            pw1_next++;
        int64_t A_base = (int64_t)pA1 * B1_dimension;
        memset(A_vals + A_base, 0, (size_t)B1_dimension * sizeof(double));
        for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
            int32_t ic = w2_sorted[pw2];
            int32_t jc = ic + d;
            if (w3_sorted[pw2] == jc)
                A_vals[A_base + ic] = w_sorted[pw2];
        }
        A1_crd[pA1] = d;
        pA1++;
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w_sorted);
    A1_pos[1] = pA1;
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A1_pos);
    SPCC_FREE(A1_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w3_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w_order);
    SPCC_FREE(w_other);
    SPCC_FREE(w_place);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w_sorted);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A_vals_out = NULL;
    return 1;
}
