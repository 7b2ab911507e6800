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
 * Returns 0, or 1 where there is no memory.
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

/* The first position in crd[low, end), which ascends, of what is not below the least. */
static inline int64_t evaluate_find_first_i32(const int32_t *crd, int64_t low, int64_t end,
                                              int64_t least)
{
    int64_t from = low, to = end;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A1_pos,
                          const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
                          int32_t *B2_pos, int32_t *B2_crd, double *B_vals, int32_t parts,
                          int64_t work, int32_t *i_from_of, int32_t *i_past_of, int64_t *B2_from,
                          int64_t *B2_end)
{
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t pA1_low = A1_pos[0], pA1_high = A1_pos[1];
            while (pA1_low < pA1_high) {
                int32_t pA1_middle = pA1_low + (pA1_high - pA1_low) / 2;
                if ((int64_t)A1_crd[pA1_middle] + pA1_middle < work_from)
                    pA1_low = pA1_middle + 1;
                else
                    pA1_high = pA1_middle;
            }
            int32_t i_low = pA1_low > A1_pos[0] ? A1_crd[pA1_low - 1] + 1 : 0;
            int32_t i_high = pA1_low < A1_pos[1] ? A1_crd[pA1_low] : A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + pA1_low < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    i_from_of[part] = i_from;
    i_past_of[part] = i_past;
    int64_t pA1_begin = parts > 1 ? evaluate_find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_from)
        : (int64_t)A1_pos[0];
    int64_t pA1_past = parts > 1 ? evaluate_find_first_i32(A1_crd, pA1_begin, A1_pos[1], i_past)
        : (int64_t)A1_pos[1];
    int32_t pB2 = (int32_t)pA1_begin;
    int64_t B2_filled = i_from;
    B2_from[part] = pB2;
    int32_t pA1 = (int32_t)pA1_begin, pA1_end = (int32_t)pA1_past;
    while (pA1 < pA1_end) {
        int32_t i = A1_crd[pA1], pA1_next = pA1;
        while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
            pA1_next++;
        for (int64_t at = B2_filled + 1; at < (int64_t)i + 1; at++)
            B2_pos[at] = pB2;
        for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++) {
            B_vals[pB2] = A_vals[pA2];
            B2_crd[pB2++] = A2_crd[pA2];
        }
        B2_pos[i + 1] = pB2;
        B2_filled = (int64_t)i + 1;
        pA1 = pA1_next;
    }
    for (int64_t at = B2_filled + 1; at < (int64_t)i_past + 1; at++)
        B2_pos[at] = pB2;
    B2_end[part + 1] = pB2;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
             int32_t **B2_pos_out, int32_t **B2_crd_out, double **B_vals_out)
{
    (void)A2_dimension;
    int32_t i_from_of[257];
    int32_t i_past_of[257];
    int64_t B2_from[257];
    int64_t B2_end[257];
    int64_t work;
    int32_t parts;
    int32_t B2_capacity = A1_pos[1];
    int32_t *B2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *B2_crd = (int32_t *)calloc((size_t)B2_capacity + 1, sizeof(int32_t));
    double *B_vals = (double *)calloc((size_t)B2_capacity + 1, sizeof(double));
    if (!B2_pos || !B2_crd || !B_vals)
        goto fail;
    work = (int64_t)A1_dimension + A1_pos[1];
    parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
    B2_end[0] = 0;
    if (parts == 1) {
        evaluate_part(0, A1_dimension, A1_pos, A1_crd, A2_crd, A_vals, B2_pos, B2_crd, B_vals,
                      parts, work, i_from_of, i_past_of, B2_from, B2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, A1_dimension, A1_pos, A1_crd, A2_crd, A_vals, B2_pos, B2_crd,
                          B_vals, parts, work, i_from_of, i_past_of, B2_from, B2_end);
    }
    for (int32_t settled = 0; settled < parts; settled++) {
        /* Parts move up to where those before them end. */
        int64_t B2_begin = B2_from[settled], B2_at = B2_end[settled];
        int64_t B2_length = B2_end[settled + 1] - B2_begin;
        if (B2_at < B2_begin) {
            int32_t i_from = i_from_of[settled], i_past = i_past_of[settled];
            for (int64_t pB2_parent = 0; pB2_parent < (int64_t)i_past - i_from; pB2_parent++)
                B2_pos[i_from + (pB2_parent + 1)] += (int32_t)(B2_at - B2_begin);
            evaluate_move_elements(B2_crd, B2_at, B2_begin, B2_length, sizeof(int32_t));
            evaluate_move_elements(B_vals, B2_at, B2_begin, B2_length, sizeof(double));
        }
        B2_end[settled + 1] = B2_at + B2_length;
    }
    *B2_pos_out = B2_pos;
    *B2_crd_out = B2_crd;
    *B_vals_out = B_vals;
    return 0;

fail:
    free(B2_pos);
    free(B2_crd);
    free(B_vals);
    return 1;
}
