/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     x        f64   d
 * schedule: skew(j, i, d); reorder(d, i); split(i, io, ii, down, 2048); reorder(io, d, ii); parallelize(io, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dia' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int32_t evaluate_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t evaluate_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
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

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                          const int32_t *A1_pos, const int32_t *A1_crd, const double *A_vals,
                          const double *x_vals, double *y_vals, int32_t io_size, int32_t parts)
{
    int32_t io_from = 0, io_past = io_size;
    if (parts > 1) {
        io_from = (int32_t)((int64_t)io_size * part / parts);
        io_past = (int32_t)((int64_t)io_size * (part + 1) / parts);
    }
    for (int32_t io = io_from; io < io_past; io++) {
        for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
            int32_t d = A1_crd[pA1];
            for (int32_t ii = evaluate_max_i32(0, -d - io * 2048); ii
                 < evaluate_min_i32(evaluate_min_i32(2048, A1_dimension - io * 2048), A2_dimension
                 - d - io * 2048); ii++) {
                int32_t i = io * 2048 + ii, j = i + d;
                y_vals[i] += A_vals[(int64_t)pA1 * A1_dimension + i] * x_vals[j];
            }
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    int32_t io_size = A1_dimension / 2048 + (A1_dimension % 2048 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    int64_t work = io_size + (int64_t)A1_pos[1] * A1_dimension;
    int32_t parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, (int64_t)io_size > 1
        ? (int64_t)io_size : 1), work / 8192));
    if (parts == 1) {
        evaluate_part(0, A1_dimension, A2_dimension, A1_pos, A1_crd, A_vals, x_vals, y_vals,
                      io_size, parts);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, A1_dimension, A2_dimension, A1_pos, A1_crd, A_vals, x_vals, y_vals,
                          io_size, parts);
    }
    return 0;
}
