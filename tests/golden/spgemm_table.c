/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: reorder(i, k, j); precompute(A(i,k)*B(k,j),w,{j,j,jp},hash); precompute(w(j),w2,{j,j,jp2},coo)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -d j:1000000000 -s 'reorder(i, k, j); precompute(A(i,k)*B(k,j),w,{j,j,jp},hash); precompute(w(j),w2,{j,j,jp2},coo)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j, which must be 1000000000
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
#include "helpers/reallocate_array.c"
#include "helpers/max_i32.c"
#include "helpers/probe_i32.c"
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t B2_dimension,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    (void)A2_dimension;
    (void)B2_dimension;
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int32_t *w1_crd = NULL;
    double *w_vals = NULL;
    int32_t *w1_taken = NULL;
    double *w_taken = NULL;
    int32_t *w21_pos = NULL, *w21_crd = NULL;
    double *w2_vals = NULL;
    int64_t *w2_order = NULL, *w2_other = NULL, *w2_place = NULL;
    int32_t *w21_sorted = NULL;
    double *w2_sorted = NULL;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    int32_t w_capacity = 16;
    int32_t nw1 = 16;
    int32_t nw = 0;
    int32_t pA2_last = A2_pos[A1_dimension];
    C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    w1_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w1_crd || !w_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        if (nw < nw1 / 8 && nw1 > 16)
            nw1 = nw1 / 2;
        nw = 0;
        for (int64_t at = 0; at < nw1; at++)
            w1_crd[at] = -1;
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int32_t pB2_next = B2_pos[A2_crd[pA2 + pA2_ahead]];
            __builtin_prefetch(B2_crd + pB2_next);
            __builtin_prefetch(B_vals + pB2_next);
            for (int32_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                if (nw >= nw1 / 2) {
                    int64_t nw_taken = 0;
                    w1_taken = (int32_t *)allocate_array(nw, sizeof(int32_t));
                    w_taken = (double *)allocate_array(nw, sizeof(double));
                    if (!w1_taken || !w_taken)
                        goto fail;
                    for (int64_t pw = 0; pw < nw1; pw++) {
                        if (w1_crd[pw] != -1) {
                            w1_taken[nw_taken] = w1_crd[pw];
                            w_taken[nw_taken] = w_vals[pw];
                            nw_taken++;
                        }
                    }
                    if (nw1 > 1073741823) {
                        status = 2;
                        goto fail;
                    }
                    nw1 *= 2;
                    if (w_capacity < nw1) {
                        w_capacity = nw1;
                        w1_crd = (int32_t *)reallocate_array(w1_crd, w_capacity, sizeof(int32_t));
                        w_vals = (double *)reallocate_array(w_vals, w_capacity, sizeof(double));
                        if (!w1_crd || !w_vals)
                            goto fail;
                    }
                    for (int64_t at = 0; at < nw1; at++)
                        w1_crd[at] = -1;
                    for (int64_t pw = 0; pw < nw_taken; pw++) {
                        int64_t pw1 = probe_i32(w1_crd, 0, nw1, w1_taken[pw]);
                        w1_crd[pw1] = w1_taken[pw];
                        w_vals[pw1] = w_taken[pw];
                    }
                    SPCC_FREE(w1_taken); w1_taken = NULL;
                    SPCC_FREE(w_taken); w_taken = NULL;
                }
                int64_t pw1 = probe_i32(w1_crd, 0, nw1, jp);
                if (w1_crd[pw1] == -1) {
                    w1_crd[pw1] = jp;
                    w_vals[pw1] = 0.0;
                    nw++;
                }
                w_vals[pw1] += A_val * B_vals[pB2];
            }
        }
        int32_t nw2 = 0;
        int32_t w2_capacity = 16;
        w21_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
        w21_crd = (int32_t *)allocate_array(w2_capacity, sizeof(int32_t));
        w2_vals = (double *)allocate_array(w2_capacity, sizeof(double));
        if (!w21_pos || !w21_crd || !w2_vals)
            goto fail;
        for (int64_t pw1 = 0; pw1 < nw1; pw1++) {
            if (w1_crd[pw1] != -1) {
                int32_t jp2 = w1_crd[pw1];
                if (nw2 == w2_capacity) {
                    if (w2_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    w2_capacity = w2_capacity > 1073741823 ? 2147483647 : 2 * w2_capacity;
                    w21_crd = (int32_t *)reallocate_array(w21_crd, w2_capacity, sizeof(int32_t));
                    w2_vals = (double *)reallocate_array(w2_vals, w2_capacity, sizeof(double));
                    if (!w21_crd || !w2_vals)
                        goto fail;
                }
                w21_crd[nw2] = jp2;
                w2_vals[nw2] = w_vals[pw1];
                nw2++;
            }
        }
        w2_order = (int64_t *)allocate_array(nw2, sizeof(int64_t));
        w2_other = (int64_t *)allocate_array(nw2, sizeof(int64_t));
        w2_place = (int64_t *)allocate_array(4096, sizeof(int64_t));
        if (!w2_order || !w2_other || !w2_place)
            goto fail;
        for (int64_t pw2 = 0; pw2 < nw2; pw2++)
            w2_order[pw2] = pw2;
        sort_by_i32(0, nw2, w21_crd, 0, 1000000000, w2_order, w2_other, w2_place);
        SPCC_FREE(w2_other); w2_other = NULL;
        SPCC_FREE(w2_place); w2_place = NULL;
        w21_sorted = (int32_t *)allocate_array(nw2, sizeof(int32_t));
        if (!w21_sorted)
            goto fail;
        for (int32_t pw2 = 0; pw2 < nw2; pw2++)
            w21_sorted[pw2] = w21_crd[w2_order[pw2]];
        SPCC_FREE(w21_crd); w21_crd = NULL;
        w2_sorted = (double *)allocate_array(nw2, sizeof(double));
        if (!w2_sorted)
            goto fail;
        for (int32_t pw2 = 0; pw2 < nw2; pw2++)
            w2_sorted[pw2] = w2_vals[w2_order[pw2]];
        SPCC_FREE(w2_vals); w2_vals = NULL;
        SPCC_FREE(w2_order); w2_order = NULL;
        w21_pos[0] = 0;
        w21_pos[1] = nw2;
        int64_t C2_needed = (int64_t)pC2 + (w21_pos[1] - w21_pos[0]);
        if (C2_capacity < C2_needed) {
            if (C2_needed > 2147483647) {
                status = 2;
                goto fail;
            }
            C2_capacity = max_i32(C2_capacity > 1073741823 ? 2147483647 : 2 * C2_capacity,
                (int32_t)C2_needed);
            C2_crd = (int32_t *)reallocate_array(C2_crd, C2_capacity, sizeof(int32_t));
            C_vals = (double *)reallocate_array(C_vals, C2_capacity, sizeof(double));
            if (!C2_crd || !C_vals)
                goto fail;
        }
        for (int32_t pw21 = w21_pos[0]; pw21 < w21_pos[1]; pw21++) {
            int32_t j = w21_sorted[pw21];
            C_vals[pC2] = w2_sorted[pw21];
            C2_crd[pC2] = j;
            pC2++;
        }
        SPCC_FREE(w21_pos); w21_pos = NULL;
        SPCC_FREE(w21_sorted); w21_sorted = NULL;
        SPCC_FREE(w2_sorted); w2_sorted = NULL;
        C2_pos[i + 1] = pC2;
    }
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_taken);
    SPCC_FREE(w_taken);
    SPCC_FREE(w21_pos);
    SPCC_FREE(w21_crd);
    SPCC_FREE(w2_vals);
    SPCC_FREE(w2_order);
    SPCC_FREE(w2_other);
    SPCC_FREE(w2_place);
    SPCC_FREE(w21_sorted);
    SPCC_FREE(w2_sorted);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
