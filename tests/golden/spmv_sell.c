/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/8 : dense, i%8 : ragged, j : singleton(padded))
 *     x        f64   d
 * schedule: split(i, io, ii, down, 8); reorder(io, ii, j)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:sell(8)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (ragged): where the positions below each parent begin and end
 *   A3_crd        A, level 3 (singleton(padded)): coordinates, -1 where there is none
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A3_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int32_t io_size = A1_dimension / 8 + (A1_dimension % 8 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 8;
        int32_t base_2 = A1_dimension - io * 8;
        for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
            int32_t ii = (int32_t)((int64_t)pA2 % 8);
            int32_t i = base + ii;
            if (ii < base_2) {
                double y_val = 0.0;
                for (int32_t pA3 = pA2; pA3 < pA2 + 1; pA3++) {
                    if (A3_crd[pA3] != -1) {
                        int32_t j = A3_crd[pA3];
                        y_val += A_vals[pA3] * x_vals[j];
                    }
                }
                y_vals[i] += y_val;
            }
        }
    }
    return 0;
}
