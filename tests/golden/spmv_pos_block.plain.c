/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,16); precompute(A(i,j)*x(j), w, {p1,pc,pp}, dense)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,16); precompute(A(i,j)*x(j), w, {p1,pc,pp}, dense)' --plain
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
#include "helpers/plain/find_first_i32.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals)
{
    (void)A2_dimension;
    double w_vals[16];
    int32_t p_size = A2_pos[A1_dimension], p0_size = p_size / 16 + (p_size % 16 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t p0 = 0; p0 < p0_size; p0++) {
        for (int32_t pp = 0; pp < evaluate_min_i32(16, p_size - p0 * 16); pp++) {
            int32_t p2 = p0 * 16 + pp;
            w_vals[pp] = A_vals[p2] * x_vals[A2_crd[p2]];
        }
        int32_t i = (int32_t)(evaluate_find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1,
            (int64_t)(p0 * 16) + 1) - 1);
        for (int32_t pc = 0; pc < evaluate_min_i32(16, p_size - p0 * 16); pc++) {
            int32_t p = p0 * 16 + pc;
            while (A2_pos[i + 1] <= p)
                i++;
            y_vals[i] += w_vals[pc];
        }
    }
    return 0;
}
