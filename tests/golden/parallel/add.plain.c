/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int64_t evaluate_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t evaluate_thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}

/* Room for n elements of size bytes; NULL if there is none. */
static inline void *evaluate_allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return calloc(n > 0 ? (size_t)n : 1, size);
}

/* Moves n elements of size bytes within an array; down, by as many threads as there are. */
static inline void evaluate_move_elements(void *array, int64_t to, int64_t from, int64_t n,
                                 size_t size)
{
    char *at = (char *)array + (size_t)to * size, *kept = NULL;
    const char *first = (char *)array + (size_t)from * size;
    size_t bytes = (size_t)n * size, worth = 524288, most = bytes / worth;
    size_t apart = to < from ? (size_t)(from - to) * size : 0;
    size_t threads = apart > 0 && most > 1 ? (size_t)evaluate_thread_count() : 1;
    int turns = threads > 1 && apart >= bytes / (most < threads ? most : threads);
    size_t once = turns && apart < bytes ? apart : bytes;
    int32_t pieces = (int32_t)(once / worth < threads ? once / worth : threads);
    size_t length = pieces > 1 ? once / (size_t)pieces : 0;
    if (pieces > 1 && !turns)
        kept = (char *)evaluate_allocate_array((int64_t)apart * pieces, 1);
    if (pieces < 2 || (!turns && !kept)) {
        memmove(at, first, bytes);
        return;
    }
    for (size_t done = 0; turns && done < bytes; done += once) {
        size_t more = once < bytes - done ? once : bytes - done;
        size_t each = more / (size_t)pieces;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t piece = 0; piece < pieces; piece++) {
            size_t begin = done + each * (size_t)piece;
            size_t past = piece + 1 < pieces ? begin + each : done + more;
            memcpy(at + begin, first + begin, past - begin);
        }
    }
    if (turns)
        return;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int32_t piece = 0; piece < pieces; piece++) {
        size_t begin = length * (size_t)piece;
        size_t past = piece + 1 < pieces ? begin + length : bytes;
        memcpy(kept + apart * (size_t)piece, first + begin, apart);
        memmove(at + begin + apart, first + begin + apart, past - begin - apart);
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int32_t piece = 0; piece < pieces; piece++)
        memcpy(at + length * (size_t)piece, kept + apart * (size_t)piece, apart);
    free(kept);
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                         const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
                         const int32_t *B2_crd, const double *B_vals, int32_t *C2_pos,
                         int32_t *C2_crd, double *C_vals, int32_t parts, int64_t work,
                         int32_t *i_from_of, int32_t *i_past_of, int64_t *C2_from,
                         int32_t C2_capacity, int64_t *C2_end)
{
    int status = 1;
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] + B2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    i_from_of[part] = i_from;
    i_past_of[part] = i_past;
    int32_t pC2 = (int32_t)((int64_t)A2_pos[i_from] + B2_pos[i_from]);
    C2_from[part] = pC2;
    for (int32_t i = i_from; i < i_past; i++) {
        int32_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i], pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
            if (pC2 == C2_capacity)
                goto too_large;
            if (jA == jB) {
                C_vals[pC2] = A_vals[pA2] + B_vals[pB2];
                C2_crd[pC2++] = jA;
                pA2++;
                pB2++;
            } else if (jA < jB) {
                C_vals[pC2] = A_vals[pA2];
                C2_crd[pC2++] = jA;
                pA2++;
            } else {
                C_vals[pC2] = B_vals[pB2];
                C2_crd[pC2++] = jB;
                pB2++;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            if (pC2 == C2_capacity)
                goto too_large;
            C_vals[pC2] = A_vals[pA2];
            C2_crd[pC2++] = A2_crd[pA2];
        }
        for (; pB2 < pB2_end; pB2++) {
            if (pC2 == C2_capacity)
                goto too_large;
            C_vals[pC2] = B_vals[pB2];
            C2_crd[pC2++] = B2_crd[pB2];
        }
        C2_pos[i + 1] = pC2;
    }
    C2_end[part + 1] = pC2;
    return 0;

too_large:
    status = 2;
    return status;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int32_t i_from_of[257];
    int32_t i_past_of[257];
    int64_t C2_from[257];
    int64_t C2_end[257];
    int status = 1;
    int failed = 0;
    int64_t work;
    int32_t parts;
    int32_t C2_capacity = (int32_t)((int64_t)A2_pos[A1_dimension]
        + B2_pos[A1_dimension] < 2147483647 ? (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension]
        : 2147483647);
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals)
        goto fail;
    work = (int64_t)A1_dimension + A2_pos[A1_dimension] + B2_pos[A1_dimension];
    parts = (int32_t)((int64_t)C2_capacity < 2147483647
        ? (work < 16384 ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / 8192)) : 1);
    C2_end[0] = 0;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_pos, A2_crd, A_vals, B2_pos, B2_crd, B_vals,
                               C2_pos, C2_crd, C_vals, parts, work, i_from_of, i_past_of, C2_from,
                               C2_capacity, C2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_pos, A2_crd, A_vals, B2_pos,
                                            B2_crd, B_vals, C2_pos, C2_crd, C_vals, parts, work,
                                            i_from_of, i_past_of, C2_from, C2_capacity, C2_end);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    for (int32_t settled = 0; settled < parts; settled++) {
        /* Parts move up to where those before them end. */
        int64_t C2_begin = C2_from[settled], C2_at = C2_end[settled];
        int64_t C2_length = C2_end[settled + 1] - C2_begin;
        if (C2_at < C2_begin) {
            int32_t i_from = i_from_of[settled], i_past = i_past_of[settled];
            for (int64_t pC2_parent = 0; pC2_parent < (int64_t)i_past - i_from; pC2_parent++)
                C2_pos[i_from + (pC2_parent + 1)] += (int32_t)(C2_at - C2_begin);
            evaluate_move_elements(C2_crd, C2_at, C2_begin, C2_length, sizeof(int32_t));
            evaluate_move_elements(C_vals, C2_at, C2_begin, C2_length, sizeof(double));
        }
        C2_end[settled + 1] = C2_at + C2_length;
    }
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    free(C2_pos);
    free(C2_crd);
    free(C_vals);
    return failed ? failed : status;
}
