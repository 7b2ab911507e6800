/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (i/2 : dense, j/2 : compressed, i%2 : dense, j%2 : dense)
 *     B        f64   ds
 * schedule: collect(A, w)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:bcsr(2,2)' -f 'B:csr'
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

#include "helpers/allocate_array.c"
#include "helpers/sort_run_i32_i32.c"
#include "helpers/sort_merge_i32_i32.c"
#include "helpers/sort_runs_i32_i32.c"
#include "helpers/sort_digit.c"
#include "helpers/sort_count.c"
#include "helpers/sort_rest_i32.c"
#include "helpers/sort_places.c"
#include "helpers/sort_by_i32_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL, *w4_crd = NULL;
    double *w_vals = NULL;
    int32_t *w_order = NULL, *w_other = NULL;
    int64_t *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL, *w4_sorted = NULL;
    double *w_sorted = NULL;
    int32_t w_run = 0;
    int32_t pA2 = 0;
    int64_t A2_filled = 0;
    int32_t nA2 = 0;
    int32_t A2_capacity, pw1, pw1_end;
    int32_t jo_size = B2_dimension / 2 + (B2_dimension % 2 > 0);
    int32_t ico_size = B1_dimension / 2 + (B1_dimension % 2 > 0);
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
    w3_crd = (int32_t *)allocate_array(B2_pos[B1_dimension], sizeof(int32_t));
    if (!w3_crd)
        goto fail;
    w4_crd = (int32_t *)allocate_array(B2_pos[B1_dimension], sizeof(int32_t));
    if (!w4_crd)
        goto fail;
    w_vals = (double *)allocate_array(B2_pos[B1_dimension], sizeof(double));
    if (!w_vals)
        goto fail;
    for (int32_t pB2 = B2_pos[0]; pB2 < B2_pos[B1_dimension]; pB2++) {
        int32_t j = B2_crd[pB2];
        int32_t jo = j / 2;
        int32_t ji = j % 2;
        w2_crd[nw + (pB2 - B2_pos[0])] = jo;
        w4_crd[nw + (pB2 - B2_pos[0])] = ji;
        w_vals[nw + (pB2 - B2_pos[0])] = B_vals[pB2];
    }
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t io = i / 2;
        int32_t ii = i % 2;
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            w1_crd[nw] = io;
            w3_crd[nw] = ii;
            nw++;
        }
    }
    w_order = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_other = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_place = (int64_t *)allocate_array(512, sizeof(int64_t));
    if (!w_order || !w_other || !w_place)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    while (w_run < nw) {
        int32_t w_run_end = w_run + 1;
        while (w_run_end < nw && w1_crd[w_run_end] == w1_crd[w_run])
            w_run_end++;
        sort_by_i32_i32(w_run, w_run_end, w2_crd, 0, jo_size, w_order, w_other, w_place);
        w_run = w_run_end;
    }
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w3_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w4_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w1_sorted || !w2_sorted || !w3_sorted || !w4_sorted || !w_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++) {
        int32_t w_from = w_order[pw];
        w1_sorted[pw] = w1_crd[w_from];
        w2_sorted[pw] = w2_crd[w_from];
        w3_sorted[pw] = w3_crd[w_from];
        w4_sorted[pw] = w4_crd[w_from];
        w_sorted[pw] = w_vals[w_from];
    }
    SPCC_FREE(w_order); w_order = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w3_crd); w3_crd = NULL;
    SPCC_FREE(w4_crd); w4_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    A2_pos = (int32_t *)allocate_array((int64_t)ico_size + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1] || w2_sorted[pw] != w2_sorted[pw - 1])
            nA2++;
    }
    A2_capacity = nA2;
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array((int64_t)A2_capacity * 2 * 2, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t ico = w1_sorted[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == ico)
            pw1_next++;
        for (int64_t at = A2_filled + 1; at < (int64_t)ico + 1; at++)
            A2_pos[at] = pA2;
        int32_t pw2 = pw1;
        int32_t pw2_end = pw1_next;
        while (pw2 < pw2_end) {
            int32_t jco = w2_sorted[pw2];
            int32_t pw2_next = pw2;
            while (pw2_next < pw2_end && w2_sorted[pw2_next] == jco)
                pw2_next++;
            memset(A_vals + (int64_t)pA2 * 4, 0, 4 * sizeof(double));
            int32_t pw3 = pw2;
            int32_t pw3_end = pw2_next;
            int64_t A_base = (int64_t)pA2 * 2;
            while (pw3 < pw3_end) {
                int32_t ici = w3_sorted[pw3];
                int32_t pw3_next = pw3;
                while (pw3_next < pw3_end && w3_sorted[pw3_next] == ici)
                    pw3_next++;
                int64_t A_base_2 = (A_base + ici) * 2;
                for (int32_t pw4 = pw3; pw4 < pw3_next; pw4++) {
                    int32_t jci = w4_sorted[pw4];
                    A_vals[A_base_2 + jci] = w_sorted[pw4];
                }
                pw3 = pw3_next;
            }
            A2_crd[pA2] = jco;
            pA2++;
            pw2 = pw2_next;
        }
        A2_pos[ico + 1] = pA2;
        A2_filled = (int64_t)ico + 1;
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w4_sorted);
    SPCC_FREE(w_sorted);
    for (int64_t at = A2_filled + 1; at < (int64_t)ico_size + 1; at++)
        A2_pos[at] = pA2;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    {
        void *left[] = {A2_pos, A2_crd, A_vals, w1_pos, w1_crd, w2_crd, w3_crd, w4_crd, w_vals,
            w_order, w_other, w_place, w1_sorted, w2_sorted, w3_sorted, w4_sorted, w_sorted};
        for (int at = 0; at < 17; at++)
            SPCC_FREE(left[at]);
    }
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return 1;
}
