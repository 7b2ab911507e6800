/* y(j) = A(i,j) * x(i)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: reorder(i,j); parallelize(i, cpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'y(j) = A(i,j) * x(i)' -f 'A:csr' -s 'reorder(i,j); parallelize(i, cpu_thread, temporary)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
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

/* Release arrays, and their room unless that is `few`. */
static inline void evaluate_free_arrays(void **arrays, void **few)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        free(*at);
    if (arrays != few)
        free(arrays);
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                         const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals,
                         const double *x_vals, double *y_vals, int32_t parts, int64_t work,
                         void **y_vals_of)
{
    double *y_vals_2 = NULL;
    int status = 1;
    int32_t i_from = 0, i_past = A1_dimension;
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
    if (part == 0) {
        for (int32_t i = i_from; i < i_past; i++) {
            double x_val = x_vals[i];
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
                y_vals[A2_crd[pA2]] += A_vals[pA2] * x_val;
        }
    } else {
        y_vals_2 = (double *)calloc((size_t)A2_dimension + 1, sizeof(double));
        if (!y_vals_2) goto done;
        for (int32_t i = i_from; i < i_past; i++) {
            double x_val = x_vals[i];
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
                y_vals_2[A2_crd[pA2]] += A_vals[pA2] * x_val;
        }
        y_vals_of[part] = y_vals_2;
        y_vals_2 = NULL;
    }
    status = 0;
done:
    free(y_vals_2);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_share(int32_t share, int32_t A2_dimension, double *y_vals, int32_t parts,
                           void **y_vals_of)
{
    double *y_vals_2;
    int64_t element_from = (int64_t)A2_dimension * share / parts;
    int64_t element_past = (int64_t)A2_dimension * (share + 1) / parts;
    for (int32_t part = 1; part < parts; part++) {
        y_vals_2 = (double *)y_vals_of[part];
        for (int64_t element = element_from; element < element_past; element++)
            y_vals[element] += y_vals_2[element];
    }
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    void *y_vals_of_few[2], **y_vals_of = NULL;
    int status = 1;
    int failed = 0;
    memset(y_vals, 0, (size_t)A2_dimension * sizeof(double));
    int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    int64_t grain = 32768 + (int64_t)A2_dimension;
    int32_t parts = (int32_t)(work < 2 * grain ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / grain));
    y_vals_of = evaluate_allocate_arrays(parts, 1, y_vals_of_few);
    if (!y_vals_of) goto done;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_dimension, A2_pos, A2_crd, A_vals, x_vals,
                               y_vals, parts, work, y_vals_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_dimension, A2_pos, A2_crd,
                                            A_vals, x_vals, y_vals, parts, work, y_vals_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) goto done;
    if (parts > 1) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_share(share, A2_dimension, y_vals, parts, y_vals_of);
    }
    status = 0;
done:
    evaluate_free_arrays(y_vals_of, y_vals_of_few);
    return failed ? failed : status;
}
