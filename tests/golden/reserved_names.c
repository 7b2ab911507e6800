/* y(__i) = int(__i) * _A(__i,double)
 *     y        f64   d
 *     int      f64   d
 *     _A       f64   dd
 * made by spcc VERSION with
 *     spcc 'y(__i) = int(__i) * _A(__i,double)'
 *
 *   int1_dimension  size of mode 1 of int: the range of __i
 *   int_vals        int's values
 *   _A2_dimension   size of mode 2 of _A: the range of double
 *   _A_vals         _A's values
 *   y_vals          y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t int1_dimension, const double *restrict int_vals, int32_t _A2_dimension,
             const double *restrict _A_vals, double *restrict y_vals)
{
    for (int32_t v__i = 0; v__i < int1_dimension; v__i++) {
        double int_val = int_vals[v__i];
        double t = 0.0;
        int64_t _A_base = (int64_t)v__i * _A2_dimension;
        int32_t double_ = 0;
        if (double_ < _A2_dimension - 3) {
            f64x4 t0 = {0};
            if (double_ < _A2_dimension - 15) {
                f64x4 t1 = {0};
                f64x4 t2 = {0};
                f64x4 t3 = {0};
                for (; double_ < _A2_dimension - 15; double_ += 16) {
                    t0 += *(const f64x4 *)(_A_vals + _A_base + double_);
                    t1 += *(const f64x4 *)(_A_vals + _A_base + double_ + 4);
                    t2 += *(const f64x4 *)(_A_vals + _A_base + double_ + 8);
                    t3 += *(const f64x4 *)(_A_vals + _A_base + double_ + 12);
                }
                t0 += t2;
                t1 += t3;
                t0 += t1;
            }
            for (; double_ < _A2_dimension - 3; double_ += 4)
                t0 += *(const f64x4 *)(_A_vals + _A_base + double_);
            t += t0[0] + t0[2] + (t0[1] + t0[3]);
        }
        #pragma GCC unroll 1
        for (; double_ < _A2_dimension; double_++)
            t += _A_vals[_A_base + double_];
        y_vals[v__i] = int_val * t;
    }
    return 0;
}
