/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     B        f64   uq
 * schedule: collect(A, w)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:dia' -f 'B:coo'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B_vals        B's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
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

#ifndef SPCC_HAS_max_i32
#define SPCC_HAS_max_i32
static inline int32_t max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}
#endif

#ifndef SPCC_HAS_allocate_array
#define SPCC_HAS_allocate_array
/* Room for n elements of size bytes; NULL if there is none. */
static inline void *allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_MALLOC(n > 0 ? (size_t)n * size : size);
}
#endif

#ifndef SPCC_HAS_sort_run_i32_i32
#define SPCC_HAS_sort_run_i32_i32
/* The end of the run that order[from, end) begins with, in which key ascends. */
static inline int64_t sort_run_i32_i32(int64_t from, int64_t end, const int32_t *restrict key,
                                       const int32_t *restrict order)
{
    int64_t to = from + 1;
    while (to < end && key[order[to - 1]] <= key[order[to]])
        to++;
    return to;
}
#endif

#ifndef SPCC_HAS_sort_merge_i32_i32
#define SPCC_HAS_sort_merge_i32_i32
/* order[from, end): its runs [from, middle) and [middle, end) merged; of what is alike the former first. */
static inline void sort_merge_i32_i32(int64_t from, int64_t middle, int64_t end,
                                      const int32_t *restrict key, int32_t *restrict order,
                                      int32_t *restrict other)
{
    for (int64_t p = from; p < middle; p++)
        other[p] = order[p];
    int64_t left_ = from;
    int64_t right = middle;
    while (left_ < middle && right < end) {
        bool first = key[other[left_]] <= key[order[right]];
        order[left_ + right - middle] = first ? other[left_] : order[right];
        left_ += first;
        right += 1 - (int64_t)first;
    }
    for (int64_t p = left_; p < middle; p++)
        order[p + right - middle] = other[p];
}
#endif

#ifndef SPCC_HAS_sort_runs_i32_i32
#define SPCC_HAS_sort_runs_i32_i32
/* order[begin, end) sorted by key: neighbouring runs are merged until there is one. */
static inline void sort_runs_i32_i32(int64_t begin, int64_t end, const int32_t *restrict key,
                                     int32_t *restrict order, int32_t *restrict other)
{
    int64_t runs = 2;
    while (runs > 1) {
        runs = 0;
        int64_t from = begin;
        while (from < end) {
            int64_t middle = sort_run_i32_i32(from, end, key, order);
            int64_t to = middle;
            if (middle < end) {
                to = sort_run_i32_i32(middle, end, key, order);
                sort_merge_i32_i32(from, middle, to, key, order, other);
            }
            from = to;
            runs++;
        }
    }
}
#endif

#ifndef SPCC_HAS_sort_digit
#define SPCC_HAS_sort_digit
/* The last digit. */
static inline int64_t sort_digit(uint64_t rest, bool narrow)
{
    return (int64_t)(narrow ? rest % 64 : rest % 256);
}
#endif

#ifndef SPCC_HAS_sort_other
#define SPCC_HAS_sort_other
/* The one before it. */
static inline int64_t sort_other(uint64_t rest, bool narrow)
{
    return sort_digit(narrow ? rest / 64 : rest / 256, narrow);
}
#endif

#ifndef SPCC_HAS_sort_count
#define SPCC_HAS_sort_count
/* place[0, base), place[base, 2 * base): one more for each of the two last digits. */
static inline void sort_count(uint64_t rest, bool narrow, int64_t base, int64_t *restrict place)
{
    place[sort_digit(rest, narrow)]++;
    place[sort_other(rest, narrow) + base]++;
}
#endif

#ifndef SPCC_HAS_sort_rest_i32
#define SPCC_HAS_sort_rest_i32
/* What a number is above least, without its last `pairs` pairs of digits to the base 64 or 256. */
static inline uint64_t sort_rest_i32(int32_t number, int64_t least, int64_t pairs, bool narrow)
{
    uint64_t rest = (uint64_t)(number - least);
    for (int64_t left_ = 0; left_ < pairs; left_++)
        rest = narrow ? rest / 4096 : rest / 65536;
    return rest;
}
#endif

#ifndef SPCC_HAS_sort_places
#define SPCC_HAS_sort_places
/* How many have a digit becomes how many have a lower one. */
static inline void sort_places(int64_t *restrict place, int64_t base)
{
    int64_t last = 0;
    int64_t other = 0;
    for (int64_t d = 0; d < base; d++) {
        int64_t here = place[d];
        int64_t there = place[d + base];
        place[d] = last;
        place[d + base] = other;
        last += here;
        other += there;
    }
}
#endif

#ifndef SPCC_HAS_sort_by_i32_i32
#define SPCC_HAS_sort_by_i32_i32
/* order[begin, end), each of these numbers once, sorted by key, which is in [low, low + dimension); what is alike stays in order. */
static inline void sort_by_i32_i32(int64_t begin, int64_t end, const int32_t *restrict key,
                                   int64_t low, int64_t dimension, int32_t *restrict order,
                                   int32_t *restrict other, int64_t *restrict place)
{
    if (end - begin <= 64) {
        sort_runs_i32_i32(begin, end, key, order, other);
        return;
    }
    int64_t pairs = 0;
    int64_t most = dimension - 1;
    while (most > 0) {
        memset(place, 0, 512 * sizeof(int64_t));
        for (int64_t p = begin; p < end; p++)
            sort_count(sort_rest_i32(key[p], low, pairs, false), false, 256, place);
        sort_places(place, 256);
        for (int64_t p = begin; p < end; p++) {
            int64_t d = sort_digit(sort_rest_i32(key[order[p]], low, pairs, false), false);
            other[begin + place[d]] = order[p];
            place[d]++;
        }
        if (most > 255) {
            for (int64_t p = begin; p < end; p++) {
                int64_t d = sort_other(sort_rest_i32(key[other[p]], low, pairs, false), false)
                    + 256;
                order[begin + place[d]] = other[p];
                place[d]++;
            }
        } else {
            for (int64_t p = begin; p < end; p++)
                order[p] = other[p];
        }
        most = most / 65536;
        pairs++;
    }
}
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             double **A_vals_out)
{
    int32_t *A1_pos = NULL, *A1_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL;
    double *w_vals = NULL;
    int32_t *w_order = NULL, *w_other = NULL;
    int64_t *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL;
    double *w_sorted = NULL;
    int32_t pA1 = 0;
    int32_t nA1 = 0;
    int32_t pB1, pB1_end, A1_capacity, pw1, pw1_end;
    int32_t d2_size = max_i32(B2_dimension + B1_dimension - 1, 0);
    int32_t nw = 0;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!w1_pos)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    w2_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w2_crd)
        goto fail;
    w3_crd = (int32_t *)allocate_array(B1_pos[1], sizeof(int32_t));
    if (!w3_crd)
        goto fail;
    w_vals = (double *)allocate_array(B1_pos[1], sizeof(double));
    if (!w_vals)
        goto fail;
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    while (pB1 < pB1_end) {
        int32_t i = B1_crd[pB1];
        int32_t pB1_next = pB1;
        while (pB1_next < pB1_end && B1_crd[pB1_next] == i)
            pB1_next++;
        for (int32_t pB2 = pB1; pB2 < pB1_next; pB2++) {
            int32_t j = B2_crd[pB2];
            int32_t d2 = j - i;
            w1_crd[nw] = d2;
            w2_crd[nw] = i;
            w3_crd[nw] = j;
            w_vals[nw] = B_vals[pB2];
            nw++;
        }
        pB1 = pB1_next;
    }
    w_order = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_other = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_place = (int64_t *)allocate_array(512, sizeof(int64_t));
    if (!w_order || !w_other || !w_place)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    sort_by_i32_i32(0, nw, w1_crd, 1 - B1_dimension, d2_size, w_order, w_other, w_place);
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w3_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w1_sorted || !w2_sorted || !w3_sorted || !w_sorted)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++) {
        int32_t w_from = w_order[pw];
        w1_sorted[pw] = w1_crd[w_from];
        w2_sorted[pw] = w2_crd[w_from];
        w3_sorted[pw] = w3_crd[w_from];
        w_sorted[pw] = w_vals[w_from];
    }
    SPCC_FREE(w_order); w_order = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w3_crd); w3_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    A1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!A1_pos)
        goto fail;
    A1_pos[0] = 0;
    for (int32_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1])
            nA1++;
    }
    A1_capacity = nA1;
    A1_crd = (int32_t *)allocate_array(A1_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array((int64_t)A1_capacity * B1_dimension, sizeof(double));
    if (!A1_crd || !A_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t d = w1_sorted[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == d)
            pw1_next++;
        int64_t A_base = (int64_t)pA1 * B1_dimension;
        memset(A_vals + A_base, 0, (size_t)B1_dimension * sizeof(double));
        for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
            int32_t ic = w2_sorted[pw2];
            int32_t jc = ic + d;
            if (w3_sorted[pw2] == jc)
                A_vals[A_base + ic] = w_sorted[pw2];
        }
        A1_crd[pA1] = d;
        pA1++;
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w_sorted);
    A1_pos[1] = pA1;
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A1_pos);
    SPCC_FREE(A1_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w3_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w_order);
    SPCC_FREE(w_other);
    SPCC_FREE(w_place);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w_sorted);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A_vals_out = NULL;
    return 1;
}
