/* A(i,j) = B(i,j,k) * c(k)
 *     A        f64   ss
 *     B        f64   sss
 *     c        f64   d
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j,k) * c(k)' -f 'A:dcsr' -f 'B:csf' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   c_vals        c's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdbool.h>
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
static void evaluate_part(int32_t part, const int32_t *B1_pos, const int32_t *B1_crd,
                          const int32_t *B2_pos, const int32_t *B2_crd, const int32_t *B3_pos,
                          const int32_t *B3_crd, const double *B_vals, const double *c_vals,
                          int32_t *A1_crd, int32_t *A2_pos, int32_t *A2_crd, double *A_vals,
                          int32_t parts, int64_t work_before, int64_t work, int64_t *A1_from,
                          int64_t *A2_from, int64_t *A1_end, int64_t *A2_end)
{
    int32_t pB1_from = B1_pos[0], pB1_past = B1_pos[1];
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            pB1_from = pB1_past;
            int64_t work_from = work_before + (work + 1) * bound / parts;
            int32_t pB1_low = B1_pos[0], pB1_high = B1_pos[1];
            while (pB1_low < pB1_high) {
                int32_t pB1_middle = pB1_low + (pB1_high - pB1_low) / 2;
                if ((int64_t)pB1_middle + B3_pos[B2_pos[pB1_middle]] < work_from)
                    pB1_low = pB1_middle + 1;
                else
                    pB1_high = pB1_middle;
            }
            pB1_past = pB1_low;
        }
    }
    int32_t pA1 = pB1_from, pA2 = B2_pos[pB1_from];
    A1_from[part] = pA1;
    A2_from[part] = pA2;
    for (int32_t pB1 = pB1_from; pB1 < pB1_past; pB1++) {
        int32_t i = B1_crd[pB1], pA2_begin = pA2;
        for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            int32_t j = B2_crd[pB2];
            bool A2_stored = B3_pos[pB2] < B3_pos[pB2 + 1];
            double A_val = 0.0;
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++)
                A_val += B_vals[pB3] * c_vals[B3_crd[pB3]];
            if (A2_stored) {
                A_vals[pA2] = A_val;
                A2_crd[pA2++] = j;
            }
        }
        if (pA2_begin < pA2) {
            A1_crd[pA1] = i;
            A2_pos[pA1 + 1] = pA2;
            pA1++;
        }
    }
    A1_end[part + 1] = pA1;
    A2_end[part + 1] = pA2;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, const double *c_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             int32_t **A2_pos_out, int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B1_dimension;
    (void)B2_dimension;
    (void)B3_dimension;
    int64_t A1_from[257];
    int64_t A1_end[257];
    int64_t A2_from[257];
    int64_t A2_end[257];
    int64_t work_before, work;
    int32_t parts, pA1;
    int32_t A1_capacity = B1_pos[1], A2_capacity = B2_pos[B1_pos[1]];
    int32_t *A1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *A1_crd = (int32_t *)calloc((size_t)A1_capacity + 1, sizeof(int32_t));
    int32_t *A2_pos = (int32_t *)calloc((size_t)A1_capacity + 1, sizeof(int32_t));
    int32_t *A2_crd = (int32_t *)calloc((size_t)A2_capacity + 1, sizeof(int32_t));
    double *A_vals = (double *)calloc((size_t)A2_capacity + 1, sizeof(double));
    if (!A1_pos || !A1_crd || !A2_pos || !A2_crd || !A_vals)
        goto fail;
    work_before = (int64_t)B1_pos[0] + B3_pos[B2_pos[B1_pos[0]]];
    work = (int64_t)B1_pos[1] + B3_pos[B2_pos[B1_pos[1]]] - work_before;
    parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
    A1_end[0] = 0;
    A2_end[0] = 0;
    if (parts == 1) {
        evaluate_part(0, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals, c_vals, A1_crd,
                      A2_pos, A2_crd, A_vals, parts, work_before, work, A1_from, A2_from, A1_end,
                      A2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals, c_vals,
                          A1_crd, A2_pos, A2_crd, A_vals, parts, work_before, work, A1_from,
                          A2_from, A1_end, A2_end);
    }
    for (int32_t settled = 0; settled < parts; settled++) {
        /* Parts move up to where those before them end. */
        int64_t A1_begin = A1_from[settled], A1_at = A1_end[settled];
        int64_t A1_length = A1_end[settled + 1] - A1_begin, A2_begin = A2_from[settled];
        int64_t A2_at = A2_end[settled], A2_length = A2_end[settled + 1] - A2_begin;
        if (A1_at < A1_begin || A2_at < A2_begin) {
            evaluate_move_elements(A1_crd, A1_at, A1_begin, A1_length, sizeof(int32_t));
            for (int64_t pA2_parent = 0; pA2_parent < A1_length; pA2_parent++)
                A2_pos[A1_at + (pA2_parent + 1)] = (int32_t)(A2_at - A2_begin)
                    + A2_pos[A1_begin + (pA2_parent + 1)];
            evaluate_move_elements(A2_crd, A2_at, A2_begin, A2_length, sizeof(int32_t));
            evaluate_move_elements(A_vals, A2_at, A2_begin, A2_length, sizeof(double));
        }
        A1_end[settled + 1] = A1_at + A1_length;
        A2_end[settled + 1] = A2_at + A2_length;
    }
    pA1 = (int32_t)A1_end[parts];
    A1_pos[1] = pA1;
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    free(A1_pos);
    free(A1_crd);
    free(A2_pos);
    free(A2_crd);
    free(A_vals);
    return 1;
}
