/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   db
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:bitmap'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_map        A, level 2 (bitmap): is the component stored?
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const bool *restrict A2_map,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        int64_t base = (int64_t)i * A2_dimension;
        for (int32_t j = 0; j < A2_dimension; j++) {
            int64_t pA2 = base + j;
            if (A2_map[pA2])
                y_val += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = y_val;
    }
    return 0;
}
