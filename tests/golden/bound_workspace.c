/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: bound(j,jb,256,most); reorder(i,k,jb); precompute(B(i,k)*C(k,jb),w,{jb,jb,jp},bytemap)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'bound(j,jb,256,most); reorder(i,k,jb); precompute(B(i,k)*C(k,jb),w,{jb,jb,jp},bytemap)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
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
 * positions can count, or 4 where a size is not what the schedule's bounds say.
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

#include "helpers/popcount_u64.c"
#include "helpers/ctz_u64.c"
#include "helpers/min_i64.c"
#include "helpers/shl_u64.c"
#include "helpers/max_i64.c"
#include "helpers/allocate_array.c"
#include "helpers/max_i32.c"
#include "helpers/reallocate_array.c"
#include "helpers/sort_count_u64.c"
#include "helpers/sort_take_i32.c"
#include "helpers/sort_ascends_i32.c"
#include "helpers/sort_few_i32.c"
#include "helpers/sort_rank_i32.c"
#include "helpers/sort_walk_i32.c"
#include "helpers/sort_set_i32.c"
#include "helpers/sort_sparse_i32.c"
#include "helpers/sort_ascending_i32.c"
#include "helpers/sort_row_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B2_dimension;
    bool w1_map[256];
    int32_t w1_crd[256];
    double w_vals[256];
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    uint64_t *w1_crd_bits = NULL, *w1_crd_some = NULL;
    int status = 1;
    int32_t nw1 = 0;
    int64_t w1_crd_rows = 0;
    int64_t A_room = 0;
    int32_t pA2 = 0;
    int64_t w1_crd_words;
    int32_t A2_capacity;
    int32_t pB2_last = B2_pos[B1_dimension];
    if ((int64_t)C2_dimension > 256) {
        status = 4;
        goto fail;
    }
    memset(w1_map, 0, (size_t)C2_dimension * sizeof(bool));
    w1_crd_words = (int64_t)C2_dimension / 64 + 1;
    w1_crd_bits = (uint64_t *)allocate_array(w1_crd_words, sizeof(uint64_t));
    if (!w1_crd_bits)
        goto fail;
    memset(w1_crd_bits, 0, (size_t)w1_crd_words * sizeof(uint64_t));
    memset(w_vals, 0, (size_t)C2_dimension * sizeof(double));
    w1_crd_some = (uint64_t *)allocate_array(w1_crd_words / 64 + 1, sizeof(uint64_t));
    if (!w1_crd_some)
        goto fail;
    memset(w1_crd_some, 0, (size_t)(w1_crd_words / 64 + 1) * sizeof(uint64_t));
    for (int32_t i = 0; i < B1_dimension; i++) {
        int64_t A_row = 0;
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            A_row += C2_pos[k + 1] - C2_pos[k];
        }
        A_room += min_i64(A_row, C2_dimension);
    }
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int32_t)min_i64(max_i64(A_room / 16, 16), 2147483647);
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        nw1 = 0;
        int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 16 ? 16 : 0;
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            int32_t pC2_next = C2_pos[B2_crd[pB2 + pB2_ahead]];
            __builtin_prefetch(C2_crd + pC2_next);
            __builtin_prefetch(C_vals + pC2_next);
            for (int32_t pC2 = C2_pos[k]; pC2 < C2_pos[k + 1]; pC2++) {
                int32_t jp = C2_crd[pC2];
                if (w1_crd_rows > 0) {
                    w1_crd_bits[(int64_t)((uint64_t)jp / 64)] |= shl_u64(1, (uint64_t)jp % 64);
                } else if (!w1_map[jp]) {
                    w1_map[jp] = true;
                    w1_crd[nw1] = jp;
                    nw1++;
                }
                w_vals[jp] += B_val * C_vals[pC2];
            }
        }
        if (w1_crd_rows > 0) {
            nw1 = (int32_t)sort_count_u64(w1_crd_words, w1_crd_bits);
            sort_take_i32(C2_dimension, w1_crd, 0, 0, w1_crd_words, w1_crd_bits);
            w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? w1_crd_rows - 1 : 0;
        } else if (!sort_ascends_i32(nw1, w1_crd)) {
            sort_row_i32(nw1, w1_crd, w1_map, 0, w1_crd_bits, w1_crd_some, w1_crd_was, w1_crd_rank);
            w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? 64 : 0;
        }
        int64_t A2_needed = (int64_t)pA2 + nw1;
        if (A2_capacity < A2_needed) {
            if (A2_needed > 2147483647) {
                status = 2;
                goto fail;
            }
            A2_capacity = max_i32(A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity,
                (int32_t)A2_needed);
            int64_t A_done = (int64_t)i + 1;
            int64_t A_expected = A2_needed * B1_dimension / A_done;
            A2_capacity = (int32_t)min_i64(max_i64(min_i64(A_expected + A_expected / 16, A_room),
                A2_capacity), 2147483647);
            A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
            A_vals = (double *)reallocate_array(A_vals, A2_capacity, sizeof(double));
            if (!A2_crd || !A_vals)
                goto fail;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t jb = w1_crd[pw1];
            A_vals[pA2] = w_vals[jb];
            A2_crd[pA2] = jb;
            pA2++;
        }
        for (int32_t pw = 0; pw < nw1; pw++) {
            w1_map[w1_crd[pw]] = false;
            w_vals[w1_crd[pw]] = 0.0;
        }
        A2_pos[i + 1] = pA2;
    }
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w1_crd_some);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w1_crd_some);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
