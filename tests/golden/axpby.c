/* y(i) = alpha * A(i,j) * x(j) + beta * z(i)
 *     y        f64   d
 *     alpha    f64   dense
 *     A        f64   ds
 *     x        f64   d
 *     beta     f64   dense
 *     z        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = alpha * A(i,j) * x(j) + beta * z(i)' -f 'A:csr'
 *
 *   alpha_vals    alpha's values
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   beta_vals     beta's values
 *   z_vals        z's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(const double *restrict alpha_vals, int32_t A1_dimension, int32_t A2_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals,
             const double *restrict beta_vals, const double *restrict z_vals,
             double *restrict y_vals)
{
    (void)A2_dimension;
    double beta_val = beta_vals[0];
    double alpha_val = alpha_vals[0];
    for (int32_t i = 0; i < A1_dimension; i++) {
        double z_val = z_vals[i];
        double t = 0.0;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 3) {
            f64x4 t0 = {0};
            for (; pA2 < pA2_end - 3; pA2 += 4)
                t0 += *(const f64x4 *)(A_vals + pA2)
                    * (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
            t += alpha_val * (t0[0] + t0[2] + (t0[1] + t0[3]));
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            t += alpha_val * A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = t + beta_val * z_val;
    }
    return 0;
}
