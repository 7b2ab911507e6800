/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j-i : dense, i : compressed, j : offset)
 *     x        f64   d
 * schedule: skew(j, i, d); reorder(d, i)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:(i,j) -> (j-i : dense, i : compressed, j : offset)'
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
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t d = 1 - A1_dimension; d < A2_dimension; d++) {
        int32_t pA1 = d - (1 - A1_dimension);
        int32_t pA2 = A2_pos[pA1];
        int32_t pA2_end = A2_pos[pA1 + 1];
        for (; pA2 < pA2_end - 3; pA2 += 4) {
            int32_t to = A2_crd[pA2];
            int32_t to0 = A2_crd[pA2 + 1];
            int32_t to1 = A2_crd[pA2 + 2];
            int32_t to2 = A2_crd[pA2 + 3];
            f64x4 here = (f64x4){y_vals[to], y_vals[to0], y_vals[to1], y_vals[to2]};
            here += *(const f64x4 *)(A_vals + pA2)
                * (f64x4){x_vals[A2_crd[pA2] + d], x_vals[A2_crd[pA2 + 1] + d],
                x_vals[A2_crd[pA2 + 2] + d], x_vals[A2_crd[pA2 + 3] + d]};
            y_vals[to] = here[0];
            y_vals[to0] = here[1];
            y_vals[to1] = here[2];
            y_vals[to2] = here[3];
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t i = A2_crd[pA2];
            int32_t j = i + d;
            y_vals[i] += A_vals[pA2] * x_vals[j];
        }
    }
    return 0;
}
