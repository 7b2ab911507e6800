/* beta = 2 * alpha + 1
 *     beta     f64   dense
 *     alpha    f32   dense
 * made by spcc VERSION with
 *     spcc 'beta = 2 * alpha + 1' -t 'alpha:f32'
 *
 *   alpha_vals  alpha's values
 *   beta_vals   beta's values
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
int evaluate(const float *restrict alpha_vals, double *restrict beta_vals)
{
    float alpha_val = alpha_vals[0];
    beta_vals[0] = 2.0 * alpha_val + 1.0;
    return 0;
}
