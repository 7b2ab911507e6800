/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   (i,j) -> (i/2 : dense, j/2 : compressed, i%2 : dense, j%2 : dense)
 *     A        f64   ds
 *     B        f64   ds
 * schedule: collect(C, w); parallelize(i)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'C:bcsr(2,2)' -f 'A:csr' -f 'B:csr' -s 'collect(C, w); parallelize(i)' --plain
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
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_array.c"
#include "helpers/plain/allocate_arrays.c"
#include "helpers/plain/reallocate_array.c"
#include "helpers/plain/join_arrays.c"
#include "helpers/plain/free_arrays.c"
#include "helpers/plain/sum_before_i64.c"
#include "helpers/plain/sort_merging_i32.c"

/* More room for w1_crd, w2_crd, w3_crd, w4_crd, w_vals; false if there is none. */
static inline bool evaluate_grow_w(int32_t *w_capacity, int32_t **w1_crd, int32_t **w2_crd,
                                   int32_t **w3_crd, int32_t **w4_crd, double **w_vals, int *status)
{
    if (*w_capacity == 2147483647) { *status = 2; return false; }
    *w_capacity = *w_capacity > 1073741823 ? 2147483647 : 2 * *w_capacity;
    void *longer_w1_crd_2 = realloc(*w1_crd, ((size_t)*w_capacity + 1) * sizeof(int32_t));
    void *longer_w2_crd_2 = realloc(*w2_crd, ((size_t)*w_capacity + 1) * sizeof(int32_t));
    void *longer_w3_crd_2 = realloc(*w3_crd, ((size_t)*w_capacity + 1) * sizeof(int32_t));
    void *longer_w4_crd_2 = realloc(*w4_crd, ((size_t)*w_capacity + 1) * sizeof(int32_t));
    void *longer_w_vals_2 = realloc(*w_vals, ((size_t)*w_capacity + 1) * sizeof(double));
    *w1_crd = longer_w1_crd_2 ? (int32_t *)longer_w1_crd_2 : *w1_crd;
    *w2_crd = longer_w2_crd_2 ? (int32_t *)longer_w2_crd_2 : *w2_crd;
    *w3_crd = longer_w3_crd_2 ? (int32_t *)longer_w3_crd_2 : *w3_crd;
    *w4_crd = longer_w4_crd_2 ? (int32_t *)longer_w4_crd_2 : *w4_crd;
    *w_vals = longer_w_vals_2 ? (double *)longer_w_vals_2 : *w_vals;
    if (!longer_w1_crd_2 || !longer_w2_crd_2 || !longer_w3_crd_2 || !longer_w4_crd_2
        || !longer_w_vals_2)
        return false;
    return true;
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                         const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
                         const int32_t *B2_crd, const double *B_vals, int32_t parts, int64_t work,
                         int64_t *w_begin, void **w_of)
{
    int status = 1;
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] + B2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    int32_t nw = 0;
    int32_t w_capacity = (int32_t)evaluate_min_i64((int64_t)A2_pos[i_past] - A2_pos[i_from]
        + ((int64_t)B2_pos[i_past] - B2_pos[i_from]), 2147483647);
    int32_t *w1_crd = (int32_t *)calloc((size_t)w_capacity + 1, sizeof(int32_t));
    int32_t *w2_crd = (int32_t *)calloc((size_t)w_capacity + 1, sizeof(int32_t));
    int32_t *w3_crd = (int32_t *)calloc((size_t)w_capacity + 1, sizeof(int32_t));
    int32_t *w4_crd = (int32_t *)calloc((size_t)w_capacity + 1, sizeof(int32_t));
    double *w_vals = (double *)calloc((size_t)w_capacity + 1, sizeof(double));
    if (!w1_crd || !w2_crd || !w3_crd || !w4_crd || !w_vals) goto done;
    for (int32_t i = i_from; i < i_past; i++) {
        int32_t io = i / 2, ii = i % 2, pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
            if (jA == jB) {
                int32_t jo = jA / 2, ji = jA % 2;
                if (nw == w_capacity
                    && !evaluate_grow_w(&w_capacity, &w1_crd, &w2_crd, &w3_crd, &w4_crd, &w_vals,
                    &status))
                    goto done;
                w1_crd[nw] = io;
                w2_crd[nw] = jo;
                w3_crd[nw] = ii;
                w4_crd[nw] = ji;
                w_vals[nw++] = A_vals[pA2++] + B_vals[pB2++];
            } else if (jA < jB) {
                int32_t jo = jA / 2, ji = jA % 2;
                if (nw == w_capacity
                    && !evaluate_grow_w(&w_capacity, &w1_crd, &w2_crd, &w3_crd, &w4_crd, &w_vals,
                    &status))
                    goto done;
                w1_crd[nw] = io;
                w2_crd[nw] = jo;
                w3_crd[nw] = ii;
                w4_crd[nw] = ji;
                w_vals[nw++] = A_vals[pA2++];
            } else {
                int32_t jo = jB / 2, ji = jB % 2;
                if (nw == w_capacity
                    && !evaluate_grow_w(&w_capacity, &w1_crd, &w2_crd, &w3_crd, &w4_crd, &w_vals,
                    &status))
                    goto done;
                w1_crd[nw] = io;
                w2_crd[nw] = jo;
                w3_crd[nw] = ii;
                w4_crd[nw] = ji;
                w_vals[nw++] = B_vals[pB2++];
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2], jo = j / 2, ji = j % 2;
            if (nw == w_capacity
                && !evaluate_grow_w(&w_capacity, &w1_crd, &w2_crd, &w3_crd, &w4_crd, &w_vals,
                &status))
                goto done;
            w1_crd[nw] = io;
            w2_crd[nw] = jo;
            w3_crd[nw] = ii;
            w4_crd[nw] = ji;
            w_vals[nw++] = A_vals[pA2];
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2], jo = j / 2, ji = j % 2;
            if (nw == w_capacity
                && !evaluate_grow_w(&w_capacity, &w1_crd, &w2_crd, &w3_crd, &w4_crd, &w_vals,
                &status))
                goto done;
            w1_crd[nw] = io;
            w2_crd[nw] = jo;
            w3_crd[nw] = ii;
            w4_crd[nw] = ji;
            w_vals[nw++] = B_vals[pB2];
        }
    }
    w_begin[part] = nw;
    w_of[part * 5] = w1_crd;
    w1_crd = NULL;
    w_of[part * 5 + 1] = w2_crd;
    w2_crd = NULL;
    w_of[part * 5 + 2] = w3_crd;
    w3_crd = NULL;
    w_of[part * 5 + 3] = w4_crd;
    w4_crd = NULL;
    w_of[part * 5 + 4] = w_vals;
    w_vals = NULL;
    status = 0;
done:
    free(w1_crd); free(w2_crd); free(w3_crd); free(w4_crd); free(w_vals);
    return status;
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int64_t w_begin[257];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int32_t *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL, *w4_crd = NULL;
    double *w_vals = NULL;
    void *w_of_few[6], **w_of = NULL;
    int64_t *w_order = NULL, *w_other = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL, *w4_sorted = NULL;
    double *w_sorted = NULL;
    int status = 1;
    int failed = 0;
    int64_t work;
    int32_t parts;
    int32_t w_run = 0;
    int32_t pC2 = 0;
    int64_t C2_filled = 0;
    int32_t nC2 = 0;
    int64_t nw_all;
    int32_t C2_capacity, pw1, pw1_end;
    int32_t ico_size = A1_dimension / 2 + (A1_dimension % 2 > 0);
    int32_t nw = 0;
    int32_t *w1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    if (!w1_pos) goto done;
    work = (int64_t)A1_dimension + A2_pos[A1_dimension] + B2_pos[A1_dimension];
    parts = (int32_t)(work < 65536 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 32768));
    w_of = evaluate_allocate_arrays(parts * 5, 5, w_of_few);
    if (!w_of) goto done;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_pos, A2_crd, A_vals, B2_pos, B2_crd, B_vals,
                               parts, work, w_begin, w_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_pos, A2_crd, A_vals, B2_pos,
                                            B2_crd, B_vals, parts, work, w_begin, w_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) goto done;
    evaluate_sum_before_i64(w_begin, parts, nw);
    nw_all = w_begin[parts];
    if (nw_all > 2147483647) { status = 2; goto done; }
    w1_crd = (int32_t *)evaluate_join_arrays(w1_crd, w_of, 5, 0, w_begin, parts, nw_all,
        sizeof(int32_t));
    w2_crd = (int32_t *)evaluate_join_arrays(w2_crd, w_of, 5, 1, w_begin, parts, nw_all,
        sizeof(int32_t));
    w3_crd = (int32_t *)evaluate_join_arrays(w3_crd, w_of, 5, 2, w_begin, parts, nw_all,
        sizeof(int32_t));
    w4_crd = (int32_t *)evaluate_join_arrays(w4_crd, w_of, 5, 3, w_begin, parts, nw_all,
        sizeof(int32_t));
    w_vals = (double *)evaluate_join_arrays(w_vals, w_of, 5, 4, w_begin, parts, nw_all,
        sizeof(double));
    if (!w1_crd || !w2_crd || !w3_crd || !w4_crd || !w_vals) goto done;
    nw = (int32_t)nw_all;
    evaluate_free_arrays(w_of, w_of_few); w_of = NULL;
    w_order = (int64_t *)calloc((size_t)nw + 1, sizeof(int64_t));
    w_other = (int64_t *)calloc((size_t)nw + 1, sizeof(int64_t));
    if (!w_order || !w_other) goto done;
    for (int64_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    while (w_run < nw) {
        int32_t w_run_end = w_run + 1;
        while (w_run_end < nw && w1_crd[w_run_end] == w1_crd[w_run])
            w_run_end++;
        evaluate_sort_merging_i32(w_run, w_run_end, w2_crd, w_order, w_other);
        w_run = w_run_end;
    }
    free(w_other); w_other = NULL;
    w1_sorted = (int32_t *)calloc((size_t)nw + 1, sizeof(int32_t));
    if (!w1_sorted) goto done;
    for (int32_t pw = 0; pw < nw; pw++)
        w1_sorted[pw] = w1_crd[w_order[pw]];
    free(w1_crd); w1_crd = NULL;
    w2_sorted = (int32_t *)calloc((size_t)nw + 1, sizeof(int32_t));
    if (!w2_sorted) goto done;
    for (int32_t pw = 0; pw < nw; pw++)
        w2_sorted[pw] = w2_crd[w_order[pw]];
    free(w2_crd); w2_crd = NULL;
    w3_sorted = (int32_t *)calloc((size_t)nw + 1, sizeof(int32_t));
    if (!w3_sorted) goto done;
    for (int32_t pw = 0; pw < nw; pw++)
        w3_sorted[pw] = w3_crd[w_order[pw]];
    free(w3_crd); w3_crd = NULL;
    w4_sorted = (int32_t *)calloc((size_t)nw + 1, sizeof(int32_t));
    if (!w4_sorted) goto done;
    for (int32_t pw = 0; pw < nw; pw++)
        w4_sorted[pw] = w4_crd[w_order[pw]];
    free(w4_crd); w4_crd = NULL;
    w_sorted = (double *)calloc((size_t)nw + 1, sizeof(double));
    if (!w_sorted) goto done;
    for (int32_t pw = 0; pw < nw; pw++)
        w_sorted[pw] = w_vals[w_order[pw]];
    free(w_vals); w_vals = NULL;
    free(w_order); w_order = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    C2_pos = (int32_t *)calloc((size_t)ico_size + 1, sizeof(int32_t));
    if (!C2_pos) goto done;
    C2_pos[0] = 0;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1] || w2_sorted[pw] != w2_sorted[pw - 1])
            nC2++;
    }
    C2_capacity = nC2;
    C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    C_vals = (double *)evaluate_allocate_array((int64_t)C2_capacity * 2 * 2, sizeof(double));
    if (!C2_crd || !C_vals) goto done;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t ico = w1_sorted[pw1], pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == ico)
            pw1_next++;
        for (int64_t at = C2_filled + 1; at < (int64_t)ico + 1; at++)
            C2_pos[at] = pC2;
        int32_t pw2 = pw1, pw2_end = pw1_next;
        while (pw2 < pw2_end) {
            int32_t jco = w2_sorted[pw2], pw2_next = pw2;
            while (pw2_next < pw2_end && w2_sorted[pw2_next] == jco)
                pw2_next++;
            memset(C_vals + (int64_t)pC2 * 4, 0, 4 * sizeof(double));
            int32_t pw3 = pw2, pw3_end = pw2_next;
            for (int32_t pw4 = pw3; pw4 < pw3_end; pw4++) {
                int32_t ici = w3_sorted[pw4], jci = w4_sorted[pw4];
                C_vals[((int64_t)pC2 * 2 + ici) * 2 + jci] = w_sorted[pw4];
            }
            C2_crd[pC2++] = jco;
            pw2 = pw2_next;
        }
        C2_pos[ico + 1] = pC2;
        C2_filled = (int64_t)ico + 1;
        pw1 = pw1_next;
    }
    for (int64_t at = C2_filled + 1; at < (int64_t)ico_size + 1; at++)
        C2_pos[at] = pC2;
    status = 0;
done:
    free(w1_pos); free(w1_crd); free(w2_crd); free(w3_crd); free(w4_crd); free(w_vals);
    evaluate_free_arrays(w_of, w_of_few); free(w_order); free(w_other); free(w1_sorted);
    free(w2_sorted); free(w3_sorted); free(w4_sorted); free(w_sorted);
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return failed ? failed : status;
}
