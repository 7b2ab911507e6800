/* p(i) = r(i) + beta * p(i)
 *     p        f64   d
 *     r        f64   d
 *     beta     f64   dense
 * made by spcc VERSION with
 *     spcc 'p(i) = r(i) + beta * p(i)'
 *
 *   r1_dimension  size of mode 1 of r: the range of i
 *   r_vals        r's values
 *   beta_vals     beta's values
 *   p_vals        p's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t r1_dimension, const double *restrict r_vals, const double *restrict beta_vals,
             double *restrict p_vals)
{
    double beta_val = beta_vals[0];
    for (int32_t i = 0; i < r1_dimension; i++)
        p_vals[i] = r_vals[i] + beta_val * p_vals[i];
    return 0;
}
