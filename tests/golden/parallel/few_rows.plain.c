/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   dd
 *     x        f64   d
 * schedule: parallelize(j, cpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dd' -d i:3 --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i, which must be 3
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

static inline int64_t evaluate_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t A2_dimension, const double *A_vals,
                          const double *x_vals, int32_t parts, int32_t i, double *y_val_of)
{
    int32_t j_from = 0, j_past = A2_dimension;
    if (parts > 1) {
        j_from = (int32_t)((int64_t)A2_dimension * part / parts);
        j_past = (int32_t)((int64_t)A2_dimension * (part + 1) / parts);
    }
    double y_val = 0.0;
    for (int32_t j = j_from; j < j_past; j++)
        y_val += A_vals[(int64_t)i * A2_dimension + j] * x_vals[j];
    y_val_of[part] = y_val;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, const double *x_vals,
             double *y_vals)
{
    (void)A1_dimension;
    double y_val_of[257];
    for (int32_t i = 0; i < 3; i++) {
        double y_val = 0.0;
        int64_t work = A2_dimension + ((int64_t)i * A2_dimension + A2_dimension) - (int64_t)i
            * A2_dimension;
        int32_t parts = (int32_t)(work < 16384 ? 1 : evaluate_min_i64(256, work / 8192));
        if (parts == 1) {
            evaluate_part(0, A2_dimension, A_vals, x_vals, parts, i, y_val_of);
        } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
            for (int32_t part = 0; part < parts; part++)
                evaluate_part(part, A2_dimension, A_vals, x_vals, parts, i, y_val_of);
        }
        for (int32_t part = 0; part < parts; part++)
            y_val += y_val_of[part];
        y_vals[i] = y_val;
    }
    return 0;
}
