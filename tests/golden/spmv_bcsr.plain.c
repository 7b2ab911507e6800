/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     x        f64   d
 * schedule: split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:bcsr(4,4)' --plain
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

#include "helpers/plain/min_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    int32_t io_size = A1_dimension / 4 + (A1_dimension % 4 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        memset(y_vals + io * 4, 0,
               (size_t)evaluate_min_i32(4, A1_dimension - io * 4) * sizeof(double));
        for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
            int32_t jo = A2_crd[pA2];
            for (int32_t ii = 0; ii < evaluate_min_i32(4, A1_dimension - io * 4); ii++) {
                int32_t i = io * 4 + ii;
                int64_t pA3 = (int64_t)pA2 * 4 + ii;
                double y_val = 0.0;
                for (int32_t ji = 0; ji < evaluate_min_i32(4, A2_dimension - jo * 4); ji++) {
                    int32_t j = jo * 4 + ji;
                    y_val += A_vals[pA3 * 4 + ji] * x_vals[j];
                }
                y_vals[i] += y_val;
            }
        }
    }
    return 0;
}
