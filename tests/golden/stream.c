/* y(i) = a * x(i) + z(i)
 *     y        f64   d
 *     a        f64   dense
 *     x        f64   d
 *     z        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = a * x(i) + z(i)' -d i:4000000
 *
 *   a_vals        a's values
 *   x1_dimension  size of mode 1 of x: the range of i, which must be 4000000
 *   x_vals        x's values
 *   z_vals        z's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/min_i32.c"
#include "helpers/stream_32.c"
#include "helpers/stream_end.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(const double *restrict a_vals, int32_t x1_dimension, const double *restrict x_vals,
             const double *restrict z_vals, double *restrict y_vals)
{
    (void)x1_dimension;
    double a_val = a_vals[0];
    int32_t i = 0;
    int32_t i_line = i
        + min_i32(4000000 - i, (8 - (int32_t)((size_t)(y_vals + 0) % 64 / sizeof *y_vals)) % 8);
    #pragma GCC unroll 1
    for (; i < i_line; i++)
        y_vals[i] = a_val * x_vals[i] + z_vals[i];
    for (; i < 3999993; i += 8) {
        {
            f64x4 streamed = a_val * *(const f64x4 *)(x_vals + i) + *(const f64x4 *)(z_vals + i);
            stream_32(y_vals + i, &streamed);
        }
        {
            f64x4 streamed = a_val * *(const f64x4 *)(x_vals + i + 4)
                + *(const f64x4 *)(z_vals + i + 4);
            stream_32(y_vals + (i + 4), &streamed);
        }
    }
    #pragma GCC unroll 1
    for (; i < 4000000; i++)
        y_vals[i] = a_val * x_vals[i] + z_vals[i];
    stream_end();
    return 0;
}
