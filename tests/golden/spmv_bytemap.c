/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i : bytemap(unordered), j : compressed)
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:(i,j) -> (i : bytemap(unordered), j : compressed)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_count      A, level 1 (bytemap): how many coordinates are listed
 *   A1_map        A, level 1 (bytemap): is the component stored?
 *   A1_crd        A, level 1 (bytemap): stored coordinates
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
#include <stdbool.h>
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_count,
             const bool *restrict A1_map, const int32_t *restrict A1_crd,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    (void)A1_map;
    int32_t nA1 = A1_count[0];
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t pA1 = 0; pA1 < nA1; pA1++) {
        int32_t i = A1_crd[pA1];
        double y_val = 0.0;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 3) {
            f64x4 y_val0 = {0};
            for (; pA2 < pA2_end - 3; pA2 += 4)
                y_val0 += *(const f64x4 *)(A_vals + pA2)
                    * (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
            y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            y_val += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = y_val;
    }
    return 0;
}
