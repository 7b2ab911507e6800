/* C(i,j) = A(i,j) * B(j,i)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(i,i0,i1,down,4); split(j,j0,j1,down,4); reorder(i0,j0,i1,j1); collapse(i0,j0,f); split(f,f0,f1,up,2)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) * B(j,i)' -s 'split(i,i0,i1,down,4); split(j,j0,j1,down,4); reorder(i0,j0,i1,j1); collapse(i0,j0,f); split(f,f0,f1,up,2)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 */
#include <stdint.h>

#include "helpers/plain/div_i32.c"
#include "helpers/plain/min_i32.c"
#include "helpers/plain/mod_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, const double *B_vals,
             double *C_vals)
{
    int32_t i0_size = A1_dimension / 4 + (A1_dimension % 4 > 0);
    int32_t j0_size = A2_dimension / 4 + (A2_dimension % 4 > 0);
    if (i0_size > evaluate_div_i32(2147483647, j0_size > 1 ? j0_size : 1)) return 2;
    int32_t f_size = i0_size * j0_size, f1_size = f_size / 2 + (f_size % 2 > 0);
    for (int32_t f0 = 0; f0 < 2; f0++) {
        for (int32_t f1 = 0; f1 < evaluate_min_i32(f1_size, f_size - f0 * f1_size); f1++) {
            int32_t f = f0 * f1_size + f1, i0 = evaluate_div_i32(f, j0_size);
            int32_t j0 = evaluate_mod_i32(f, j0_size);
            for (int32_t i1 = 0; i1 < evaluate_min_i32(4, A1_dimension - i0 * 4); i1++) {
                int32_t i = i0 * 4 + i1;
                for (int32_t j1 = 0; j1 < evaluate_min_i32(4, A2_dimension - j0 * 4); j1++) {
                    int32_t j = j0 * 4 + j1;
                    C_vals[(int64_t)i * A2_dimension + j] = A_vals[(int64_t)i * A2_dimension + j]
                        * B_vals[(int64_t)j * A1_dimension + i];
                }
            }
        }
    }
    return 0;
}
