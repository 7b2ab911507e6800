/* y(i) = a(i) * b(i) + 1
 *     y        f32   d
 *     a        i16   d
 *     b        u16   d
 * made by spcc VERSION with
 *     spcc 'y(i) = a(i) * b(i) + 1' -t 'a:i16' -t 'b:u16' -t 'y:f32'
 *
 *   a1_dimension  size of mode 1 of a: the range of i
 *   a_vals        a's values
 *   b_vals        b's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 *
 * Integers that overflow wrap around when this is compiled with -fwrapv.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t a1_dimension, const int16_t *restrict a_vals, const uint16_t *restrict b_vals,
             float *restrict y_vals)
{
    for (int32_t i = 0; i < a1_dimension; i++)
        y_vals[i] = (float)((int64_t)a_vals[i] * b_vals[i] + 1);
    return 0;
}
