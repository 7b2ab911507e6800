/* y(j) = A(i,j) * x(i)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: reorder(i,j); parallelize(i, cpu_thread, atomics, dynamic, 64)
 * made by spcc VERSION with
 *     spcc 'y(j) = A(i,j) * x(i)' -f 'A:csr' -s 'reorder(i,j); parallelize(i, cpu_thread, atomics, dynamic, 64)' --plain
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
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "helpers/plain/min_i64.c"

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                          const int32_t *A2_crd, const double *A_vals, const double *x_vals,
                          double *y_vals, int32_t parts)
{
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        i_from = (int32_t)evaluate_min_i64(A1_dimension, (int64_t)part * 64);
        i_past = (int32_t)evaluate_min_i64(A1_dimension, (int64_t)(part + 1) * 64);
    }
    for (int32_t i = i_from; i < i_past; i++) {
        double x_val = x_vals[i];
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
#ifdef _OPENMP
#pragma omp atomic
#endif
            y_vals[j] += A_vals[pA2] * x_val;
        }
    }
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    memset(y_vals, 0, (size_t)A2_dimension * sizeof(double));
    int64_t chunks = ((int64_t)A1_dimension + 63) / 64;
    if (chunks > 2147483647) return 2;
    int32_t parts = (int32_t)chunks;
    if (parts == 1) {
        evaluate_part(0, A1_dimension, A2_pos, A2_crd, A_vals, x_vals, y_vals, parts);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, A1_dimension, A2_pos, A2_crd, A_vals, x_vals, y_vals, parts);
    }
    return 0;
}
