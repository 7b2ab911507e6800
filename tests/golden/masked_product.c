/* C(i,j) = M(i,j) * A(i,k) * B(k,j)
 *     C        f64   ds
 *     M        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: reorder(i, k, j); precompute(M(i,j), w, {j,j,jp}, bytemap); precompute(w(j) * A(i,k) * B(k,j), w2, {j,j,jp2}, bytemap)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = M(i,j) * A(i,k) * B(k,j)' -f 'C:csr' -f 'M:csr' -f 'A:csr' -f 'B:csr'
 *
 *   M1_dimension  size of mode 1 of M: the range of i
 *   M2_dimension  size of mode 2 of M: the range of j
 *   M2_pos        M, level 2 (compressed): where each segment begins and ends
 *   M2_crd        M, level 2 (compressed): coordinates
 *   M_vals        M's values
 *   A2_dimension  size of mode 2 of A: the range of k
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
#include "helpers/min_i32.c"
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
int evaluate(int32_t M1_dimension, int32_t M2_dimension, const int32_t *restrict M2_pos,
             const int32_t *restrict M2_crd, const double *restrict M_vals, int32_t A2_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    int32_t w21_crd_was[48];
    int32_t w21_crd_rank[16];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    double *w_vals = NULL;
    bool *w21_map = NULL;
    int32_t *w21_crd = NULL;
    uint64_t *w21_crd_bits = NULL;
    double *w2_vals = NULL;
    uint64_t *w21_crd_some = NULL;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    int32_t nw1 = 0;
    int32_t nw21 = 0;
    int64_t w21_crd_rows = 0;
    int32_t pB2_plain = 0;
    int64_t w21_crd_words;
    int32_t pB2_last = B2_pos[A2_dimension];
    int32_t pA2_last = A2_pos[M1_dimension];
    C2_pos = (int32_t *)allocate_array((int64_t)M1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    w1_map = (bool *)allocate_array(M2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(M2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)M2_dimension * sizeof(bool));
    w_vals = (double *)allocate_array(M2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)M2_dimension * sizeof(double));
    w21_map = (bool *)allocate_array(M2_dimension, sizeof(bool));
    if (!w21_map)
        goto fail;
    w21_crd = (int32_t *)allocate_array(M2_dimension, sizeof(int32_t));
    if (!w21_crd)
        goto fail;
    memset(w21_map, 0, (size_t)M2_dimension * sizeof(bool));
    w21_crd_words = (int64_t)M2_dimension / 64 + 1;
    w21_crd_bits = (uint64_t *)allocate_array(w21_crd_words, sizeof(uint64_t));
    if (!w21_crd_bits)
        goto fail;
    memset(w21_crd_bits, 0, (size_t)w21_crd_words * sizeof(uint64_t));
    w2_vals = (double *)allocate_array(M2_dimension, sizeof(double));
    if (!w2_vals)
        goto fail;
    memset(w2_vals, 0, (size_t)M2_dimension * sizeof(double));
    w21_crd_some = (uint64_t *)allocate_array(w21_crd_words / 64 + 1, sizeof(uint64_t));
    if (!w21_crd_some)
        goto fail;
    memset(w21_crd_some, 0, (size_t)(w21_crd_words / 64 + 1) * sizeof(uint64_t));
    for (int32_t i = 0; i < M1_dimension; i++) {
        nw1 = 0;
        for (int32_t pM2 = M2_pos[i]; pM2 < M2_pos[i + 1]; pM2++) {
            int32_t jp = M2_crd[pM2];
            if (!w1_map[jp]) {
                w1_map[jp] = true;
                w1_crd[nw1] = jp;
                nw1++;
            }
            w_vals[jp] = M_vals[pM2];
        }
        nw21 = 0;
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int32_t pB2_next = B2_pos[A2_crd[pA2 + pA2_ahead]];
            __builtin_prefetch(B2_crd + pB2_next);
            int32_t pB2_from = B2_pos[k];
            int32_t pB2_end = B2_pos[k + 1];
            if (pB2_plain > 0) {
                pB2_plain--;
            } else {
                int32_t pB2_strips = min_i32(pB2_end, pB2_last - 7);
                for (; pB2_from < pB2_strips; pB2_from += 8) {
                    if (((int32_t)w1_map[B2_crd[pB2_from]] | w1_map[B2_crd[pB2_from + 1]]
                        | w1_map[B2_crd[pB2_from + 2]] | w1_map[B2_crd[pB2_from + 3]]
                        | w1_map[B2_crd[pB2_from + 4]] | w1_map[B2_crd[pB2_from + 5]]
                        | w1_map[B2_crd[pB2_from + 6]] | w1_map[B2_crd[pB2_from + 7]]) != 0) {
                        pB2_plain = 4;
                        break;
                    }
                }
            }
            for (int32_t pB2 = pB2_from; pB2 < pB2_end; pB2++) {
                int32_t jp2 = B2_crd[pB2];
                if (w1_map[jp2]) {
                    if (w21_crd_rows > 0) {
                        w21_crd_bits[(int64_t)((uint64_t)jp2 / 64)] |= shl_u64(1, (uint64_t)jp2
                            % 64);
                    } else if (!w21_map[jp2]) {
                        w21_map[jp2] = true;
                        w21_crd[nw21] = jp2;
                        nw21++;
                    }
                    w2_vals[jp2] += w_vals[jp2] * A_val * B_vals[pB2];
                }
            }
        }
        if (w21_crd_rows > 0) {
            nw21 = (int32_t)sort_count_u64(w21_crd_words, w21_crd_bits);
            sort_take_i32(M2_dimension, w21_crd, 0, 0, w21_crd_words, w21_crd_bits);
            w21_crd_rows = w21_crd_words <= (int64_t)nw21 * 2 ? w21_crd_rows - 1 : 0;
        } else if (!sort_ascends_i32(nw21, w21_crd)) {
            sort_row_i32(nw21, w21_crd, w21_map, 0, w21_crd_bits, w21_crd_some, w21_crd_was,
                         w21_crd_rank);
            w21_crd_rows = w21_crd_words <= (int64_t)nw21 * 2 ? 64 : 0;
        }
        int64_t C2_needed = (int64_t)pC2 + nw21;
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
        for (int32_t pw21 = 0; pw21 < nw21; pw21++) {
            int32_t j = w21_crd[pw21];
            C_vals[pC2] = w2_vals[j];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (int32_t pw2 = 0; pw2 < nw21; pw2++) {
            w21_map[w21_crd[pw2]] = false;
            w2_vals[w21_crd[pw2]] = 0.0;
        }
        for (int32_t pw = 0; pw < nw1; pw++) {
            w1_map[w1_crd[pw]] = false;
            w_vals[w1_crd[pw]] = 0.0;
        }
        C2_pos[i + 1] = pC2;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w21_map);
    SPCC_FREE(w21_crd);
    SPCC_FREE(w21_crd_bits);
    SPCC_FREE(w2_vals);
    SPCC_FREE(w21_crd_some);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w21_map);
    SPCC_FREE(w21_crd);
    SPCC_FREE(w21_crd_bits);
    SPCC_FREE(w2_vals);
    SPCC_FREE(w21_crd_some);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
