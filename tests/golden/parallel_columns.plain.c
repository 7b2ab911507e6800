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

#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_array.c"
#include "helpers/plain/allocate_arrays.c"
#include "helpers/plain/free_arrays.c"

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
