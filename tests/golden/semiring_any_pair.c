/* y(i) = any(j, and(A(i,j) != 0, x(j) != 0))
 *     y        bool  d
 *     A        f64   ds
 *     x        f64   s
 * made by spcc VERSION with
 *     spcc 'y(i) = any(j, and(A(i,j) != 0, x(j) != 0))' -f 'A:csr' -f 'x:sparse' -t 'y:bool'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x1_pos        x, level 1 (compressed): where each segment begins and ends
 *   x1_crd        x, level 1 (compressed): coordinates
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict x1_pos, const int32_t *restrict x1_crd,
             const double *restrict x_vals, bool *restrict y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        bool y_val = false;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t px1 = x1_pos[0];
        int32_t px1_end = x1_pos[1];
        while (pA2 < pA2_end && px1 < px1_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jx = x1_crd[px1];
            int32_t j = jA < jx ? jA : jx;
            if (jA == j && jx == j)
                y_val |= A_vals[pA2] != 0.0 && x_vals[px1] != 0.0;
            pA2 += jA == j;
            px1 += jx == j;
        }
        y_vals[i] = y_val;
    }
    return 0;
}
