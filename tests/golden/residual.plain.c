/* r(i) = b(i) - A(i,j) * x(j)
 *     r        f64   d
 *     b        f64   d
 *     A        f64   ds
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'r(i) = b(i) - A(i,j) * x(j)' -f 'A:csr' --plain
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   r_vals        r's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t b1_dimension, const double *b_vals, int32_t A2_dimension,
             const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals,
             const double *x_vals, double *r_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < b1_dimension; i++) {
        double b_val = b_vals[i], t = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
            t += A_vals[pA2] * x_vals[A2_crd[pA2]];
        r_vals[i] = b_val - t;
    }
    return 0;
}
