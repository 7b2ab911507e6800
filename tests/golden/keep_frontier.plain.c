/* next(j) = keep(any(i, and(frontier(i), A(i,j))), not(seen(j)))
 *     next     bool  s
 *     frontier bool  s
 *     A        bool  ds
 *     seen     bool  d
 * schedule: precompute(t, w, {j,j,jp}, bytemap); reorder(i, jp)
 * made by spcc VERSION with
 *     spcc 'next(j) = keep(any(i, and(frontier(i), A(i,j))), not(seen(j)))' -f 'next:s' -t 'next:bool' -f 'frontier:s' -t 'frontier:bool' -t 'seen:bool' -f 'A:csr' -t 'A:bool' --plain
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
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int evaluate_compare_i32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int evaluate(int32_t frontier1_dimension, const int32_t *frontier1_pos,
             const int32_t *frontier1_crd, const bool *frontier_vals, int32_t A2_dimension,
             const int32_t *A2_pos, const int32_t *A2_crd, const bool *A_vals,
             const bool *seen_vals, int32_t **next1_pos_out, int32_t **next1_crd_out,
             bool **next_vals_out)
{
    (void)frontier1_dimension;
    int status = 1;
    int32_t nw1 = 0;
    int64_t pnext1 = 0, next1_capacity = 16;
    int32_t *next1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *next1_crd = (int32_t *)calloc((size_t)next1_capacity, sizeof(int32_t));
    bool *next_vals = (bool *)calloc((size_t)next1_capacity, sizeof(bool));
    bool *w1_map = (bool *)calloc((size_t)A2_dimension + 1, sizeof(bool));
    int32_t *w1_crd = (int32_t *)calloc((size_t)A2_dimension + 1, sizeof(int32_t));
    bool *w_vals = (bool *)calloc((size_t)A2_dimension + 1, sizeof(bool));
    if (!next1_pos || !next1_crd || !next_vals || !w1_map || !w1_crd || !w_vals) goto done;
    for (int32_t pfrontier1 = frontier1_pos[0]; pfrontier1 < frontier1_pos[1]; pfrontier1++) {
        int32_t i = frontier1_crd[pfrontier1];
        bool frontier_val = frontier_vals[pfrontier1];
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t jp = A2_crd[pA2];
            if (!w1_map[jp]) { w1_map[jp] = true; w1_crd[nw1++] = jp; }
            w_vals[jp] |= frontier_val && A_vals[pA2];
        }
    }
    qsort(w1_crd, (size_t)nw1, sizeof(int32_t), evaluate_compare_i32);
    for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
        int32_t j = w1_crd[pw1];
        bool w_val = w_vals[j], seen_val = seen_vals[j];
        if (pnext1 == next1_capacity) {
            next1_capacity *= 2;
            void *longer_next1_crd = realloc(next1_crd, (size_t)next1_capacity * sizeof(int32_t));
            void *longer_next_vals = realloc(next_vals, (size_t)next1_capacity * sizeof(bool));
            next1_crd = longer_next1_crd ? (int32_t *)longer_next1_crd : next1_crd;
            next_vals = longer_next_vals ? (bool *)longer_next_vals : next_vals;
            if (!longer_next1_crd || !longer_next_vals) goto done;
        }
        bool t2 = false;
        if (!seen_val) {
            t2 = w_val;
            next_vals[pnext1] = t2;
            next1_crd[pnext1++] = j;
        }
    }
    next1_pos[1] = (int32_t)pnext1;
    status = pnext1 > 2147483647 ? 2 : 0;
done:
    free(w1_map); free(w1_crd); free(w_vals);
    if (status != 0) { free(next1_pos); free(next1_crd); free(next_vals); }
    *next1_pos_out = status != 0 ? NULL : next1_pos;
    *next1_crd_out = status != 0 ? NULL : next1_crd;
    *next_vals_out = status != 0 ? NULL : next_vals;
    return status;
}
