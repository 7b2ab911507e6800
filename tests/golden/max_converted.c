/* y = max(j, A(j) - B(j))
 *     y        f64   dense
 *     A        f32   d
 *     B        f64   s
 * made by spcc VERSION with
 *     spcc 'y = max(j, A(j) - B(j))' -f 'B:s' -t 'A:f32'
 *
 *   A1_dimension  size of mode 1 of A: the range of j
 *   A_vals        A's values
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B_vals        B's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/max_f64.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, const float *restrict A_vals, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const double *restrict B_vals, double *restrict y_vals)
{
    double t = -__builtin_inf();
    int32_t pB1 = B1_pos[0];
    int32_t pB1_end = B1_pos[1];
    int32_t j = 0;
    while (pB1 < pB1_end) {
        int32_t jB = B1_crd[pB1];
        if (jB == j)
            t = max_f64(t, A_vals[j] - B_vals[pB1]);
        else
            t = max_f64(t, A_vals[j]);
        pB1 += jB == j;
        j++;
    }
    for (int32_t j_2 = j; j_2 < A1_dimension; j_2++)
        t = max_f64(t, A_vals[j_2]);
    y_vals[0] = t;
    return 0;
}
