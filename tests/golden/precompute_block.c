/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   dd
 *     x        f64   d
 * schedule: split(j,j0,j1,down,16); precompute(A(i,j)*x(j),w,{j1,jc,jp},dense); unroll(jc,16)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -s 'split(j,j0,j1,down,16); precompute(A(i,j)*x(j),w,{j1,jc,jp},dense); unroll(jc,16)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    double w_vals[16];
    int32_t j0_size = A2_dimension / 16 + (A2_dimension % 16 > 0);
    for (int32_t i = 0; i < A1_dimension; i++) {
        memset(w_vals, 0, 16 * sizeof(double));
        int64_t A_base = (int64_t)i * A2_dimension;
        if (0 < j0_size) {
            int32_t j0_whole = j0_size;
            while (0 < j0_whole && 16 > A2_dimension - (j0_whole - 1) * 16)
                j0_whole--;
            f64x4 w_vals0 = {0};
            f64x4 w_vals1 = {0};
            f64x4 w_vals2 = {0};
            f64x4 w_vals3 = {0};
            for (int32_t j0 = 0; j0 < j0_whole; j0++) {
                int32_t base = j0 * 16;
                w_vals0 += *(const f64x4 *)(A_vals + A_base + base)
                    * *(const f64x4 *)(x_vals + base);
                w_vals1 += *(const f64x4 *)(A_vals + A_base + (base + 4))
                    * *(const f64x4 *)(x_vals + base + 4);
                w_vals2 += *(const f64x4 *)(A_vals + A_base + (base + 8))
                    * *(const f64x4 *)(x_vals + base + 8);
                w_vals3 += *(const f64x4 *)(A_vals + A_base + (base + 12))
                    * *(const f64x4 *)(x_vals + base + 12);
            }
            *(f64x4 *)w_vals += w_vals0;
            *(f64x4 *)(w_vals + 4) += w_vals1;
            *(f64x4 *)(w_vals + 8) += w_vals2;
            *(f64x4 *)(w_vals + 12) += w_vals3;
            for (int32_t j0 = j0_whole; j0 < j0_size; j0++) {
                int32_t base = j0 * 16;
                if (A2_dimension - j0 * 16 >= 16) {
                    for (int32_t jp = 0; jp < 16; jp++) {
                        int32_t j2 = base + jp;
                        w_vals[jp] += A_vals[A_base + j2] * x_vals[j2];
                    }
                } else {
                    for (int32_t jp = 0; jp < A2_dimension - j0 * 16; jp++) {
                        int32_t j2 = base + jp;
                        w_vals[jp] += A_vals[A_base + j2] * x_vals[j2];
                    }
                }
            }
        }
        double y_val = 0.0;
        y_val += w_vals[0];
        y_val += w_vals[1];
        y_val += w_vals[2];
        y_val += w_vals[3];
        y_val += w_vals[4];
        y_val += w_vals[5];
        y_val += w_vals[6];
        y_val += w_vals[7];
        y_val += w_vals[8];
        y_val += w_vals[9];
        y_val += w_vals[10];
        y_val += w_vals[11];
        y_val += w_vals[12];
        y_val += w_vals[13];
        y_val += w_vals[14];
        y_val += w_vals[15];
        y_vals[i] = y_val;
    }
    return 0;
}
