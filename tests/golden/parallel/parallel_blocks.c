/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: split(i,i0,i1,down,32); parallelize(i0,cpu_thread,no_races); reorder(i0, i1, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'split(i,i0,i1,down,32); parallelize(i0,cpu_thread,no_races)'
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

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_max_i64
#define SPCC_HAS_max_i64
static inline int64_t max_i64(int64_t a, int64_t b)
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

#ifndef SPCC_HAS_min_i32
#define SPCC_HAS_min_i32
static inline int32_t min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_max_i32
#define SPCC_HAS_max_i32
static inline int32_t max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}
#endif

#ifndef SPCC_HAS_reallocate_array
#define SPCC_HAS_reallocate_array
/* Room for n elements of size bytes that holds what array held; if there is none array is
 * released, and that is NULL. */
static inline void *reallocate_array(void *array, int64_t n, size_t size)
{
    void *longer = NULL;
    if (n >= 0 && (uint64_t)n <= (size_t)-1 / size)
        longer = SPCC_REALLOC(array, n > 0 ? (size_t)n * size : size);
    if (!longer)
        SPCC_FREE(array);
    return longer;
}
#endif

#ifndef SPCC_HAS_thread_count
#define SPCC_HAS_thread_count
#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}
#endif

#ifndef SPCC_HAS_allocate_arrays
#define SPCC_HAS_allocate_arrays
/* Room for n arrays, NULL each, and behind them this room itself, which is the end; for so
 * many that is `few`.  NULL if there is none. */
static inline void **allocate_arrays(int64_t n, int64_t many, void **few)
{
    void **arrays = n == many ? few : n < 0 ? NULL
        : (void **)allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}
#endif

#ifndef SPCC_HAS_move_array
#define SPCC_HAS_move_array
/* What is at this place, which is empty then, instead of array, which is released. */
static inline void *move_array(void *array, void **arrays, int64_t at)
{
    void *moved = arrays[at];
    SPCC_FREE(array);
    arrays[at] = NULL;
    return moved;
}
#endif

#ifndef SPCC_HAS_free_arrays
#define SPCC_HAS_free_arrays
/* Release arrays, and their room unless that is `few`. */
static inline void free_arrays(void **arrays, void **few)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        SPCC_FREE(*at);
    if (arrays != few)
        SPCC_FREE(arrays);
}
#endif

#ifndef SPCC_HAS_sort_few_i32
#define SPCC_HAS_sort_few_i32
/* key[0, n) in ascending order, by inserting. */
static inline void sort_few_i32(int64_t n, int32_t *restrict key)
{
    for (int64_t p = 1; p < n; p++) {
        int32_t moved = key[p];
        int64_t to = p;
        while (to > 0 && key[to - 1] > moved) {
            key[to] = key[to - 1];
            to--;
        }
        key[to] = moved;
    }
}
#endif

#ifndef SPCC_HAS_sort_walk_i32
#define SPCC_HAS_sort_walk_i32
/* key[0, n): the coordinates c from least on for which map[c - low] is set. */
static inline void sort_walk_i32(int64_t n, int32_t *restrict key, const bool *restrict map,
                                 int64_t low, int64_t least)
{
    int64_t found = 0;
    while (found < n) {
        key[found] = (int32_t)least;
        found += map[least - low];
        least++;
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

#ifndef SPCC_HAS_sort_pair_i32
#define SPCC_HAS_sort_pair_i32
/* key[0, n) by a digit of what they are above least, or by both of a pair: there and back. */
static inline void sort_pair_i32(int64_t n, int32_t *restrict key, int64_t least, int64_t pairs,
                                 bool narrow, bool both, int32_t *restrict other,
                                 int64_t *restrict place)
{
    int64_t base = narrow ? 64 : 256;
    memset(place, 0, (size_t)(2 * base) * sizeof(int64_t));
    for (int64_t p = 0; p < n; p++)
        sort_count(sort_rest_i32(key[p], least, pairs, narrow), narrow, base, place);
    sort_places(place, base);
    for (int64_t p = 0; p < n; p++) {
        int64_t d = sort_digit(sort_rest_i32(key[p], least, pairs, narrow), narrow);
        other[place[d]] = key[p];
        place[d]++;
    }
    if (both) {
        for (int64_t p = 0; p < n; p++) {
            int64_t d = sort_other(sort_rest_i32(other[p], least, pairs, narrow), narrow) + base;
            key[place[d]] = other[p];
            place[d]++;
        }
    } else {
        for (int64_t p = 0; p < n; p++)
            key[p] = other[p];
    }
}
#endif

#ifndef SPCC_HAS_sort_row_i32
#define SPCC_HAS_sort_row_i32
/* key[0, n), the coordinates c for which map[c - low] is set, in ascending order. */
static inline void sort_row_i32(int64_t n, int32_t *restrict key, const bool *restrict map,
                                int64_t low, int32_t *restrict other, int64_t *restrict place)
{
    if (n <= 16) {
        sort_few_i32(n, key);
        return;
    }
    int64_t run = 1;
    while (run < n && key[run - 1] < key[run])
        run++;
    if (run == n)
        return;
    int64_t least = key[0];
    int64_t most = least;
    for (int64_t p = 1; p < n; p++) {
        least = min_i64(least, key[p]);
        most = max_i64(most, key[p]);
    }
    int64_t rest = most - least;
    if (rest < 4 * n + (n > 32 ? 512 : 0)) {
        sort_walk_i32(n, key, map, low, least);
        return;
    }
    if (n <= (rest > 65535 ? 48 : 32)) {
        sort_few_i32(n, key);
        return;
    }
    int64_t pairs = 0;
    /* no more digits than to the base 256, and fewer places for each */
    bool narrow = rest < 4096 || (rest > 65535 && rest < 262144);
    while (rest > 0) {
        sort_pair_i32(n, key, least, pairs, narrow, rest > (narrow ? 63 : 255), other, place);
        rest = narrow ? rest / 4096 : rest / 65536;
        pairs++;
    }
}
#endif

#ifndef SPCC_HAS_sum_before_i64
#define SPCC_HAS_sum_before_i64
/* Sums of the lengths before each of n, from `first` on, in their place; then the sum of all. */
static inline void sum_before_i64(int64_t *restrict length, int64_t n, int64_t first)
{
    int64_t sum = first;
    for (int64_t part = 0; part < n; part++) {
        int64_t here = length[part];
        length[part] = sum;
        sum += here;
    }
    length[n] = sum;
}
#endif

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t B1_dimension, const int32_t *restrict B2_pos,
                         const int32_t *restrict B2_crd, const double *restrict B_vals,
                         int32_t C2_dimension, const int32_t *restrict C2_pos,
                         const int32_t *restrict C2_crd, const double *restrict C_vals,
                         int32_t i0_size, int32_t parts, int64_t work, int32_t *restrict i0_from_of,
                         int32_t *restrict i0_past_of, int32_t pB2_last, int64_t *restrict A2_begin,
                         void **A_of)
{
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    double *w_vals = NULL;
    int32_t *w1_crd_other = NULL;
    int64_t *w1_crd_place = NULL;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t nw1 = 0;
    int32_t i0_from = 0;
    int64_t A_room = 0;
    int32_t pA2 = 0;
    int32_t i0_past, A_low, A_size, A2_capacity;
    w1_map = (bool *)allocate_array(C2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(C2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)C2_dimension * sizeof(bool));
    w_vals = (double *)allocate_array(C2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)C2_dimension * sizeof(double));
    w1_crd_other = (int32_t *)allocate_array((int64_t)C2_dimension / 4 + 1, sizeof(int32_t));
    if (!w1_crd_other)
        goto fail;
    w1_crd_place = (int64_t *)allocate_array(512, sizeof(int64_t));
    if (!w1_crd_place)
        goto fail;
    i0_past = i0_size;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i0_from = i0_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i0_low = 0;
            int32_t i0_high = i0_size;
            while (i0_low < i0_high) {
                int32_t i0_middle = i0_low + (i0_high - i0_low) / 2;
                if ((int64_t)i0_middle + B2_pos[min_i64((int64_t)i0_middle * 32, B1_dimension)]
                    < work_from)
                    i0_low = i0_middle + 1;
                else
                    i0_high = i0_middle;
            }
            i0_past = i0_low;
        }
    }
    i0_from_of[part] = i0_from;
    i0_past_of[part] = i0_past;
    A_low = (int32_t)min_i64((int64_t)i0_from * 32, B1_dimension);
    A_size = (int32_t)min_i64((int64_t)i0_past * 32, B1_dimension) - A_low;
    for (int32_t i0 = i0_from; i0 < i0_past; i0++) {
        int32_t base = i0 * 32;
        for (int32_t i1 = 0; i1 < min_i32(32, B1_dimension - i0 * 32); i1++) {
            int32_t i = base + i1;
            int64_t A_row = 0;
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int32_t k = B2_crd[pB2];
                A_row += C2_pos[k + 1] - C2_pos[k];
            }
            A_room += min_i64(A_row, C2_dimension);
        }
    }
    A2_pos = (int32_t *)allocate_array((int64_t)A_size + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int32_t)min_i64(max_i64(A_room / 16, 16), 2147483647);
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i0 = i0_from; i0 < i0_past; i0++) {
        int32_t base = i0 * 32;
        for (int32_t i1 = 0; i1 < min_i32(32, B1_dimension - i0 * 32); i1++) {
            int32_t i = base + i1;
            int32_t pA1 = i - A_low;
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
                    if (!w1_map[jp]) {
                        w1_map[jp] = true;
                        w1_crd[nw1] = jp;
                        nw1++;
                    }
                    w_vals[jp] += B_val * C_vals[pC2];
                }
            }
            sort_row_i32(nw1, w1_crd, w1_map, 0, w1_crd_other, w1_crd_place);
            int64_t A2_needed = (int64_t)pA2 + nw1;
            if (A2_capacity < A2_needed) {
                if (A2_needed > 2147483647) {
                    status = 2;
                    goto fail;
                }
                A2_capacity = max_i32(A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity,
                    (int32_t)A2_needed);
                int64_t A_done = (int64_t)i0 - i0_from + 1;
                int64_t A_expected = A2_needed * ((int64_t)i0_past - i0_from) / A_done;
                A2_capacity = (int32_t)min_i64(max_i64(min_i64(A_expected + A_expected / 16,
                    A_room), A2_capacity), 2147483647);
                A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
                A_vals = (double *)reallocate_array(A_vals, A2_capacity, sizeof(double));
                if (!A2_crd || !A_vals)
                    goto fail;
            }
            for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
                int32_t j = w1_crd[pw1];
                A_vals[pA2] = w_vals[j];
                A2_crd[pA2] = j;
                pA2++;
            }
            for (int32_t pw = 0; pw < nw1; pw++) {
                w1_map[w1_crd[pw]] = false;
                w_vals[w1_crd[pw]] = 0.0;
            }
            A2_pos[pA1 + 1] = pA2;
        }
    }
    A2_begin[part] = pA2;
    A_of[part * 3] = A2_pos;
    A_of[part * 3 + 1] = A2_crd;
    A_of[part * 3 + 2] = A_vals;
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_other);
    SPCC_FREE(w1_crd_place);
    return 0;

fail:
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_other);
    SPCC_FREE(w1_crd_place);
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t B1_dimension, int32_t *restrict A2_pos,
                           int32_t *restrict A2_crd, double *restrict A_vals,
                           const int32_t *restrict i0_from_of, const int32_t *restrict i0_past_of,
                           void **A_of, const int64_t *restrict A2_begin)
{
    int32_t *A2_pos_2, *A2_crd_2;
    double *A_vals_2;
    int32_t i0_from = i0_from_of[chunk];
    int32_t i0_past = i0_past_of[chunk];
    A2_pos_2 = (int32_t *)A_of[chunk * 3];
    A2_crd_2 = (int32_t *)A_of[chunk * 3 + 1];
    A_vals_2 = (double *)A_of[chunk * 3 + 2];
    int64_t A2_at = A2_begin[chunk];
    int64_t A2_length = A2_begin[chunk + 1] - A2_at;
    int64_t A2_base = (int64_t)i0_from * 32;
    for (int64_t pA2_parent = 0; pA2_parent < min_i64((int64_t)i0_past * 32, B1_dimension)
         - min_i64((int64_t)i0_from * 32, B1_dimension); pA2_parent++)
        A2_pos[min_i64(A2_base, B1_dimension) + (pA2_parent + 1)] = (int32_t)A2_at
            + A2_pos_2[pA2_parent + 1];
    for (int64_t at = 0; at < A2_length; at++)
        A2_crd[A2_at + at] = A2_crd_2[at];
    for (int64_t at = 0; at < A2_length; at++)
        A_vals[A2_at + at] = A_vals_2[at];
}

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
    int32_t i0_from_of[257];
    int32_t i0_past_of[257];
    int64_t A2_begin[257];
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    void *A_of_few[4], **A_of = NULL;
    int status = 1;
    int failed = 0;
    int32_t pB2_last = B2_pos[B1_dimension];
    int32_t i0_size = B1_dimension / 32 + (B1_dimension % 32 > 0);
    int64_t work = (int64_t)i0_size + B2_pos[min_i64((int64_t)i0_size * 32, B1_dimension)];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(min_i64(thread_count(), 256), work / 32768));
    A_of = allocate_arrays(parts * 3, 3, A_of_few);
    if (!A_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, B1_dimension, B2_pos, B2_crd, B_vals, C2_dimension, C2_pos,
                               C2_crd, C_vals, i0_size, parts, work, i0_from_of, i0_past_of,
                               pB2_last, A2_begin, A_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, B1_dimension, B2_pos, B2_crd, B_vals,
                                            C2_dimension, C2_pos, C2_crd, C_vals, i0_size, parts,
                                            work, i0_from_of, i0_past_of, pB2_last, A2_begin, A_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    if (parts == 1) {
        A2_pos = (int32_t *)move_array(A2_pos, A_of, 0);
        A2_crd = (int32_t *)move_array(A2_crd, A_of, 1);
        A_vals = (double *)move_array(A_vals, A_of, 2);
    } else {
        sum_before_i64(A2_begin, parts, 0);
        int64_t nA2 = A2_begin[parts];
        if (nA2 > 2147483647) {
            status = 2;
            goto fail;
        }
        A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
        A2_crd = (int32_t *)allocate_array(nA2, sizeof(int32_t));
        A_vals = (double *)allocate_array(nA2, sizeof(double));
        if (!A2_pos || !A2_crd || !A_vals)
            goto fail;
        A2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, B1_dimension, A2_pos, A2_crd, A_vals, i0_from_of, i0_past_of,
                           A_of, A2_begin);
    }
    free_arrays(A_of, A_of_few);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    free_arrays(A_of, A_of_few);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return failed ? failed : status;
}
