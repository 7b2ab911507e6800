/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: reorder(i, k, j); precompute(A(i,k) * B(k,j), w, {j,j,jp}, bytemap); parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --plain
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

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
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

#ifndef SPCC_HAS_sort_shell_i32
#define SPCC_HAS_sort_shell_i32
/* key[0, n) in ascending order: sorted by inserting at smaller and smaller gaps (Shell). */
static inline void sort_shell_i32(int64_t n, int32_t *restrict key)
{
    int64_t gap = n;
    while (gap > 1) {
        gap = (5 * gap + 1) / 11;
        for (int64_t p = gap; p < n; p++) {
            int32_t moved = key[p];
            int64_t to = p;
            while (to >= gap && key[to - gap] > moved) {
                key[to] = key[to - gap];
                to -= gap;
            }
            key[to] = moved;
        }
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
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *restrict A2_pos,
                         const int32_t *restrict A2_crd, const double *restrict A_vals,
                         int32_t B2_dimension, const int32_t *restrict B2_pos,
                         const int32_t *restrict B2_crd, const double *restrict B_vals,
                         int32_t parts, int64_t work, int32_t *restrict i_from_of,
                         int32_t *restrict i_past_of, int64_t *restrict C2_begin, void **C_of)
{
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    double *w_vals = NULL;
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int32_t nw1 = 0;
    int32_t i_from = 0;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    int32_t i_past, C_size;
    w1_map = (bool *)allocate_array(B2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)B2_dimension * sizeof(bool));
    w_vals = (double *)allocate_array(B2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)B2_dimension * sizeof(double));
    i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0;
            int32_t i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    i_from_of[part] = i_from;
    i_past_of[part] = i_past;
    C_size = i_past - i_from;
    C2_pos = (int32_t *)allocate_array((int64_t)C_size + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    for (int32_t i = i_from; i < i_past; i++) {
        int32_t pC1 = i - i_from;
        nw1 = 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            for (int32_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                if (!w1_map[jp]) {
                    w1_map[jp] = true;
                    w1_crd[nw1] = jp;
                    nw1++;
                }
                w_vals[jp] += A_val * B_vals[pB2];
            }
        }
        sort_shell_i32(nw1, w1_crd);
        int64_t C2_needed = (int64_t)pC2 + nw1;
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
        C2_pos[pC1 + 1] = pC2;
    }
    C2_begin[part] = pC2;
    C_of[part * 3] = C2_pos;
    C_of[part * 3 + 1] = C2_crd;
    C_of[part * 3 + 2] = C_vals;
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t *restrict C2_pos, int32_t *restrict C2_crd,
                           double *restrict C_vals, const int32_t *restrict i_from_of,
                           const int32_t *restrict i_past_of, void **C_of,
                           const int64_t *restrict C2_begin)
{
    int32_t *C2_pos_2, *C2_crd_2;
    double *C_vals_2;
    int32_t i_from = i_from_of[chunk];
    int32_t i_past = i_past_of[chunk];
    C2_pos_2 = (int32_t *)C_of[chunk * 3];
    C2_crd_2 = (int32_t *)C_of[chunk * 3 + 1];
    C_vals_2 = (double *)C_of[chunk * 3 + 2];
    int64_t C2_at = C2_begin[chunk];
    int64_t C2_length = C2_begin[chunk + 1] - C2_at;
    for (int64_t pC2_parent = 0; pC2_parent < (int64_t)i_past - i_from; pC2_parent++)
        C2_pos[i_from + (pC2_parent + 1)] = (int32_t)C2_at + C2_pos_2[pC2_parent + 1];
    for (int64_t at = 0; at < C2_length; at++)
        C2_crd[C2_at + at] = C2_crd_2[at];
    for (int64_t at = 0; at < C2_length; at++)
        C_vals[C2_at + at] = C_vals_2[at];
}

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
    int32_t i_from_of[257];
    int32_t i_past_of[257];
    int64_t C2_begin[257];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    void *C_of_few[4], **C_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    int32_t parts = (int32_t)(work < 16384 ? 1
        : min_i64(min_i64(thread_count(), 256), work / 8192));
    C_of = allocate_arrays(parts * 3, 3, C_of_few);
    if (!C_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_pos, A2_crd, A_vals, B2_dimension, B2_pos,
                               B2_crd, B_vals, parts, work, i_from_of, i_past_of, C2_begin, C_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_pos, A2_crd, A_vals,
                                            B2_dimension, B2_pos, B2_crd, B_vals, parts, work,
                                            i_from_of, i_past_of, C2_begin, C_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    if (parts == 1) {
        C2_pos = (int32_t *)move_array(C2_pos, C_of, 0);
        C2_crd = (int32_t *)move_array(C2_crd, C_of, 1);
        C_vals = (double *)move_array(C_vals, C_of, 2);
    } else {
        sum_before_i64(C2_begin, parts, 0);
        int64_t nC2 = C2_begin[parts];
        if (nC2 > 2147483647) {
            status = 2;
            goto fail;
        }
        C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
        C2_crd = (int32_t *)allocate_array(nC2, sizeof(int32_t));
        C_vals = (double *)allocate_array(nC2, sizeof(double));
        if (!C2_pos || !C2_crd || !C_vals)
            goto fail;
        C2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, C2_pos, C2_crd, C_vals, i_from_of, i_past_of, C_of, C2_begin);
    }
    free_arrays(C_of, C_of_few);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    free_arrays(C_of, C_of_few);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return failed ? failed : status;
}
