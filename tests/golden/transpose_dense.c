/* B(i,j) = A(j,i)
 *     B        f64   dd
 *     A        f64   dd:1,0
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(j,i)' -f 'A:dense:1,0'
 *
 *   A1_dimension  size of mode 1 of A: the range of j
 *   A2_dimension  size of mode 2 of A: the range of i
 *   A_vals        A's values
 *   B_vals        B's values
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *restrict A_vals,
             double *restrict B_vals)
{
    for (int32_t i = 0; i < A2_dimension; i++) {
        int64_t B_base = (int64_t)i * A1_dimension;
        for (int32_t j = 0; j < A1_dimension; j++)
            B_vals[B_base + j] = A_vals[B_base + j];
    }
    return 0;
}
