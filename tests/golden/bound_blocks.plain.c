/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   dd
 *     x        f64   d
 * schedule: split(j, j0, j1, down, 4); bound(j0, jb, 4, exact)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -s 'split(j, j0, j1, down, 4); bound(j0, jb, 4, exact)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 4 where a size is not what the schedule's bounds
 * say.
 */
#include <stdint.h>

#include "helpers/plain/min_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, const double *x_vals,
             double *y_vals)
{
    int32_t jb_size = A2_dimension / 4 + (A2_dimension % 4 > 0);
    if ((int64_t)jb_size != 4) return 4;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        for (int32_t jb = 0; jb < 4; jb++) {
            for (int32_t j1 = 0; j1 < evaluate_min_i32(4, A2_dimension - jb * 4); j1++) {
                int32_t j = jb * 4 + j1;
                y_val += A_vals[(int64_t)i * A2_dimension + j] * x_vals[j];
            }
        }
        y_vals[i] = y_val;
    }
    return 0;
}
