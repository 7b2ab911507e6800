/* y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)
 *     y        f64   d
 *     z        f64   d
 *     A        f64   ds
 *     x        f64   d
 *     w        f64   d
 * schedule: reorder(i2, j2); share(i, i2); share(j, j2)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)' -f 'A:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   w_vals        w's values
 *   y_vals        y's values
 *   z_vals        z's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, const double *restrict w_vals, double *restrict y_vals,
             double *restrict z_vals)
{
    memset(z_vals, 0, (size_t)A2_dimension * sizeof(double));
    for (int32_t i = 0; i < A1_dimension; i++) {
        double w_val = w_vals[i];
        double y_val = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            double x_val = x_vals[j];
            y_val += A_val * x_val;
            z_vals[j] += A_val * w_val;
        }
        y_vals[i] = y_val;
    }
    return 0;
}
