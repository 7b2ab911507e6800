/* y(i) = a(i) / b(i)
 *     y        i32   d
 *     a        i32   d
 *     b        i32   d
 * made by spcc VERSION with
 *     spcc 'y(i) = a(i) / b(i)' -t 'a:i32' -t 'b:i32' -t 'y:i32'
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

#include "helpers/div_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t a1_dimension, const int32_t *restrict a_vals, const int32_t *restrict b_vals,
             int32_t *restrict y_vals)
{
    for (int32_t i = 0; i < a1_dimension; i++)
        y_vals[i] = div_i32(a_vals[i], b_vals[i]);
    return 0;
}
