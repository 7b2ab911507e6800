/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: reorder(i, k, j); parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
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

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                          const double *A_vals, int32_t B2_dimension, const double *B_vals,
                          double *C_vals, int32_t parts)
{
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        i_from = (int32_t)((int64_t)A1_dimension * part / parts);
        i_past = (int32_t)((int64_t)A1_dimension * (part + 1) / parts);
    }
    for (int32_t i = i_from; i < i_past; i++) {
        memset(C_vals + (int64_t)i * B2_dimension, 0, (size_t)B2_dimension * sizeof(double));
        for (int32_t k = 0; k < A2_dimension; k++) {
            double A_val = A_vals[(int64_t)i * A2_dimension + k];
            for (int32_t j = 0; j < B2_dimension; j++)
                C_vals[(int64_t)i * B2_dimension + j] += A_val
                    * B_vals[(int64_t)k * B2_dimension + j];
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, int32_t B2_dimension,
             const double *B_vals, double *C_vals)
{
    int64_t each = 1 + ((int64_t)B2_dimension < 1048576 ? (int64_t)B2_dimension : 1048576) / 8;
    int64_t work = A1_dimension + each * ((int64_t)A1_dimension * A2_dimension);
    int32_t parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
    if (parts == 1) {
        evaluate_part(0, A1_dimension, A2_dimension, A_vals, B2_dimension, B_vals, C_vals, parts);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, A1_dimension, A2_dimension, A_vals, B2_dimension, B_vals, C_vals,
                          parts);
    }
    return 0;
}
