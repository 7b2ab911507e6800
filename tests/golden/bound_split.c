/* z(i) = x(i) * y(i)
 *     z        f64   d
 *     x        f64   d
 *     y        f64   d
 * schedule: bound(i,ib,64,multiple); split(ib,i0,i1,down,8); unroll(i1,8)
 * made by spcc VERSION with
 *     spcc 'z(i) = x(i) * y(i)' -s 'bound(i,ib,64,multiple); split(ib,i0,i1,down,8); unroll(i1,8)'
 *
 *   x1_dimension  size of mode 1 of x: the range of i
 *   x_vals        x's values
 *   y_vals        y's values
 *   z_vals        z's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 4 where a size is not what the schedule's bounds
 * say.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t x1_dimension, const double *restrict x_vals, const double *restrict y_vals,
             double *restrict z_vals)
{
    int status = 1;
    int32_t i0_size = x1_dimension / 8 + (x1_dimension % 8 > 0);
    if ((int64_t)x1_dimension % 64 != 0) {
        status = 4;
        goto fail;
    }
    for (int32_t i0 = 0; i0 < i0_size; i0++) {
        int32_t ib = i0 * 8;
        z_vals[ib] = x_vals[ib] * y_vals[ib];
        int32_t ib_2 = ib + 1;
        z_vals[ib_2] = x_vals[ib_2] * y_vals[ib_2];
        int32_t ib_3 = ib + 2;
        z_vals[ib_3] = x_vals[ib_3] * y_vals[ib_3];
        int32_t ib_4 = ib + 3;
        z_vals[ib_4] = x_vals[ib_4] * y_vals[ib_4];
        int32_t ib_5 = ib + 4;
        z_vals[ib_5] = x_vals[ib_5] * y_vals[ib_5];
        int32_t ib_6 = ib + 5;
        z_vals[ib_6] = x_vals[ib_6] * y_vals[ib_6];
        int32_t ib_7 = ib + 6;
        z_vals[ib_7] = x_vals[ib_7] * y_vals[ib_7];
        int32_t ib_8 = ib + 7;
        z_vals[ib_8] = x_vals[ib_8] * y_vals[ib_8];
    }
    return 0;

fail:
    return status;
}
