/* y(i,j) = b(i) * A(i,j)
 *     y        f64   ds
 *     b        f64   (i) -> (i : compressed(nonunique, unordered))
 *     A        f64   ds
 * schedule: precompute(b(i) * A(i,j), w, {i,ic,ip}, {j,jc,jp}, coo)
 * made by spcc VERSION with
 *     spcc 'y(i,j) = b(i) * A(i,j)' -f 'b:(i) -> (i : compressed(nonunique, unordered))' -f 'A:csr' -f 'y:csr' -s 'precompute(b(i) * A(i,j), w, {i,ic,ip}, {j,jc,jp}, coo)'
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   y2_pos_out    y, level 2 (compressed): where each segment begins and ends
 *   y2_crd_out    y, level 2 (compressed): coordinates
 *   y_vals_out    y's values
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
#include "helpers/allocate_array.c"
#include "helpers/min_i32.c"
#include "helpers/reallocate_array.c"
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
int evaluate(int32_t b1_dimension, const int32_t *restrict b1_pos, const int32_t *restrict b1_crd,
             const double *restrict b_vals, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t **y2_pos_out,
             int32_t **y2_crd_out, double **y_vals_out)
{
    int32_t *y2_pos = NULL, *y2_crd = NULL;
    double *y_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_order = NULL, *w_other = NULL, *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL;
    double *w_sorted = NULL;
    int status = 1;
    int32_t w_gathered = 0;
    int32_t py2 = 0;
    int64_t y2_filled = 0;
    int32_t y2_capacity, pw1, pw1_end;
    int32_t nw = 0;
    int32_t w_capacity = 16;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    w1_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w2_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w1_pos || !w1_crd || !w2_crd || !w_vals)
        goto fail;
    for (int32_t pb1 = b1_pos[0]; pb1 < b1_pos[1]; pb1++) {
        int32_t ip = b1_crd[pb1];
        double b_val = b_vals[pb1];
        int32_t pA2_next = A2_pos[b1_crd[pb1 + min_i32(b1_pos[1] - 1 - pb1, 16)]];
        __builtin_prefetch(A2_crd + pA2_next);
        __builtin_prefetch(A_vals + pA2_next);
        for (int32_t pA2 = A2_pos[ip]; pA2 < A2_pos[ip + 1]; pA2++) {
            int32_t jp = A2_crd[pA2];
            if (nw == w_capacity) {
                if (w_capacity == 2147483647) {
                    status = 2;
                    goto fail;
                }
                w_capacity = w_capacity > 1073741823 ? 2147483647 : 2 * w_capacity;
                w1_crd = (int32_t *)reallocate_array(w1_crd, w_capacity, sizeof(int32_t));
                w2_crd = (int32_t *)reallocate_array(w2_crd, w_capacity, sizeof(int32_t));
                w_vals = (double *)reallocate_array(w_vals, w_capacity, sizeof(double));
                if (!w1_crd || !w2_crd || !w_vals)
                    goto fail;
            }
            w1_crd[nw] = ip;
            w2_crd[nw] = jp;
            w_vals[nw] = b_val * A_vals[pA2];
            nw++;
        }
    }
    w_order = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_other = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_place = (int64_t *)allocate_array(4096, sizeof(int64_t));
    if (!w_order || !w_other || !w_place)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    sort_by_i32(0, nw, w2_crd, 0, A2_dimension, w_order, w_other, w_place);
    sort_by_i32(0, nw, w1_crd, 0, b1_dimension, w_order, w_other, w_place);
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w1_sorted || !w2_sorted || !w_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++) {
        int64_t w_from = w_order[pw];
        if (w_gathered > 0 && w1_crd[w_from] == w1_sorted[w_gathered - 1] && w2_crd[w_from]
            == w2_sorted[w_gathered - 1]) {
            w_sorted[w_gathered - 1] += w_vals[w_from];
        } else {
            w1_sorted[w_gathered] = w1_crd[w_from];
            w2_sorted[w_gathered] = w2_crd[w_from];
            w_sorted[w_gathered] = w_vals[w_from];
            w_gathered++;
        }
    }
    nw = w_gathered;
    SPCC_FREE(w_order); w_order = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    y2_pos = (int32_t *)allocate_array((int64_t)b1_dimension + 1, sizeof(int32_t));
    if (!y2_pos)
        goto fail;
    y2_pos[0] = 0;
    y2_capacity = nw;
    y2_crd = (int32_t *)allocate_array(y2_capacity, sizeof(int32_t));
    y_vals = (double *)allocate_array(y2_capacity, sizeof(double));
    if (!y2_crd || !y_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t ic = w1_sorted[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == ic)
            pw1_next++;
        for (int64_t at = y2_filled + 1; at < (int64_t)ic + 1; at++)
            y2_pos[at] = py2;
        for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
            int32_t jc = w2_sorted[pw2];
            y_vals[py2] = w_sorted[pw2];
            y2_crd[py2] = jc;
            py2++;
        }
        y2_pos[ic + 1] = py2;
        y2_filled = (int64_t)ic + 1;
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w_sorted);
    for (int64_t at = y2_filled + 1; at < (int64_t)b1_dimension + 1; at++)
        y2_pos[at] = py2;
    *y2_pos_out = y2_pos;
    *y2_crd_out = y2_crd;
    *y_vals_out = y_vals;
    return 0;

fail:
    SPCC_FREE(y2_pos);
    SPCC_FREE(y2_crd);
    SPCC_FREE(y_vals);
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w_order);
    SPCC_FREE(w_other);
    SPCC_FREE(w_place);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w_sorted);
    *y2_pos_out = NULL;
    *y2_crd_out = NULL;
    *y_vals_out = NULL;
    return status;
}
