/* a(i) = b(i) + c(i)
 *     a        f64   d
 *     b        f64   s
 *     c        f64   d
 * made by spcc VERSION with
 *     spcc 'a(i) = b(i) + c(i)' -f 'b:sparse'
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c_vals        c's values
 *   a_vals        a's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t b1_dimension, const int32_t *restrict b1_pos, const int32_t *restrict b1_crd,
             const double *restrict b_vals, const double *restrict c_vals, double *restrict a_vals)
{
    int32_t pb1 = b1_pos[0];
    int32_t pb1_end = b1_pos[1];
    int32_t i = 0;
    while (pb1 < pb1_end) {
        int32_t ib = b1_crd[pb1];
        if (ib == i)
            a_vals[i] = b_vals[pb1] + c_vals[i];
        else
            a_vals[i] = c_vals[i];
        pb1 += ib == i;
        i++;
    }
    for (int32_t i_2 = i; i_2 < b1_dimension; i_2++)
        a_vals[i_2] = c_vals[i_2];
    return 0;
}
