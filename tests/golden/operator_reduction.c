/* y(i) = longer(j, A(i,j) + x(j))
 *     y        f64   d, fill -inf
 *     A        f64   ds, fill -inf
 *     x        f64   d
 * operator: longer(x,y) = x > y ? x : y; commutative, associative, identity=-inf
 * made by spcc VERSION with
 *     spcc 'y(i) = longer(j, A(i,j) + x(j))' -f 'A:csr' --fill 'A:-inf' --fill 'y:-inf' --op 'longer(x,y) = x > y ? x : y; commutative, associative, identity=-inf'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = -__builtin_inf();
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double longer = A_vals[pA2] + x_vals[j];
            y_val = y_val > longer ? y_val : longer;
        }
        y_vals[i] = y_val;
    }
    return 0;
}
