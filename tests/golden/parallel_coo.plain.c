/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   uq
 *     A        f64   uq
 *     B        f64   uq
 * schedule: parallelize(i)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'A:coo' -f 'B:coo' -f 'C:coo' -s 'parallelize(i)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A_vals        A's values
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B_vals        B's values
 *   C1_pos_out    C, level 1 (compressed): where each segment begins and ends
 *   C1_crd_out    C, level 1 (compressed): coordinates
 *   C2_crd_out    C, level 2 (singleton): coordinates
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

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifndef SPCC_HAS_reallocate_array
#define SPCC_HAS_reallocate_array
/* Room for n elements of size bytes that holds what array held; NULL if there is none. */
static inline void *reallocate_array(void *array, int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_REALLOC(array, n > 0 ? (size_t)n * size : size);
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

/* More room for C1_crd, C2_crd, C_vals; false if there is none. */
static inline bool evaluate_grow_C2(int32_t *C2_capacity, int32_t **C1_crd, int32_t **C2_crd,
                                    double **C_vals, int *status)
{
    void *grown;
    if (*C2_capacity == 2147483647) {
        *status = 2;
        return false;
    }
    *C2_capacity = *C2_capacity > 1073741823 ? 2147483647 : 2 * *C2_capacity;
    grown = reallocate_array(*C1_crd, *C2_capacity, sizeof(int32_t));
    if (!grown)
        return false;
    *C1_crd = (int32_t *)grown;
    grown = reallocate_array(*C2_crd, *C2_capacity, sizeof(int32_t));
    if (!grown)
        return false;
    *C2_crd = (int32_t *)grown;
    grown = reallocate_array(*C_vals, *C2_capacity, sizeof(double));
    if (!grown)
        return false;
    *C_vals = (double *)grown;
    return true;
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, const int32_t *restrict A1_pos,
                         const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
                         const double *restrict A_vals, const int32_t *restrict B1_pos,
                         const int32_t *restrict B1_crd, const int32_t *restrict B2_crd,
                         const double *restrict B_vals, const int32_t *restrict i_shares,
                         int64_t *restrict C2_begin, void **C1_pos_of, void **C1_crd_of,
                         void **C2_crd_of, void **C_vals_of)
{
    int32_t *C1_pos = NULL;
    int32_t *C1_crd = NULL;
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity, pA1, pA1_end, pB1, pB1_end;
    int32_t i_from = i_shares[part];
    int32_t i_past = i_shares[part + 1];
    int64_t pA1_begin = find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_from);
    int64_t pA1_past = find_first_i32(A1_crd, pA1_begin, A1_pos[1], i_past);
    int64_t pB1_begin = find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_from);
    int64_t pB1_past = find_first_i32(B1_crd, pB1_begin, B1_pos[1], i_past);
    C1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!C1_pos)
        goto fail;
    C1_pos[0] = 0;
    C2_capacity = (int32_t)min_i64((int64_t)(int32_t)pA1_past - (int32_t)pA1_begin
        + ((int64_t)(int32_t)pB1_past - (int32_t)pB1_begin), 2147483647);
    C1_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    if (!C1_crd)
        goto fail;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    if (!C2_crd)
        goto fail;
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C_vals)
        goto fail;
    pA1 = (int32_t)pA1_begin;
    pA1_end = (int32_t)pA1_past;
    pB1 = (int32_t)pB1_begin;
    pB1_end = (int32_t)pB1_past;
    while (pA1 < pA1_end && pB1 < pB1_end) {
        int32_t iA = A1_crd[pA1];
        int32_t iB = B1_crd[pB1];
        if (iA == iB) {
            int32_t pA1_next = pA1;
            while (pA1_next < pA1_end && A1_crd[pA1_next] == iA)
                pA1_next++;
            int32_t pB1_next = pB1;
            while (pB1_next < pB1_end && B1_crd[pB1_next] == iA)
                pB1_next++;
            int32_t pA2 = pA1;
            int32_t pA2_end = pA1_next;
            int32_t pB2 = pB1;
            int32_t pB2_end = pB1_next;
            while (pA2 < pA2_end && pB2 < pB2_end) {
                int32_t jA = A2_crd[pA2];
                int32_t jB = B2_crd[pB2];
                if (pC2 == C2_capacity
                    && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                    goto fail;
                if (jA == jB) {
                    C_vals[pC2] = A_vals[pA2] + B_vals[pB2];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2] = jA;
                    pC2++;
                    pA2++;
                    pB2++;
                } else if (jA < jB) {
                    C_vals[pC2] = A_vals[pA2];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2] = jA;
                    pC2++;
                    pA2++;
                } else {
                    C_vals[pC2] = B_vals[pB2];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2] = jB;
                    pC2++;
                    pB2++;
                }
            }
            for (; pA2 < pA2_end; pA2++) {
                int32_t j = A2_crd[pA2];
                if (pC2 == C2_capacity
                    && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                    goto fail;
                C_vals[pC2] = A_vals[pA2];
                C1_crd[pC2] = iA;
                C2_crd[pC2] = j;
                pC2++;
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t j = B2_crd[pB2];
                if (pC2 == C2_capacity
                    && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                    goto fail;
                C_vals[pC2] = B_vals[pB2];
                C1_crd[pC2] = iA;
                C2_crd[pC2] = j;
                pC2++;
            }
            pA1 = pA1_next;
            pB1 = pB1_next;
        } else if (iA < iB) {
            int32_t pA1_next = pA1;
            while (pA1_next < pA1_end && A1_crd[pA1_next] == iA)
                pA1_next++;
            for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++) {
                int32_t j = A2_crd[pA2];
                if (pC2 == C2_capacity
                    && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                    goto fail;
                C_vals[pC2] = A_vals[pA2];
                C1_crd[pC2] = iA;
                C2_crd[pC2] = j;
                pC2++;
            }
            pA1 = pA1_next;
        } else {
            int32_t pB1_next = pB1;
            while (pB1_next < pB1_end && B1_crd[pB1_next] == iB)
                pB1_next++;
            for (int32_t pB2 = pB1; pB2 < pB1_next; pB2++) {
                int32_t j = B2_crd[pB2];
                if (pC2 == C2_capacity
                    && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                    goto fail;
                C_vals[pC2] = B_vals[pB2];
                C1_crd[pC2] = iB;
                C2_crd[pC2] = j;
                pC2++;
            }
            pB1 = pB1_next;
        }
    }
    while (pA1 < pA1_end) {
        int32_t i = A1_crd[pA1];
        int32_t pA1_next = pA1;
        while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
            pA1_next++;
        for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++) {
            int32_t j = A2_crd[pA2];
            if (pC2 == C2_capacity
                && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                goto fail;
            C_vals[pC2] = A_vals[pA2];
            C1_crd[pC2] = i;
            C2_crd[pC2] = j;
            pC2++;
        }
        pA1 = pA1_next;
    }
    while (pB1 < pB1_end) {
        int32_t i = B1_crd[pB1];
        int32_t pB1_next = pB1;
        while (pB1_next < pB1_end && B1_crd[pB1_next] == i)
            pB1_next++;
        for (int32_t pB2 = pB1; pB2 < pB1_next; pB2++) {
            int32_t j = B2_crd[pB2];
            if (pC2 == C2_capacity
                && !evaluate_grow_C2(&C2_capacity, &C1_crd, &C2_crd, &C_vals, &status))
                goto fail;
            C_vals[pC2] = B_vals[pB2];
            C1_crd[pC2] = i;
            C2_crd[pC2] = j;
            pC2++;
        }
        pB1 = pB1_next;
    }
    C1_pos[1] = pC2;
    C2_begin[part] = pC2;
    C1_pos_of[part] = C1_pos;
    C1_crd_of[part] = C1_crd;
    C2_crd_of[part] = C2_crd;
    C_vals_of[part] = C_vals;
    return 0;

fail:
    SPCC_FREE(C1_pos);
    SPCC_FREE(C1_crd);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t *restrict C1_crd, int32_t *restrict C2_crd,
                           double *restrict C_vals, void **C1_crd_of, void **C2_crd_of,
                           void **C_vals_of, const int64_t *restrict C2_begin)
{
    int32_t *C1_crd_2;
    int32_t *C2_crd_2;
    double *C_vals_2;
    C1_crd_2 = (int32_t *)C1_crd_of[chunk];
    C2_crd_2 = (int32_t *)C2_crd_of[chunk];
    C_vals_2 = (double *)C_vals_of[chunk];
    int64_t C2_at = C2_begin[chunk];
    int64_t C2_length = C2_begin[chunk + 1] - C2_at;
    for (int64_t at = 0; at < C2_length; at++)
        C1_crd[C2_at + at] = C1_crd_2[at];
    for (int64_t at = 0; at < C2_length; at++)
        C2_crd[C2_at + at] = C2_crd_2[at];
    for (int64_t at = 0; at < C2_length; at++)
        C_vals[C2_at + at] = C_vals_2[at];
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **C1_pos_out, int32_t **C1_crd_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int32_t i_shares[257];
    int64_t C2_begin[257];
    int32_t *C1_pos = NULL;
    int32_t *C1_crd = NULL;
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    void *C1_pos_of_one[2], **C1_pos_of = NULL;
    void *C1_crd_of_one[2], **C1_crd_of = NULL;
    void *C2_crd_of_one[2], **C2_crd_of = NULL;
    void *C_vals_of_one[2], **C_vals_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work = find_first_i32(A1_crd, A1_pos[0], A1_pos[1], A1_dimension)
        + find_first_i32(B1_crd, B1_pos[0], B1_pos[1], A1_dimension);
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
            if (find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_middle)
                + find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_middle) < work_from)
                i_low = i_middle + 1;
            else
                i_high = i_middle;
        }
        i_shares[part] = i_low;
    }
    C1_pos_of = allocate_arrays(parts, C1_pos_of_one);
    if (!C1_pos_of)
        goto fail;
    C1_crd_of = allocate_arrays(parts, C1_crd_of_one);
    if (!C1_crd_of)
        goto fail;
    C2_crd_of = allocate_arrays(parts, C2_crd_of_one);
    if (!C2_crd_of)
        goto fail;
    C_vals_of = allocate_arrays(parts, C_vals_of_one);
    if (!C_vals_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, A1_pos, A1_crd, A2_crd, A_vals, B1_pos, B1_crd, B2_crd, B_vals,
                               i_shares, C2_begin, C1_pos_of, C1_crd_of, C2_crd_of, C_vals_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_pos, A1_crd, A2_crd, A_vals, B1_pos, B1_crd,
                                            B2_crd, B_vals, i_shares, C2_begin, C1_pos_of,
                                            C1_crd_of, C2_crd_of, C_vals_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) {
        status = failed;
        goto fail;
    }
    if (parts == 1) {
        C1_pos = (int32_t *)C1_pos_of[0];
        C1_pos_of[0] = NULL;
        C1_crd = (int32_t *)C1_crd_of[0];
        C1_crd_of[0] = NULL;
        C2_crd = (int32_t *)C2_crd_of[0];
        C2_crd_of[0] = NULL;
        C_vals = (double *)C_vals_of[0];
        C_vals_of[0] = NULL;
    } else {
        int64_t nC2 = 0;
        for (int32_t part = 0; part < parts; part++) {
            int64_t length = C2_begin[part];
            C2_begin[part] = nC2;
            nC2 += length;
        }
        C2_begin[parts] = nC2;
        if (nC2 > 2147483647) {
            status = 2;
            goto fail;
        }
        C1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
        if (!C1_pos)
            goto fail;
        C1_crd = (int32_t *)allocate_array(nC2, sizeof(int32_t));
        if (!C1_crd)
            goto fail;
        C2_crd = (int32_t *)allocate_array(nC2, sizeof(int32_t));
        if (!C2_crd)
            goto fail;
        C_vals = (double *)allocate_array(nC2, sizeof(double));
        if (!C_vals)
            goto fail;
        C1_pos[0] = 0;
        C1_pos[1] = (int32_t)nC2;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, C1_crd, C2_crd, C_vals, C1_crd_of, C2_crd_of, C_vals_of,
                           C2_begin);
    }
    free_arrays(C1_pos_of, C1_pos_of_one);
    free_arrays(C1_crd_of, C1_crd_of_one);
    free_arrays(C2_crd_of, C2_crd_of_one);
    free_arrays(C_vals_of, C_vals_of_one);
    *C1_pos_out = C1_pos;
    *C1_crd_out = C1_crd;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C1_pos);
    SPCC_FREE(C1_crd);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    free_arrays(C1_pos_of, C1_pos_of_one);
    free_arrays(C1_crd_of, C1_crd_of_one);
    free_arrays(C2_crd_of, C2_crd_of_one);
    free_arrays(C_vals_of, C_vals_of_one);
    *C1_pos_out = NULL;
    *C1_crd_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
