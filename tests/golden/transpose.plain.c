/* A(j,i) = B(i,j)
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(j, jo, ji, down, 32); reorder(jo, i, ji)
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
    int32_t jo_size = B2_dimension / 32 + (B2_dimension % 32 > 0);
    for (int32_t jo = 0; jo < jo_size; jo++) {
        for (int32_t i = 0; i < B1_dimension; i++) {
            for (int32_t ji = 0; ji < evaluate_min_i32(32, B2_dimension - jo * 32); ji++) {
                int32_t j = jo * 32 + ji;
                A_vals[(int64_t)j * B1_dimension + i] = B_vals[(int64_t)i * B2_dimension + j];
            }
        }
    }
    return 0;
}
