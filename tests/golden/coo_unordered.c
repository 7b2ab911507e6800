/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:(i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        int32_t j = A2_crd[pA1];
        y_vals[i] += A_vals[pA1] * x_vals[j];
    }
    return 0;
}
