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
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline int32_t evaluate_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

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

/* Room for n arrays, NULL each, and behind them this room itself, which is the end; for so
 * many that is `few`.  NULL if there is none. */
static inline void **evaluate_allocate_arrays(int64_t n, int64_t many, void **few)
{
    void **arrays = n == many ? few : n < 0 ? NULL
        : (void **)evaluate_allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}

/* What is at this place, which is empty then, instead of array, which is released. */
static inline void *evaluate_move_array(void *array, void **arrays, int64_t at)
{
    void *moved = arrays[at];
    free(array);
    arrays[at] = NULL;
    return moved;
}

/* Release arrays, and their room unless that is `few`. */
static inline void evaluate_free_arrays(void **arrays, void **few)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        free(*at);
    if (arrays != few)
        free(arrays);
}

/* key[0, n) in ascending order: sorted by inserting at smaller and smaller gaps (Shell). */
static inline void evaluate_sort_shell_i32(int64_t n, int32_t *key)
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

/* Sums of the lengths before each of n, from `first` on, in their place; then the sum of all. */
static inline void evaluate_sum_before_i64(int64_t *length, int64_t n, int64_t first)
{
    int64_t sum = first;
    for (int64_t part = 0; part < n; part++) {
        int64_t here = length[part];
        length[part] = sum;
        sum += here;
    }
    length[n] = sum;
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                         const int32_t *A2_crd, const double *A_vals, int32_t B2_dimension,
                         const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals,
                         int32_t parts, int64_t work, int32_t *i_from_of, int32_t *i_past_of,
                         int64_t *C2_begin, void **C_of)
{
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    void *longer_array;
    int32_t i_from = 0;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    int32_t i_past, C_size;
    int32_t nw1 = 0;
    bool *w1_map = (bool *)calloc((size_t)B2_dimension + 1, sizeof(bool));
    int32_t *w1_crd = (int32_t *)calloc((size_t)B2_dimension + 1, sizeof(int32_t));
    double *w_vals = (double *)calloc((size_t)B2_dimension + 1, sizeof(double));
    if (!w1_map || !w1_crd || !w_vals)
        goto fail;
    i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
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
    C2_pos = (int32_t *)calloc((size_t)C_size + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
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
                    w1_crd[nw1++] = jp;
                }
                w_vals[jp] += A_val * B_vals[pB2];
            }
        }
        evaluate_sort_shell_i32(nw1, w1_crd);
        int64_t C2_needed = (int64_t)pC2 + nw1;
        if (C2_capacity < C2_needed) {
            if (C2_needed > 2147483647)
                goto too_large;
            C2_capacity = evaluate_max_i32(C2_capacity > 1073741823 ? 2147483647 : 2 * C2_capacity,
                (int32_t)C2_needed);
            longer_array = realloc(C2_crd, ((size_t)C2_capacity + 1) * sizeof(int32_t));
            if (!longer_array)
                goto fail;
            C2_crd = (int32_t *)longer_array;
            longer_array = realloc(C_vals, ((size_t)C2_capacity + 1) * sizeof(double));
            if (!longer_array)
                goto fail;
            C_vals = (double *)longer_array;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t j = w1_crd[pw1];
            C_vals[pC2] = w_vals[j];
            C2_crd[pC2++] = j;
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
    free(w1_map);
    free(w1_crd);
    free(w_vals);
    return 0;

too_large:
    status = 2;
fail:
    free(w1_map);
    free(w1_crd);
    free(w_vals);
    free(C2_pos);
    free(C2_crd);
    free(C_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t *C2_pos, int32_t *C2_crd, double *C_vals,
                           const int32_t *i_from_of, const int32_t *i_past_of, void **C_of,
                           const int64_t *C2_begin)
{
    int32_t *C2_pos_2, *C2_crd_2;
    double *C_vals_2;
    int32_t i_from = i_from_of[chunk], i_past = i_past_of[chunk];
    C2_pos_2 = (int32_t *)C_of[chunk * 3];
    C2_crd_2 = (int32_t *)C_of[chunk * 3 + 1];
    C_vals_2 = (double *)C_of[chunk * 3 + 2];
    int64_t C2_at = C2_begin[chunk], C2_length = C2_begin[chunk + 1] - C2_at;
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t B2_dimension,
             const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals,
             int32_t **C2_pos_out, int32_t **C2_crd_out, double **C_vals_out)
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
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / 8192));
    C_of = evaluate_allocate_arrays(parts * 3, 3, C_of_few);
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
        C2_pos = (int32_t *)evaluate_move_array(C2_pos, C_of, 0);
        C2_crd = (int32_t *)evaluate_move_array(C2_crd, C_of, 1);
        C_vals = (double *)evaluate_move_array(C_vals, C_of, 2);
    } else {
        evaluate_sum_before_i64(C2_begin, parts, 0);
        int64_t nC2 = C2_begin[parts];
        if (nC2 > 2147483647)
            goto too_large;
        C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
        C2_crd = (int32_t *)evaluate_allocate_array(nC2, sizeof(int32_t));
        C_vals = (double *)evaluate_allocate_array(nC2, sizeof(double));
        if (!C2_pos || !C2_crd || !C_vals)
            goto fail;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, C2_pos, C2_crd, C_vals, i_from_of, i_past_of, C_of, C2_begin);
    }
    evaluate_free_arrays(C_of, C_of_few);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

too_large:
    status = 2;
fail:
    free(C2_pos);
    free(C2_crd);
    free(C_vals);
    evaluate_free_arrays(C_of, C_of_few);
    return failed ? failed : status;
}
