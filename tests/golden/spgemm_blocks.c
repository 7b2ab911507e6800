/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     B        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 * schedule: split(i, io, ii, down, 4); precompute(A(i,k) * B(k,j), w, {ii,ii,iip}, {j,j,jp}, (i,j) -> (j/4 : bytemap, i : dense, j%4 : dense)); split(j, jo, ji, down, 4); reorder(jo, ii, ji); split(k, ko, ki, down, 4); split(jp, jpo, jpi, down, 4); reorder(ko, jpo, iip, ki, jpi)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -f 'A:bcsr(4,4)' -f 'B:bcsr(4,4)' -f 'C:bcsr(4,4)'
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
             const double *restrict B_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    uint64_t *w1_crd_bits = NULL;
    int32_t *w_at = NULL;
    uint64_t *w1_crd_some = NULL;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    int32_t nw1 = 0;
    int64_t w1_crd_rows = 0;
    int64_t w1_crd_words;
    int32_t pA2_last = A2_pos[A1_dimension / 4 + (A1_dimension % 4 > 0)];
    int32_t io_size = A1_dimension / 4 + (A1_dimension % 4 > 0);
    int32_t jpo_size = B2_dimension / 4 + (B2_dimension % 4 > 0);
    C2_pos = (int32_t *)allocate_array((int64_t)io_size + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array((int64_t)C2_capacity * 4 * 4, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    w1_map = (bool *)allocate_array(jpo_size, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(jpo_size, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)jpo_size * sizeof(bool));
    w1_crd_words = (int64_t)jpo_size / 64 + 1;
    w1_crd_bits = (uint64_t *)allocate_array(w1_crd_words, sizeof(uint64_t));
    if (!w1_crd_bits)
        goto fail;
    memset(w1_crd_bits, 0, (size_t)w1_crd_words * sizeof(uint64_t));
    w_at = (int32_t *)allocate_array(jpo_size, sizeof(int32_t));
    if (!w_at)
        goto fail;
    w1_crd_some = (uint64_t *)allocate_array(w1_crd_words / 64 + 1, sizeof(uint64_t));
    if (!w1_crd_some)
        goto fail;
    memset(w1_crd_some, 0, (size_t)(w1_crd_words / 64 + 1) * sizeof(uint64_t));
    for (int32_t io = 0; io < io_size; io++) {
        nw1 = 0;
        int32_t pA2_ahead = A2_pos[io + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
            int32_t ko = A2_crd[pA2];
            int32_t pB2_next = B2_pos[A2_crd[pA2 + pA2_ahead]];
            __builtin_prefetch(B2_crd + pB2_next);
            for (int32_t pB2 = B2_pos[ko]; pB2 < B2_pos[ko + 1]; pB2++) {
                int32_t jpo = B2_crd[pB2];
                if (w1_crd_rows > 0) {
                    w1_crd_bits[(int64_t)((uint64_t)jpo / 64)] |= shl_u64(1, (uint64_t)jpo % 64);
                } else if (!w1_map[jpo]) {
                    w1_map[jpo] = true;
                    w1_crd[nw1] = jpo;
                    nw1++;
                }
            }
        }
        if (w1_crd_rows > 0) {
            nw1 = (int32_t)sort_count_u64(w1_crd_words, w1_crd_bits);
            sort_take_i32(jpo_size, w1_crd, 0, 0, w1_crd_words, w1_crd_bits);
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
            C2_crd = (int32_t *)reallocate_array(C2_crd, C2_capacity, sizeof(int32_t));
            C_vals = (double *)reallocate_array(C_vals, (int64_t)C2_capacity * 4 * 4,
                sizeof(double));
            if (!C2_crd || !C_vals)
                goto fail;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t jo = w1_crd[pw1];
            memset(C_vals + (int64_t)pC2 * 16, 0, 16 * sizeof(double));
            w_at[jo] = pC2;
            C2_crd[pC2] = jo;
            pC2++;
        }
        int32_t base = A1_dimension - io * 4;
        int32_t pA2_ahead0 = A2_pos[io + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
            int32_t ko = A2_crd[pA2];
            int64_t base_2 = (int64_t)pA2 * 4;
            int32_t base_3 = A2_dimension - ko * 4;
            int32_t pB2_next0 = B2_pos[A2_crd[pA2 + pA2_ahead0]];
            __builtin_prefetch(B2_crd + pB2_next0);
            for (int32_t pB2 = B2_pos[ko]; pB2 < B2_pos[ko + 1]; pB2++) {
                int32_t jpo = B2_crd[pB2];
                int32_t pw = w_at[jpo];
                int64_t base_4 = (int64_t)pB2 * 4;
                int32_t base_5 = B2_dimension - jpo * 4;
                int64_t C_base = (int64_t)pw * 4;
                if (base >= 4 && base_3 >= 4 && base_5 >= 4) {
                    for (int32_t iip = 0; iip < 4; iip++) {
                        int64_t pA3 = base_2 + iip;
                        int64_t A_base = pA3 * 4;
                        int64_t C_base_2 = (C_base + iip) * 4;
                        for (int32_t ki = 0; ki < 4; ki++) {
                            double A_val = A_vals[A_base + ki];
                            int64_t pB3 = base_4 + ki;
                            int64_t B_base = pB3 * 4;
                            for (int32_t jpi = 0; jpi < 4; jpi++)
                                C_vals[C_base_2 + jpi] += A_val * B_vals[B_base + jpi];
                        }
                    }
                } else {
                    int32_t iip_end = 4 < base ? 4 : base;
                    int32_t ki_end = 4 < base_3 ? 4 : base_3;
                    int32_t jpi_end = 4 < base_5 ? 4 : base_5;
                    for (int32_t iip = 0; iip < iip_end; iip++) {
                        int64_t pA3 = base_2 + iip;
                        int64_t A_base = pA3 * 4;
                        int64_t C_base_2 = (C_base + iip) * 4;
                        for (int32_t ki = 0; ki < ki_end; ki++) {
                            double A_val = A_vals[A_base + ki];
                            int64_t pB3 = base_4 + ki;
                            int64_t B_base = pB3 * 4;
                            for (int32_t jpi = 0; jpi < jpi_end; jpi++)
                                C_vals[C_base_2 + jpi] += A_val * B_vals[B_base + jpi];
                        }
                    }
                }
            }
        }
        for (int32_t pw = 0; pw < nw1; pw++)
            w1_map[w1_crd[pw]] = false;
        C2_pos[io + 1] = pC2;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_at);
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
    SPCC_FREE(w_at);
    SPCC_FREE(w1_crd_some);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
