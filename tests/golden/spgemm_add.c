/* C(i,j) = A(i,k) * B(k,j) + D(i,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 *     D        f64   ds
 * schedule: precompute(t + D(i,j), w, {j,j,jp}, bytemap); precompute(t, w2, {jp,jp,jpp}, bytemap(unordered)); sequence(w2); reorder(k, jpp)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j) + D(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -f 'D:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   D2_pos        D, level 2 (compressed): where each segment begins and ends
 *   D2_crd        D, level 2 (compressed): coordinates
 *   D_vals        D's values
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals, int32_t B2_dimension,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, const int32_t *restrict D2_pos,
             const int32_t *restrict D2_crd, const double *restrict D_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    uint64_t *w1_crd_bits = NULL;
    double *w_vals = NULL;
    uint64_t *w1_crd_some = NULL;
    int status = 1;
    int32_t nw1 = 0;
    int64_t w1_crd_rows = 0;
    int64_t C_room = 0;
    int32_t pC2 = 0;
    int64_t w1_crd_words;
    int32_t C2_capacity;
    int32_t pA2_last = A2_pos[A1_dimension];
    w1_map = (bool *)allocate_array(B2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)B2_dimension * sizeof(bool));
    w1_crd_words = (int64_t)B2_dimension / 64 + 1;
    w1_crd_bits = (uint64_t *)allocate_array(w1_crd_words, sizeof(uint64_t));
    if (!w1_crd_bits)
        goto fail;
    memset(w1_crd_bits, 0, (size_t)w1_crd_words * sizeof(uint64_t));
    w_vals = (double *)allocate_array(B2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)B2_dimension * sizeof(double));
    w1_crd_some = (uint64_t *)allocate_array(w1_crd_words / 64 + 1, sizeof(uint64_t));
    if (!w1_crd_some)
        goto fail;
    memset(w1_crd_some, 0, (size_t)(w1_crd_words / 64 + 1) * sizeof(uint64_t));
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t C_row = 0;
        C_row += D2_pos[i + 1] - D2_pos[i];
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            C_row += B2_pos[k + 1] - B2_pos[k];
        }
        C_room += min_i64(C_row, B2_dimension);
    }
    C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_capacity = (int32_t)min_i64(max_i64(C_room / 16, 16), 2147483647);
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        nw1 = 0;
        for (int32_t pD2 = D2_pos[i]; pD2 < D2_pos[i + 1]; pD2++) {
            int32_t jp = D2_crd[pD2];
            if (w1_crd_rows > 0) {
                w1_crd_bits[(int64_t)((uint64_t)jp / 64)] |= shl_u64(1, (uint64_t)jp % 64);
            } else if (!w1_map[jp]) {
                w1_map[jp] = true;
                w1_crd[nw1] = jp;
                nw1++;
            }
            w_vals[jp] = D_vals[pD2];
        }
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int32_t pB2_next = B2_pos[A2_crd[pA2 + pA2_ahead]];
            __builtin_prefetch(B2_crd + pB2_next);
            __builtin_prefetch(B_vals + pB2_next);
            for (int32_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                int32_t jpp = B2_crd[pB2];
                if (w1_crd_rows > 0) {
                    w1_crd_bits[(int64_t)((uint64_t)jpp / 64)] |= shl_u64(1, (uint64_t)jpp % 64);
                } else if (!w1_map[jpp]) {
                    w1_map[jpp] = true;
                    w1_crd[nw1] = jpp;
                    nw1++;
                }
                w_vals[jpp] += A_val * B_vals[pB2];
            }
        }
        if (w1_crd_rows > 0) {
            nw1 = (int32_t)sort_count_u64(w1_crd_words, w1_crd_bits);
            sort_take_i32(B2_dimension, w1_crd, 0, 0, w1_crd_words, w1_crd_bits);
            w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? w1_crd_rows - 1 : 0;
        } else if (!sort_ascends_i32(nw1, w1_crd)) {
            sort_row_i32(nw1, w1_crd, w1_map, 0, w1_crd_bits, w1_crd_some, w1_crd_was, w1_crd_rank);
            w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? 64 : 0;
        }
        int64_t C2_needed = (int64_t)pC2 + nw1;
        if (C2_capacity < C2_needed) {
            if (C2_needed > 2147483647) {
                status = 2;
                goto fail;
            }
            C2_capacity = max_i32(C2_capacity > 1073741823 ? 2147483647 : 2 * C2_capacity,
                (int32_t)C2_needed);
            int64_t C_done = (int64_t)i + 1;
            int64_t C_expected = C2_needed * A1_dimension / C_done;
            C2_capacity = (int32_t)min_i64(max_i64(min_i64(C_expected + C_expected / 16, C_room),
                C2_capacity), 2147483647);
            C2_crd = (int32_t *)reallocate_array(C2_crd, C2_capacity, sizeof(int32_t));
            C_vals = (double *)reallocate_array(C_vals, C2_capacity, sizeof(double));
            if (!C2_crd || !C_vals)
                goto fail;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t j = w1_crd[pw1];
            C_vals[pC2] = w_vals[j];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (int32_t pw = 0; pw < nw1; pw++) {
            w1_map[w1_crd[pw]] = false;
            w_vals[w1_crd[pw]] = 0.0;
        }
        C2_pos[i + 1] = pC2;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_some);
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
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_some);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
