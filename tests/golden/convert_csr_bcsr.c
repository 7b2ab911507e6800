/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (i/2 : dense, j/2 : compressed, i%2 : dense, j%2 : dense)
 *     B        f64   ds
 * schedule: split(i, io, ii, down, 2); precompute(B(i,j), w, {ii,ii,iip}, {j,j,jp}, (i,j) -> (j/2 : bytemap, i : dense, j%2 : dense)); split(j, jo, ji, down, 2); reorder(jo, ii, ji)
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
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    uint64_t *w1_crd_bits = NULL;
    int32_t *w_at = NULL;
    uint64_t *w1_crd_some = NULL;
    int status = 1;
    int32_t pA2 = 0;
    int32_t A2_capacity = 16;
    int32_t nw1 = 0;
    int64_t w1_crd_rows = 0;
    int64_t w1_crd_words;
    int32_t io_size = B1_dimension / 2 + (B1_dimension % 2 > 0);
    int32_t jpo_size = B2_dimension / 2 + (B2_dimension % 2 > 0);
    A2_pos = (int32_t *)allocate_array((int64_t)io_size + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array((int64_t)A2_capacity * 2 * 2, sizeof(double));
    if (!A2_crd || !A_vals)
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
        int32_t base = io * 2;
        for (int32_t iip = 0; iip < min_i32(2, B1_dimension - base); iip++) {
            int32_t i2 = base + iip;
            for (int32_t pB2 = B2_pos[i2]; pB2 < B2_pos[i2 + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                int32_t jpo = jp / 2;
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
        int64_t A2_needed = (int64_t)pA2 + nw1;
        if (A2_capacity < A2_needed) {
            if (A2_needed > 2147483647) {
                status = 2;
                goto fail;
            }
            A2_capacity = max_i32(A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity,
                (int32_t)A2_needed);
            A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
            A_vals = (double *)reallocate_array(A_vals, (int64_t)A2_capacity * 2 * 2,
                sizeof(double));
            if (!A2_crd || !A_vals)
                goto fail;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t jo = w1_crd[pw1];
            memset(A_vals + (int64_t)pA2 * 4, 0, 4 * sizeof(double));
            w_at[jo] = pA2;
            A2_crd[pA2] = jo;
            pA2++;
        }
        for (int32_t iip = 0; iip < min_i32(2, B1_dimension - io * 2); iip++) {
            int32_t i2 = base + iip;
            for (int32_t pB2 = B2_pos[i2]; pB2 < B2_pos[i2 + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                int32_t jpo = jp / 2;
                int32_t jpi = jp % 2;
                A_vals[((int64_t)w_at[jpo] * 2 + iip) * 2 + jpi] = B_vals[pB2];
            }
        }
        for (int32_t pw = 0; pw < nw1; pw++)
            w1_map[w1_crd[pw]] = false;
        A2_pos[io + 1] = pA2;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_at);
    SPCC_FREE(w1_crd_some);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_at);
    SPCC_FREE(w1_crd_some);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
