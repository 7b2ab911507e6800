/* B(i,j) = A(i,j)
 *     B        f64   ds
 *     A        f64   uq
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(i,j)' -f 'A:coo' -f 'B:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A_vals        A's values
 *   B2_pos_out    B, level 2 (compressed): where each segment begins and ends
 *   B2_crd_out    B, level 2 (compressed): coordinates
 *   B_vals_out    B's values
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
#include <stddef.h>
#include <stdint.h>

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
/* Room for n arrays, NULL each, and behind them this room itself, which is the end; for one
 * array that is `one`.  NULL if there is none. */
static inline void **allocate_arrays(int64_t n, void **one)
{
    void **arrays = n == 1 ? one : n < 0 ? NULL
        : (void **)allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}
#endif

#ifndef SPCC_HAS_free_arrays
#define SPCC_HAS_free_arrays
/* Release arrays, and their room unless that is `one`. */
static inline void free_arrays(void **arrays, void **one)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        SPCC_FREE(*at);
    if (arrays != one)
        SPCC_FREE(arrays);
}
#endif

#ifndef SPCC_HAS_find_first_i32
#define SPCC_HAS_find_first_i32
/* The first position in crd[low, end), which ascends, of what is not below the least. */
static inline int64_t find_first_i32(const int32_t *restrict crd, int64_t low, int64_t end,
                                     int64_t least)
{
    int64_t from = low;
    int64_t to = end;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
#endif

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, const int32_t *restrict A1_pos,
                         const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
                         const double *restrict A_vals, const int32_t *restrict i_shares,
                         int64_t *restrict B2_begin, void **B2_pos_of, void **B2_crd_of,
                         void **B_vals_of)
{
    int32_t *B2_pos = NULL;
    int32_t *B2_crd = NULL;
    double *B_vals = NULL;
    int32_t pB2 = 0;
    int64_t B2_filled = 0;
    int32_t B2_capacity, pA1, pA1_end;
    int32_t i_from = i_shares[part];
    int32_t i_past = i_shares[part + 1];
    int64_t pA1_begin = find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_from);
    int64_t pA1_past = find_first_i32(A1_crd, pA1_begin, A1_pos[1], i_past);
    int32_t B_size = i_past - i_from;
    B2_pos = (int32_t *)allocate_array((int64_t)B_size + 1, sizeof(int32_t));
    if (!B2_pos)
        goto fail;
    B2_pos[0] = 0;
    B2_capacity = (int32_t)((int64_t)(int32_t)pA1_past - (int32_t)pA1_begin);
    B2_crd = (int32_t *)allocate_array(B2_capacity, sizeof(int32_t));
    if (!B2_crd)
        goto fail;
    B_vals = (double *)allocate_array(B2_capacity, sizeof(double));
    if (!B_vals)
        goto fail;
    pA1 = (int32_t)pA1_begin;
    pA1_end = (int32_t)pA1_past;
    while (pA1 < pA1_end) {
        int32_t i = A1_crd[pA1];
        int32_t pA1_next = pA1;
        while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
            pA1_next++;
        int32_t pB1 = i - i_from;
        for (int64_t at = B2_filled + 1; at < (int64_t)pB1 + 1; at++)
            B2_pos[at] = pB2;
        for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++) {
            int32_t j = A2_crd[pA2];
            B_vals[pB2] = A_vals[pA2];
            B2_crd[pB2] = j;
            pB2++;
        }
        B2_pos[pB1 + 1] = pB2;
        B2_filled = (int64_t)pB1 + 1;
        pA1 = pA1_next;
    }
    for (int64_t at = B2_filled + 1; at < (int64_t)B_size + 1; at++)
        B2_pos[at] = pB2;
    B2_begin[part] = pB2;
    B2_pos_of[part] = B2_pos;
    B2_crd_of[part] = B2_crd;
    B_vals_of[part] = B_vals;
    return 0;

fail:
    SPCC_FREE(B2_pos);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B_vals);
    return 1;
}

/* One of the parts, which may run at once. */
static int evaluate_chunk(int32_t chunk, int32_t *restrict B2_pos, int32_t *restrict B2_crd,
                          double *restrict B_vals, const int32_t *restrict i_shares,
                          void **B2_pos_of, void **B2_crd_of, void **B_vals_of,
                          const int64_t *restrict B2_begin)
{
    int32_t *B2_pos_2;
    int32_t *B2_crd_2;
    double *B_vals_2;
    int status = 1;
    int64_t B2_length;
    int32_t i_from = i_shares[chunk];
    int32_t i_past = i_shares[chunk + 1];
    B2_pos_2 = (int32_t *)B2_pos_of[chunk];
    B2_crd_2 = (int32_t *)B2_crd_of[chunk];
    B_vals_2 = (double *)B_vals_of[chunk];
    int64_t B2_at = B2_begin[chunk];
    if (B2_at + B2_pos_2[(int64_t)i_past - i_from] > 2147483647) {
        status = 2;
        goto fail;
    }
    for (int64_t pB2_parent = 0; pB2_parent < (int64_t)i_past - i_from; pB2_parent++)
        B2_pos[i_from + (pB2_parent + 1)] = (int32_t)B2_at + B2_pos_2[pB2_parent + 1];
    for (int64_t pB2 = 0; pB2 < B2_pos_2[(int64_t)i_past - i_from]; pB2++)
        B2_crd[B2_at + pB2] = B2_crd_2[pB2];
    B2_length = B2_pos_2[(int64_t)i_past - i_from];
    for (int64_t pB = 0; pB < B2_length; pB++)
        B_vals[B2_at + pB] = B_vals_2[pB];
    return 0;

fail:
    return status;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
             const double *restrict A_vals, int32_t **B2_pos_out, int32_t **B2_crd_out,
             double **B_vals_out)
{
    (void)A2_dimension;
    int32_t i_shares[257];
    int64_t B2_begin[257];
    int32_t *B2_pos = NULL;
    int32_t *B2_crd = NULL;
    double *B_vals = NULL;
    void *B2_pos_of_one[2], **B2_pos_of = NULL;
    void *B2_crd_of_one[2], **B2_crd_of = NULL;
    void *B_vals_of_one[2], **B_vals_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work = A1_dimension + find_first_i32(A1_crd, A1_pos[0], A1_pos[1], A1_dimension);
    int32_t parts = (int32_t)(work < 8192 ? 1
        : min_i64(thread_count() > 1 ? 256 : 1, work / 8192 + 1));
    i_shares[0] = 0;
    i_shares[parts] = A1_dimension;
    for (int32_t part = 1; part < parts; part++) {
        int64_t work_from = work * part / parts;
        int32_t i_low = 0;
        int32_t i_high = A1_dimension;
        while (i_low < i_high) {
            int32_t i_middle = i_low + (i_high - i_low) / 2;
            if (i_middle + find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_middle) < work_from)
                i_low = i_middle + 1;
            else
                i_high = i_middle;
        }
        i_shares[part] = i_low;
    }
    B2_pos_of = allocate_arrays(parts, B2_pos_of_one);
    if (!B2_pos_of)
        goto fail;
    B2_crd_of = allocate_arrays(parts, B2_crd_of_one);
    if (!B2_crd_of)
        goto fail;
    B_vals_of = allocate_arrays(parts, B_vals_of_one);
    if (!B_vals_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, A1_pos, A1_crd, A2_crd, A_vals, i_shares, B2_begin, B2_pos_of,
                               B2_crd_of, B_vals_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_pos, A1_crd, A2_crd, A_vals, i_shares,
                                            B2_begin, B2_pos_of, B2_crd_of, B_vals_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) {
        status = failed;
        goto fail;
    }
    if (parts == 1) {
        B2_pos = (int32_t *)B2_pos_of[0];
        B2_pos_of[0] = NULL;
        B2_crd = (int32_t *)B2_crd_of[0];
        B2_crd_of[0] = NULL;
        B_vals = (double *)B_vals_of[0];
        B_vals_of[0] = NULL;
    } else {
        int64_t nB2 = 0;
        for (int32_t part = 0; part < parts; part++) {
            int64_t length = B2_begin[part];
            B2_begin[part] = nB2;
            nB2 += length;
        }
        B2_begin[parts] = nB2;
        if (nB2 > 2147483647) {
            status = 2;
            goto fail;
        }
        B2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
        if (!B2_pos)
            goto fail;
        B2_crd = (int32_t *)allocate_array(nB2, sizeof(int32_t));
        if (!B2_crd)
            goto fail;
        B_vals = (double *)allocate_array(nB2, sizeof(double));
        if (!B_vals)
            goto fail;
        B2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++) {
            int part_status = evaluate_chunk(chunk, B2_pos, B2_crd, B_vals, i_shares, B2_pos_of,
                                             B2_crd_of, B_vals_of, B2_begin);
            failed = failed < part_status ? part_status : failed;
        }
        if (failed) {
            status = failed;
            goto fail;
        }
    }
    free_arrays(B2_pos_of, B2_pos_of_one);
    free_arrays(B2_crd_of, B2_crd_of_one);
    free_arrays(B_vals_of, B_vals_of_one);
    *B2_pos_out = B2_pos;
    *B2_crd_out = B2_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    SPCC_FREE(B2_pos);
    SPCC_FREE(B2_crd);
    SPCC_FREE(B_vals);
    free_arrays(B2_pos_of, B2_pos_of_one);
    free_arrays(B2_crd_of, B2_crd_of_one);
    free_arrays(B_vals_of, B_vals_of_one);
    *B2_pos_out = NULL;
    *B2_crd_out = NULL;
    *B_vals_out = NULL;
    return status;
}
