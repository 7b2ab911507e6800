/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   hh
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dok'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_width      A, level 1 (hashed): slots for each parent
 *   A1_crd        A, level 1 (hashed): coordinates, -1 in empty slots
 *   A2_width      A, level 2 (hashed): slots for each parent
 *   A2_crd        A, level 2 (hashed): coordinates, -1 in empty slots
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

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_width,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_width,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int32_t nA1 = A1_width[0];
    int32_t nA2 = A2_width[0];
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int64_t pA1 = 0; pA1 < nA1; pA1++) {
        if (A1_crd[pA1] != -1) {
            int32_t i = A1_crd[pA1];
            double y_val = 0.0;
            for (int64_t pA2 = pA1 * nA2; pA2 < (pA1 + 1) * nA2; pA2++) {
                if (A2_crd[pA2] != -1) {
                    int32_t j = A2_crd[pA2];
                    y_val += A_vals[pA2] * x_vals[j];
                }
            }
            y_vals[i] = y_val;
        }
    }
    return 0;
}
