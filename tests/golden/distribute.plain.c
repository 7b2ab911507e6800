/* y(i) = (A(i,j) - m(j)) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     m        f64   d
 *     x        f64   d
 * schedule: distribute((A(i,j) - m(j)) * x(j))
 * made by spcc VERSION with
 *     spcc 'y(i) = (A(i,j) - m(j)) * x(j)' -f 'A:csr' --plain --serial --algebra=distribute
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   m_vals        m's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const double *m_vals,
             const double *x_vals, double *y_vals)
{
    double t2 = 0.0;
    for (int32_t j2 = 0; j2 < A2_dimension; j2++)
        t2 += m_vals[j2] * x_vals[j2];
    for (int32_t i = 0; i < A1_dimension; i++) {
        double t = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
            t += A_vals[pA2] * x_vals[A2_crd[pA2]];
        y_vals[i] = t - t2;
    }
    return 0;
}
