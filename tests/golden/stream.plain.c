/* y(i) = a * x(i) + z(i)
 *     y        f64   d
 *     a        f64   dense
 *     x        f64   d
 *     z        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = a * x(i) + z(i)' -d i:4000000 --plain
 *
 *   a_vals        a's values
 *   x1_dimension  size of mode 1 of x: the range of i, which must be 4000000
 *   x_vals        x's values
 *   z_vals        z's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(const double *a_vals, int32_t x1_dimension, const double *x_vals, const double *z_vals,
             double *y_vals)
{
    (void)x1_dimension;
    double a_val = a_vals[0];
    for (int32_t i = 0; i < 4000000; i++)
        y_vals[i] = a_val * x_vals[i] + z_vals[i];
    return 0;
}
