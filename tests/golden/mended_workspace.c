/* Y(k,j) = min(A(j,k), B(k,j))
 *     Y        f64   ds
 *     A        f64   (i,j) -> (i : dense, j : compressed(nonunique, unordered)), fill -1
 *     B        f64   sd
 * schedule: convert(A(j,k), w); skew(k, j, d); reorder(j, d); collect(Y, w2)
 * made by spcc VERSION with
 *     spcc 'Y(k,j) = min(A(j,k), B(k,j))' -f 'Y:ds' -f 'A:(i,j) -> (i : dense, j : compressed(nonunique, unordered))' --fill 'A:-1' -f 'B:sd' -d j:7 -d k:3 -s 'convert(A(j,k), w); skew(k, j, d); reorder(j, d)'
 *
 *   A1_dimension  size of mode 1 of A: the range of j, which must be 7
 *   A2_dimension  size of mode 2 of A: the range of k, which must be 3
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B_vals        B's values
 *   Y2_pos_out    Y, level 2 (compressed): where each segment begins and ends
 *   Y2_crd_out    Y, level 2 (compressed): coordinates
 *   Y_vals_out    Y's values
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
#include "helpers/reallocate_array.c"
#include "helpers/allocate_array.c"
#include "helpers/min_f64.c"
#include "helpers/sort_run_i32.c"
#include "helpers/sort_merge_i32.c"
#include "helpers/sort_runs_i32.c"
#include "helpers/sort_width.c"
#include "helpers/sort_places.c"
#include "helpers/sort_digits.c"
#include "helpers/sort_by_i32.c"
#include "helpers/find_first_i32.c"
#include "helpers/search_i32.c"

/* More room for w21_crd, w22_crd, w2_vals; false if there is none. */
static inline bool evaluate_grow_w2(int32_t *w2_capacity, int32_t **w21_crd, int32_t **w22_crd,
                                    double **w2_vals, int *status)
{
    if (*w2_capacity == 2147483647) {
        *status = 2;
        return false;
    }
    *w2_capacity = *w2_capacity > 1073741823 ? 2147483647 : 2 * *w2_capacity;
    *w21_crd = (int32_t *)reallocate_array(*w21_crd, *w2_capacity, sizeof(int32_t));
    *w22_crd = (int32_t *)reallocate_array(*w22_crd, *w2_capacity, sizeof(int32_t));
    *w2_vals = (double *)reallocate_array(*w2_vals, *w2_capacity, sizeof(double));
    if (!*w21_crd || !*w22_crd || !*w2_vals)
        return false;
    return true;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B1_pos, const int32_t *restrict B1_crd,
             const double *restrict B_vals, int32_t **Y2_pos_out, int32_t **Y2_crd_out,
             double **Y_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    int32_t *Y2_pos = NULL, *Y2_crd = NULL;
    double *Y_vals = NULL;
    int32_t *w21_pos = NULL, *w21_crd = NULL, *w22_crd = NULL;
    double *w2_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_order = NULL, *w_other = NULL, *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL;
    double *w_sorted = NULL;
    int64_t *w2_order = NULL, *w2_other = NULL, *w2_place = NULL;
    int32_t *w21_sorted = NULL, *w22_sorted = NULL;
    double *w2_sorted_2 = NULL;
    int status = 1;
    int32_t nw = 0;
    int32_t w_capacity = 16;
    int32_t w_gathered = 0;
    int32_t pY2 = 0;
    int64_t Y2_filled = 0;
    int32_t Y2_capacity, pw21, pw21_end;
    int32_t nw2 = 0;
    int32_t w2_capacity = 16;
    w21_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    w21_crd = (int32_t *)allocate_array(w2_capacity, sizeof(int32_t));
    w22_crd = (int32_t *)allocate_array(w2_capacity, sizeof(int32_t));
    w2_vals = (double *)allocate_array(w2_capacity, sizeof(double));
    if (!w21_pos || !w21_crd || !w22_crd || !w2_vals)
        goto fail;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    w1_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w2_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w1_pos || !w1_crd || !w2_crd || !w_vals)
        goto fail;
    for (int32_t jp = 0; jp < 7; jp++) {
        for (int32_t pA2 = A2_pos[jp]; pA2 < A2_pos[jp + 1]; pA2++) {
            int32_t kp = A2_crd[pA2];
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
            w1_crd[nw] = kp;
            w2_crd[nw] = jp;
            w_vals[nw] = A_vals[pA2];
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
    sort_by_i32(0, nw, w2_crd, 0, 7, w_order, w_other, w_place);
    sort_by_i32(0, nw, w1_crd, 0, 3, w_order, w_other, w_place);
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
    for (int32_t j = 0; j < 7; j++) {
        int64_t pw1_begin = find_first_i32(w1_sorted, w1_pos[0], w1_pos[1], (int64_t)j - 6);
        int64_t pw1_end = find_first_i32(w1_sorted, pw1_begin, w1_pos[1], (int64_t)j + 3);
        int64_t pB1_begin = find_first_i32(B1_crd, B1_pos[0], B1_pos[1], (int64_t)j - 6);
        int64_t pB1_end = find_first_i32(B1_crd, pB1_begin, B1_pos[1], (int64_t)j + 3);
        int64_t pw1 = pw1_begin;
        int64_t pB1 = pB1_begin;
        int32_t d = -6;
        while (pw1 < pw1_end && pB1 < pB1_end) {
            int32_t dw = w1_sorted[pw1] - j;
            int32_t dB = B1_crd[pB1] - j;
            int64_t pw1_next = pw1;
            while (pw1_next < pw1_end && w1_sorted[pw1_next] - j == d)
                pw1_next++;
            int32_t k = j + d;
            if (k >= 0 && k < 3) {
                int64_t pw2 = search_i32(w2_sorted, pw1, pw1_next, j);
                if (dw == d && dB == d && pw2 >= 0) {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = min_f64(w_sorted[pw2], B_vals[pB1 * 7 + j]);
                    nw2++;
                } else if (dw == d && pw2 >= 0) {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = min_f64(w_sorted[pw2], 0.0);
                    nw2++;
                } else if (dB == d) {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = min_f64(-1.0, B_vals[pB1 * 7 + j]);
                    nw2++;
                } else {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = -1.0;
                    nw2++;
                }
            }
            pw1 = pw1_next;
            pB1 += dB == d;
            d++;
        }
        while (pw1 < pw1_end) {
            int32_t dw = w1_sorted[pw1] - j;
            int64_t pw1_next = pw1;
            while (pw1_next < pw1_end && w1_sorted[pw1_next] - j == d)
                pw1_next++;
            int32_t k = j + d;
            if (k >= 0 && k < 3) {
                int64_t pw2 = search_i32(w2_sorted, pw1, pw1_next, j);
                if (dw == d && pw2 >= 0) {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = min_f64(w_sorted[pw2], 0.0);
                    nw2++;
                } else {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = -1.0;
                    nw2++;
                }
            }
            pw1 = pw1_next;
            d++;
        }
        while (pB1 < pB1_end) {
            int32_t dB = B1_crd[pB1] - j;
            int32_t k = j + d;
            if (k >= 0 && k < 3) {
                if (dB == d) {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = min_f64(-1.0, B_vals[pB1 * 7 + j]);
                    nw2++;
                } else {
                    if (nw2 == w2_capacity
                        && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                        goto fail;
                    w21_crd[nw2] = k;
                    w22_crd[nw2] = j;
                    w2_vals[nw2] = -1.0;
                    nw2++;
                }
            }
            pB1 += dB == d;
            d++;
        }
        for (int32_t d_2 = d; d_2 < 3; d_2++) {
            int32_t k = j + d_2;
            if (k >= 0 && k < 3) {
                if (nw2 == w2_capacity
                    && !evaluate_grow_w2(&w2_capacity, &w21_crd, &w22_crd, &w2_vals, &status))
                    goto fail;
                w21_crd[nw2] = k;
                w22_crd[nw2] = j;
                w2_vals[nw2] = -1.0;
                nw2++;
            }
        }
    }
    SPCC_FREE(w1_pos); w1_pos = NULL;
    SPCC_FREE(w1_sorted); w1_sorted = NULL;
    SPCC_FREE(w2_sorted); w2_sorted = NULL;
    SPCC_FREE(w_sorted); w_sorted = NULL;
    w2_order = (int64_t *)allocate_array(nw2, sizeof(int64_t));
    w2_other = (int64_t *)allocate_array(nw2, sizeof(int64_t));
    w2_place = (int64_t *)allocate_array(4096, sizeof(int64_t));
    if (!w2_order || !w2_other || !w2_place)
        goto fail;
    for (int64_t pw2 = 0; pw2 < nw2; pw2++)
        w2_order[pw2] = pw2;
    sort_by_i32(0, nw2, w21_crd, 0, 3, w2_order, w2_other, w2_place);
    SPCC_FREE(w2_other); w2_other = NULL;
    SPCC_FREE(w2_place); w2_place = NULL;
    w21_sorted = (int32_t *)allocate_array(nw2, sizeof(int32_t));
    if (!w21_sorted)
        goto fail;
    for (int32_t pw2 = 0; pw2 < nw2; pw2++)
        w21_sorted[pw2] = w21_crd[w2_order[pw2]];
    SPCC_FREE(w21_crd); w21_crd = NULL;
    w22_sorted = (int32_t *)allocate_array(nw2, sizeof(int32_t));
    if (!w22_sorted)
        goto fail;
    for (int32_t pw2 = 0; pw2 < nw2; pw2++)
        w22_sorted[pw2] = w22_crd[w2_order[pw2]];
    SPCC_FREE(w22_crd); w22_crd = NULL;
    w2_sorted_2 = (double *)allocate_array(nw2, sizeof(double));
    if (!w2_sorted_2)
        goto fail;
    for (int32_t pw2 = 0; pw2 < nw2; pw2++)
        w2_sorted_2[pw2] = w2_vals[w2_order[pw2]];
    SPCC_FREE(w2_vals); w2_vals = NULL;
    SPCC_FREE(w2_order); w2_order = NULL;
    w21_pos[0] = 0;
    w21_pos[1] = nw2;
    Y2_pos = (int32_t *)allocate_array(4, sizeof(int32_t));
    if (!Y2_pos)
        goto fail;
    Y2_pos[0] = 0;
    Y2_capacity = nw2;
    Y2_crd = (int32_t *)allocate_array(Y2_capacity, sizeof(int32_t));
    Y_vals = (double *)allocate_array(Y2_capacity, sizeof(double));
    if (!Y2_crd || !Y_vals)
        goto fail;
    pw21 = w21_pos[0];
    pw21_end = w21_pos[1];
    while (pw21 < pw21_end) {
        int32_t kc = w21_sorted[pw21];
        int32_t pw21_next = pw21;
        while (pw21_next < pw21_end && w21_sorted[pw21_next] == kc)
            pw21_next++;
        for (int64_t at = Y2_filled + 1; at < (int64_t)kc + 1; at++)
            Y2_pos[at] = pY2;
        for (int32_t pw22 = pw21; pw22 < pw21_next; pw22++) {
            int32_t jc = w22_sorted[pw22];
            Y_vals[pY2] = w2_sorted_2[pw22];
            Y2_crd[pY2] = jc;
            pY2++;
        }
        Y2_pos[kc + 1] = pY2;
        Y2_filled = (int64_t)kc + 1;
        pw21 = pw21_next;
    }
    SPCC_FREE(w21_pos);
    SPCC_FREE(w21_sorted);
    SPCC_FREE(w22_sorted);
    SPCC_FREE(w2_sorted_2);
    for (int64_t at = Y2_filled + 1; at < 4; at++)
        Y2_pos[at] = pY2;
    *Y2_pos_out = Y2_pos;
    *Y2_crd_out = Y2_crd;
    *Y_vals_out = Y_vals;
    return 0;

fail:
    {
        void *left[] = {Y2_pos, Y2_crd, Y_vals, w21_pos, w21_crd, w22_crd, w2_vals, w1_pos, w1_crd,
            w2_crd, w_vals, w_order, w_other, w_place, w1_sorted, w2_sorted, w_sorted, w2_order,
            w2_other, w2_place, w21_sorted, w22_sorted, w2_sorted_2};
        for (int at = 0; at < 23; at++)
            SPCC_FREE(left[at]);
    }
    *Y2_pos_out = NULL;
    *Y2_crd_out = NULL;
    *Y_vals_out = NULL;
    return status;
}
