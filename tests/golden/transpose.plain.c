/* A(j,i) = B(i,j)
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(j, jo, ji, down, 16); split(i, io, ii, down, 16); reorder(jo, io, ii, ji)
 * made by spcc VERSION with
 *     spcc 'A(j,i) = B(i,j)' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#include "helpers/plain/min_i32.c"

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const double *B_vals, double *A_vals)
{
    int32_t jo_size = B2_dimension / 16 + (B2_dimension % 16 > 0);
    int32_t io_size = B1_dimension / 16 + (B1_dimension % 16 > 0);
    for (int32_t jo = 0; jo < jo_size; jo++) {
        for (int32_t io = 0; io < io_size; io++) {
            for (int32_t ii = 0; ii < evaluate_min_i32(16, B1_dimension - io * 16); ii++) {
                int32_t i = io * 16 + ii;
                for (int32_t ji = 0; ji < evaluate_min_i32(16, B2_dimension - jo * 16); ji++) {
                    int32_t j = jo * 16 + ji;
                    A_vals[(int64_t)j * B1_dimension + i] = B_vals[(int64_t)i * B2_dimension + j];
                }
            }
        }
    }
    return 0;
}
