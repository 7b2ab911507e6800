/* next(j) = and(any(i, and(frontier(i), A(i,j))), not(seen(j)))
 *     next     bool  s
 *     frontier bool  s
 *     A        bool  ds
 *     seen     bool  d
 * schedule: precompute(t, w, {j,j,jp}, bytemap); reorder(i, jp)
 * made by spcc VERSION with
 *     spcc 'next(j) = and(any(i, and(frontier(i), A(i,j))), not(seen(j)))' -f 'A:csr' -t 'A:bool' -f 'frontier:sparse' -t 'frontier:bool' -f 'next:sparse' -t 'next:bool' -t 'seen:bool' --name=compute_next
 *
 *   frontier1_dimension  size of mode 1 of frontier: the range of i
 *   frontier1_pos        frontier, level 1 (compressed): where each segment begins and ends
 *   frontier1_crd        frontier, level 1 (compressed): coordinates
 *   frontier_vals        frontier's values
 *   A2_dimension         size of mode 2 of A: the range of j
 *   A2_pos               A, level 2 (compressed): where each segment begins and ends
 *   A2_crd               A, level 2 (compressed): coordinates
 *   A_vals               A's values
 *   seen_vals            seen's values
 *   next1_pos_out        next, level 1 (compressed): where each segment begins and ends
 *   next1_crd_out        next, level 1 (compressed): coordinates
 *   next_vals_out        next's values
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
#include "helpers/shl_u64.c"
#include "helpers/popcount_u64.c"
#include "helpers/ctz_u64.c"
#include "helpers/max_i64.c"
#include "helpers/allocate_array.c"
#include "helpers/min_i32.c"
#include "helpers/max_i32.c"
#include "helpers/reallocate_array.c"
#include "helpers/sort_ascends_i32.c"
#include "helpers/sort_few_i32.c"
#include "helpers/sort_rank_i32.c"
#include "helpers/sort_walk_i32.c"
#include "helpers/sort_set_i32.c"
#include "helpers/sort_take_i32.c"
#include "helpers/sort_sparse_i32.c"
#include "helpers/sort_ascending_i32.c"
#include "helpers/sort_row_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int compute_next(int32_t frontier1_dimension, const int32_t *restrict frontier1_pos,
                 const int32_t *restrict frontier1_crd, const bool *restrict frontier_vals,
                 int32_t A2_dimension, const int32_t *restrict A2_pos,
                 const int32_t *restrict A2_crd, const bool *restrict A_vals,
                 const bool *restrict seen_vals, int32_t **next1_pos_out, int32_t **next1_crd_out,
                 bool **next_vals_out)
{
    (void)frontier1_dimension;
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    int32_t *next1_pos = NULL, *next1_crd = NULL;
    bool *next_vals = NULL, *w1_map = NULL;
    int32_t *w1_crd = NULL;
    bool *w_vals = NULL;
    uint64_t *w1_crd_bits = NULL, *w1_crd_some = NULL;
    int status = 1;
    int32_t pnext1 = 0;
    int32_t next1_capacity = 16;
    int32_t nw1 = 0;
    int64_t next1_needed;
    next1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!next1_pos)
        goto fail;
    next1_pos[0] = 0;
    next1_crd = (int32_t *)allocate_array(next1_capacity, sizeof(int32_t));
    next_vals = (bool *)allocate_array(next1_capacity, sizeof(bool));
    if (!next1_crd || !next_vals)
        goto fail;
    w1_map = (bool *)allocate_array(A2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(A2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)A2_dimension * sizeof(bool));
    w_vals = (bool *)allocate_array(A2_dimension, sizeof(bool));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)A2_dimension * sizeof(bool));
    w1_crd_bits = (uint64_t *)allocate_array((int64_t)A2_dimension / 64 + 1, sizeof(uint64_t));
    if (!w1_crd_bits)
        goto fail;
    memset(w1_crd_bits, 0, (size_t)((int64_t)A2_dimension / 64 + 1) * sizeof(uint64_t));
    w1_crd_some = (uint64_t *)allocate_array(((int64_t)A2_dimension / 64 + 1) / 64 + 1,
        sizeof(uint64_t));
    if (!w1_crd_some)
        goto fail;
    memset(w1_crd_some, 0, (size_t)(((int64_t)A2_dimension / 64 + 1) / 64 + 1) * sizeof(uint64_t));
    for (int32_t pfrontier1 = frontier1_pos[0]; pfrontier1 < frontier1_pos[1]; pfrontier1++) {
        int32_t i = frontier1_crd[pfrontier1];
        bool frontier_val = frontier_vals[pfrontier1];
        int32_t pA2_next = A2_pos[frontier1_crd[pfrontier1
            + min_i32(frontier1_pos[1] - 1 - pfrontier1, 16)]];
        __builtin_prefetch(A2_crd + pA2_next);
        __builtin_prefetch(A_vals + pA2_next);
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t jp = A2_crd[pA2];
            if (!w1_map[jp]) {
                w1_map[jp] = true;
                w1_crd[nw1] = jp;
                nw1++;
            }
            w_vals[jp] |= A_vals[pA2] && frontier_val;
        }
    }
    if (!sort_ascends_i32(nw1, w1_crd))
        sort_row_i32(nw1, w1_crd, w1_map, 0, w1_crd_bits, w1_crd_some, w1_crd_was, w1_crd_rank);
    next1_needed = (int64_t)pnext1 + nw1;
    if (next1_capacity < next1_needed) {
        if (next1_needed > 2147483647) {
            status = 2;
            goto fail;
        }
        next1_capacity = max_i32(next1_capacity > 1073741823 ? 2147483647 : 2 * next1_capacity,
            (int32_t)next1_needed);
        next1_crd = (int32_t *)reallocate_array(next1_crd, next1_capacity, sizeof(int32_t));
        next_vals = (bool *)reallocate_array(next_vals, next1_capacity, sizeof(bool));
        if (!next1_crd || !next_vals)
            goto fail;
    }
    for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
        int32_t j = w1_crd[pw1];
        next_vals[pnext1] = !seen_vals[j] && w_vals[j];
        next1_crd[pnext1] = j;
        pnext1++;
    }
    next1_pos[1] = pnext1;
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w1_crd_some);
    *next1_pos_out = next1_pos;
    *next1_crd_out = next1_crd;
    *next_vals_out = next_vals;
    return 0;

fail:
    SPCC_FREE(next1_pos);
    SPCC_FREE(next1_crd);
    SPCC_FREE(next_vals);
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w1_crd_some);
    *next1_pos_out = NULL;
    *next1_crd_out = NULL;
    *next_vals_out = NULL;
    return status;
}

/* seen(j) |= next(j)
 *     seen     bool  d
 *     next     bool  s
 * made by spcc VERSION with
 *     spcc 'seen(j) |= next(j)' -f 'next:sparse' -t 'next:bool' -t 'seen:bool' --name=compute_seen
 *
 *   next1_dimension  size of mode 1 of next: the range of j
 *   next1_pos        next, level 1 (compressed): where each segment begins and ends
 *   next1_crd        next, level 1 (compressed): coordinates
 *   next_vals        next's values
 *   seen_vals        seen's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int compute_seen(int32_t next1_dimension, const int32_t *restrict next1_pos,
                 const int32_t *restrict next1_crd, const bool *restrict next_vals,
                 bool *restrict seen_vals)
{
    (void)next1_dimension;
    for (int32_t pnext1 = next1_pos[0]; pnext1 < next1_pos[1]; pnext1++) {
        int32_t j = next1_crd[pnext1];
        seen_vals[j] |= next_vals[pnext1];
    }
    return 0;
}
