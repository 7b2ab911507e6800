/* C(i,j) = A(i,j)
 *     C        f64   (i,j) -> (i/2 : dense, j/2 : compressed, i%2 : dense, j%2 : dense)
 *     A        f64   ds
 * schedule: collect(C, w); parallelize(i); parallelize(ico)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j)' -f 'C:bcsr(2,2)' -f 'A:csr' -s 'collect(C, w); parallelize(i); parallelize(ico)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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

#include "helpers/plain/allocate_array.c"
#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_arrays.c"
#include "helpers/plain/reallocate_array.c"
#include "helpers/plain/join_arrays.c"
#include "helpers/plain/free_arrays.c"
#include "helpers/plain/sum_before_i64.c"
#include "helpers/plain/sort_merging_i32.c"
#include "helpers/plain/find_first_i32.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                         const int32_t *A2_crd, const double *A_vals, int32_t parts, int64_t work,
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
                if ((int64_t)i_middle + A2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    int32_t nw = 0;
    int32_t *w1_crd = (int32_t *)evaluate_allocate_array((int64_t)A2_pos[i_past] - A2_pos[i_from],
        sizeof(int32_t));
    int32_t *w2_crd = (int32_t *)evaluate_allocate_array((int64_t)A2_pos[i_past] - A2_pos[i_from],
        sizeof(int32_t));
    int32_t *w3_crd = (int32_t *)evaluate_allocate_array((int64_t)A2_pos[i_past] - A2_pos[i_from],
        sizeof(int32_t));
    int32_t *w4_crd = (int32_t *)evaluate_allocate_array((int64_t)A2_pos[i_past] - A2_pos[i_from],
        sizeof(int32_t));
    double *w_vals = (double *)evaluate_allocate_array((int64_t)A2_pos[i_past] - A2_pos[i_from],
        sizeof(double));
    if (!w1_crd || !w2_crd || !w3_crd || !w4_crd || !w_vals) goto done;
    for (int32_t pA2 = A2_pos[i_from]; pA2 < A2_pos[i_past]; pA2++) {
        int32_t j = A2_crd[pA2], jo = j / 2, ji = j % 2;
        w2_crd[nw + (pA2 - A2_pos[i_from])] = jo;
        w4_crd[nw + (pA2 - A2_pos[i_from])] = ji;
        w_vals[nw + (pA2 - A2_pos[i_from])] = A_vals[pA2];
    }
    for (int32_t i = i_from; i < i_past; i++) {
        int32_t io = i / 2, ii = i % 2;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            w1_crd[nw] = io;
            w3_crd[nw++] = ii;
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

/* One of the parts, which may run at once. */
static void evaluate_2_part(int32_t part, int32_t ico_size, int32_t parts, int64_t work,
                            const int32_t *w1_pos, const int32_t *w1_sorted,
                            const int32_t *w2_sorted, int64_t *C2_begin)
{
    int32_t ico_from = 0, ico_past = ico_size;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            ico_from = ico_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t pw1_low = w1_pos[0], pw1_high = w1_pos[1];
            while (pw1_low < pw1_high) {
                int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                    pw1_low = pw1_middle + 1;
                else
                    pw1_high = pw1_middle;
            }
            int32_t ico_low = pw1_low > w1_pos[0] ? w1_sorted[pw1_low - 1] + 1 : 0;
            int32_t ico_high = pw1_low < w1_pos[1] ? w1_sorted[pw1_low] : ico_size;
            while (ico_low < ico_high) {
                int32_t ico_middle = ico_low + (ico_high - ico_low) / 2;
                if ((int64_t)ico_middle + pw1_low < work_from)
                    ico_low = ico_middle + 1;
                else
                    ico_high = ico_middle;
            }
            ico_past = ico_low;
        }
    }
    int64_t pw1_begin = parts > 1
        ? evaluate_find_first_i32(w1_sorted, w1_pos[0], w1_pos[1], ico_from) : (int64_t)w1_pos[0];
    int64_t pw1_past = parts > 1
        ? evaluate_find_first_i32(w1_sorted, pw1_begin, w1_pos[1], ico_past) : (int64_t)w1_pos[1];
    int32_t nC2 = 0;
    for (int32_t pw = (int32_t)pw1_begin; pw < (int32_t)pw1_past; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1] || w2_sorted[pw] != w2_sorted[pw - 1])
            nC2++;
    }
    C2_begin[part] = nC2;
}

/* One of the parts, which may run at once. */
static void evaluate_3_part(int32_t part, int32_t *C2_pos, int32_t *C2_crd, double *C_vals,
                            int32_t ico_size, int32_t parts, int64_t work, const int32_t *w1_pos,
                            const int32_t *w1_sorted, const int64_t *C2_begin,
                            const int32_t *w2_sorted, const int32_t *w3_sorted,
                            const int32_t *w4_sorted, const double *w_sorted)
{
    int32_t ico_from = 0, ico_past = ico_size;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            ico_from = ico_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t pw1_low = w1_pos[0], pw1_high = w1_pos[1];
            while (pw1_low < pw1_high) {
                int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                    pw1_low = pw1_middle + 1;
                else
                    pw1_high = pw1_middle;
            }
            int32_t ico_low = pw1_low > w1_pos[0] ? w1_sorted[pw1_low - 1] + 1 : 0;
            int32_t ico_high = pw1_low < w1_pos[1] ? w1_sorted[pw1_low] : ico_size;
            while (ico_low < ico_high) {
                int32_t ico_middle = ico_low + (ico_high - ico_low) / 2;
                if ((int64_t)ico_middle + pw1_low < work_from)
                    ico_low = ico_middle + 1;
                else
                    ico_high = ico_middle;
            }
            ico_past = ico_low;
        }
    }
    int64_t pw1_begin = parts > 1
        ? evaluate_find_first_i32(w1_sorted, w1_pos[0], w1_pos[1], ico_from) : (int64_t)w1_pos[0];
    int64_t pw1_past = parts > 1
        ? evaluate_find_first_i32(w1_sorted, pw1_begin, w1_pos[1], ico_past) : (int64_t)w1_pos[1];
    int32_t pC2 = (int32_t)C2_begin[part];
    int64_t C2_filled = ico_from;
    int32_t pw1 = (int32_t)pw1_begin, pw1_end = (int32_t)pw1_past;
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
    for (int64_t at = C2_filled + 1; at < (int64_t)ico_past + 1; at++)
        C2_pos[at] = pC2;
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int64_t w_begin[257];
    int64_t C2_begin[257];
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
    int32_t nC2 = 0;
    int64_t nw_all;
    int32_t C2_capacity;
    int64_t work_2;
    int32_t parts_2;
    int32_t ico_size = A1_dimension / 2 + (A1_dimension % 2 > 0);
    int32_t nw = 0;
    int32_t *w1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    if (!w1_pos) goto done;
    work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    parts = (int32_t)(work < 65536 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 32768));
    w_of = evaluate_allocate_arrays(parts * 5, 5, w_of_few);
    if (!w_of) goto done;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_pos, A2_crd, A_vals, parts, work, w_begin, w_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_pos, A2_crd, A_vals, parts, work,
                                            w_begin, w_of);
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
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1] || w2_sorted[pw] != w2_sorted[pw - 1])
            nC2++;
    }
    C2_capacity = nC2;
    C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    C_vals = (double *)evaluate_allocate_array((int64_t)C2_capacity * 2 * 2, sizeof(double));
    if (!C2_crd || !C_vals) goto done;
    work_2 = (int64_t)ico_size + w1_pos[1];
    parts_2 = (int32_t)(work_2 < 65536 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work_2 / 32768));
    if (parts_2 == 1) {
        evaluate_2_part(0, ico_size, parts_2, work_2, w1_pos, w1_sorted, w2_sorted, C2_begin);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts_2; part++)
            evaluate_2_part(part, ico_size, parts_2, work_2, w1_pos, w1_sorted, w2_sorted,
                            C2_begin);
    }
    evaluate_sum_before_i64(C2_begin, parts_2, 0);
    if (parts_2 == 1) {
        evaluate_3_part(0, C2_pos, C2_crd, C_vals, ico_size, parts_2, work_2, w1_pos, w1_sorted,
                        C2_begin, w2_sorted, w3_sorted, w4_sorted, w_sorted);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts_2; part++)
            evaluate_3_part(part, C2_pos, C2_crd, C_vals, ico_size, parts_2, work_2, w1_pos,
                            w1_sorted, C2_begin, w2_sorted, w3_sorted, w4_sorted, w_sorted);
    }
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
