/* s = A(i,j,k) * x(k)
 *     s        f64   dense
 *     A        f64   uqq
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 's = A(i,j,k) * x(k)' -f 'A:coo' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A3_crd        A, level 3 (singleton): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   s_vals        s's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *A1_pos, const int32_t *A1_crd, const int32_t *A2_crd,
             const int32_t *A3_crd, const double *A_vals, const double *x_vals, double *s_vals)
{
    (void)A1_dimension; (void)A2_dimension; (void)A3_dimension; (void)A1_crd; (void)A2_crd;
    double s_val = 0.0;
    int32_t pA1 = A1_pos[0], pA1_end = A1_pos[1];
    for (int32_t pA3 = pA1; pA3 < pA1_end; pA3++)
        s_val += A_vals[pA3] * x_vals[A3_crd[pA3]];
    s_vals[0] = s_val;
    return 0;
}
