/* y(i) = b(i) - A(i,j) * x(j)
 *     y        f64   d
 *     b        f64   d
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     x        f64   d
 * schedule: split(i, io, ii, down, 4); precompute(t, w, {ii,ii,iip}, dense); sequence(w); split(j, jo, ji, down, 4); reorder(jo, iip, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = b(i) - A(i,j) * x(j)' -f 'A:bcsr(4,4)' --name=compute_y
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
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

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int compute_y(int32_t b1_dimension, const double *restrict b_vals, int32_t A2_dimension,
              const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
              const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    int32_t io_size = b1_dimension / 4 + (b1_dimension % 4 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 4;
        int32_t base_2 = b1_dimension - base;
        if (base_2 >= 4) {
            for (int32_t ii = 0; ii < 4; ii++) {
                int32_t i = base + ii;
                y_vals[i] = b_vals[i];
            }
        } else {
            for (int32_t ii = 0; ii < base_2; ii++) {
                int32_t i = base + ii;
                y_vals[i] = b_vals[i];
            }
        }
        if (A2_pos[io] < A2_pos[io + 1] && 4 <= base_2) {
            int32_t pA2_whole = A2_pos[io + 1];
            while (A2_pos[io] < pA2_whole && 4 > A2_dimension - A2_crd[pA2_whole - 1] * 4)
                pA2_whole--;
            f64x4 y_vals0 = {0};
            f64x4 y_vals1 = {0};
            f64x4 y_vals2 = {0};
            f64x4 y_vals3 = {0};
            for (int32_t pA2 = A2_pos[io]; pA2 < pA2_whole; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_4 = (int64_t)pA2 * 4;
                int32_t base_6 = jo * 4;
                y_vals0 -= *(const f64x4 *)(A_vals + base_4 * 4)
                    * *(const f64x4 *)(x_vals + base_6);
                y_vals1 -= *(const f64x4 *)(A_vals + (base_4 + 1) * 4)
                    * *(const f64x4 *)(x_vals + base_6);
                y_vals2 -= *(const f64x4 *)(A_vals + (base_4 + 2) * 4)
                    * *(const f64x4 *)(x_vals + base_6);
                y_vals3 -= *(const f64x4 *)(A_vals + (base_4 + 3) * 4)
                    * *(const f64x4 *)(x_vals + base_6);
            }
            *(f64x4 *)(y_vals + base) += (f64x4){y_vals0[0] + y_vals0[2]
                + (y_vals0[1] + y_vals0[3]), y_vals1[0] + y_vals1[2] + (y_vals1[1] + y_vals1[3]),
                y_vals2[0] + y_vals2[2] + (y_vals2[1] + y_vals2[3]), y_vals3[0] + y_vals3[2]
                + (y_vals3[1] + y_vals3[3])};
            for (int32_t pA2 = pA2_whole; pA2 < A2_pos[io + 1]; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_4 = (int64_t)pA2 * 4;
                int32_t base_6 = jo * 4;
                int32_t base_5 = A2_dimension - base_6;
                for (int32_t iip = 0; iip < (4 < base_2 ? 4 : base_2); iip++) {
                    int32_t i2 = base + iip;
                    int64_t pA3 = base_4 + iip;
                    double y_val = 0.0;
                    int64_t A_base = pA3 * 4;
                    if (base_5 >= 4) {
                        for (int32_t ji = 0; ji < 4; ji++) {
                            int32_t j = base_6 + ji;
                            y_val -= A_vals[A_base + ji] * x_vals[j];
                        }
                    } else {
                        for (int32_t ji = 0; ji < base_5; ji++) {
                            int32_t j = base_6 + ji;
                            y_val -= A_vals[A_base + ji] * x_vals[j];
                        }
                    }
                    y_vals[i2] += y_val;
                }
            }
        } else {
            for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
                int32_t jo = A2_crd[pA2];
                int64_t base_4 = (int64_t)pA2 * 4;
                int32_t base_6 = jo * 4;
                int32_t base_5 = A2_dimension - base_6;
                for (int32_t iip = 0; iip < (4 < base_2 ? 4 : base_2); iip++) {
                    int32_t i2 = base + iip;
                    int64_t pA3 = base_4 + iip;
                    double y_val = 0.0;
                    int64_t A_base = pA3 * 4;
                    if (base_5 >= 4) {
                        for (int32_t ji = 0; ji < 4; ji++) {
                            int32_t j = base_6 + ji;
                            y_val -= A_vals[A_base + ji] * x_vals[j];
                        }
                    } else {
                        for (int32_t ji = 0; ji < base_5; ji++) {
                            int32_t j = base_6 + ji;
                            y_val -= A_vals[A_base + ji] * x_vals[j];
                        }
                    }
                    y_vals[i2] += y_val;
                }
            }
        }
    }
    return 0;
}

/* z(i) = C(i,j) * x(j) - D(i,j) * w(j)
 *     z        f64   d
 *     C        f64   dd
 *     x        f64   d
 *     D        f64   dd
 *     w        f64   d
 * made by spcc VERSION with
 *     spcc 'z(i) = C(i,j) * x(j) - D(i,j) * w(j)' --name=compute_z
 *
 *   C1_dimension  size of mode 1 of C: the range of i
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C_vals        C's values
 *   x_vals        x's values
 *   D_vals        D's values
 *   w_vals        w's values
 *   z_vals        z's values
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
int compute_z(int32_t C1_dimension, int32_t C2_dimension, const double *restrict C_vals,
              const double *restrict x_vals, const double *restrict D_vals,
              const double *restrict w_vals, double *restrict z_vals)
{
    int32_t i = 0;
    for (; i < C1_dimension - 3; i += 4) {
        double t = 0.0;
        double t_2 = 0.0;
        double t_3 = 0.0;
        double t_4 = 0.0;
        int64_t C_base = (int64_t)i * C2_dimension;
        int64_t C_base_2 = (int64_t)(i + 1) * C2_dimension;
        int64_t C_base_3 = (int64_t)(i + 2) * C2_dimension;
        int64_t C_base_4 = (int64_t)(i + 3) * C2_dimension;
        int32_t j = 0;
        if (j < C2_dimension - 3) {
            f64x4 t00 = {0};
            f64x4 t10 = {0};
            f64x4 t30 = {0};
            f64x4 t40 = {0};
            for (; j < C2_dimension - 3; j += 4) {
                t00 += *(const f64x4 *)(C_vals + C_base + j) * *(const f64x4 *)(x_vals + j);
                t10 += *(const f64x4 *)(C_vals + C_base_2 + j) * *(const f64x4 *)(x_vals + j);
                t30 += *(const f64x4 *)(C_vals + C_base_3 + j) * *(const f64x4 *)(x_vals + j);
                t40 += *(const f64x4 *)(C_vals + C_base_4 + j) * *(const f64x4 *)(x_vals + j);
            }
            t += t00[0] + t00[2] + (t00[1] + t00[3]);
            t_2 += t10[0] + t10[2] + (t10[1] + t10[3]);
            t_3 += t30[0] + t30[2] + (t30[1] + t30[3]);
            t_4 += t40[0] + t40[2] + (t40[1] + t40[3]);
        }
        #pragma GCC unroll 1
        for (; j < C2_dimension; j++) {
            t += C_vals[C_base + j] * x_vals[j];
            t_2 += C_vals[C_base_2 + j] * x_vals[j];
            t_3 += C_vals[C_base_3 + j] * x_vals[j];
            t_4 += C_vals[C_base_4 + j] * x_vals[j];
        }
        double t2 = 0.0;
        double t2_2 = 0.0;
        double t2_3 = 0.0;
        double t2_4 = 0.0;
        int32_t j2 = 0;
        if (j2 < C2_dimension - 3) {
            f64x4 t200 = {0};
            f64x4 t210 = {0};
            f64x4 t220 = {0};
            f64x4 t230 = {0};
            for (; j2 < C2_dimension - 3; j2 += 4) {
                t200 += *(const f64x4 *)(D_vals + C_base + j2) * *(const f64x4 *)(w_vals + j2);
                t210 += *(const f64x4 *)(D_vals + C_base_2 + j2) * *(const f64x4 *)(w_vals + j2);
                t220 += *(const f64x4 *)(D_vals + C_base_3 + j2) * *(const f64x4 *)(w_vals + j2);
                t230 += *(const f64x4 *)(D_vals + C_base_4 + j2) * *(const f64x4 *)(w_vals + j2);
            }
            t2 += t200[0] + t200[2] + (t200[1] + t200[3]);
            t2_2 += t210[0] + t210[2] + (t210[1] + t210[3]);
            t2_3 += t220[0] + t220[2] + (t220[1] + t220[3]);
            t2_4 += t230[0] + t230[2] + (t230[1] + t230[3]);
        }
        #pragma GCC unroll 1
        for (; j2 < C2_dimension; j2++) {
            t2 += D_vals[C_base + j2] * w_vals[j2];
            t2_2 += D_vals[C_base_2 + j2] * w_vals[j2];
            t2_3 += D_vals[C_base_3 + j2] * w_vals[j2];
            t2_4 += D_vals[C_base_4 + j2] * w_vals[j2];
        }
        z_vals[i] = t - t2;
        z_vals[i + 1] = t_2 - t2_2;
        z_vals[i + 2] = t_3 - t2_3;
        z_vals[i + 3] = t_4 - t2_4;
    }
    for (; i < C1_dimension; i++) {
        double t = 0.0;
        int64_t C_base = (int64_t)i * C2_dimension;
        int32_t j = 0;
        if (j < C2_dimension - 3) {
            f64x4 t5 = {0};
            for (; j < C2_dimension - 3; j += 4)
                t5 += *(const f64x4 *)(C_vals + C_base + j) * *(const f64x4 *)(x_vals + j);
            t += t5[0] + t5[2] + (t5[1] + t5[3]);
        }
        #pragma GCC unroll 1
        for (; j < C2_dimension; j++)
            t += C_vals[C_base + j] * x_vals[j];
        double t2 = 0.0;
        int32_t j2 = 0;
        if (j2 < C2_dimension - 3) {
            f64x4 t24 = {0};
            for (; j2 < C2_dimension - 3; j2 += 4)
                t24 += *(const f64x4 *)(D_vals + C_base + j2) * *(const f64x4 *)(w_vals + j2);
            t2 += t24[0] + t24[2] + (t24[1] + t24[3]);
        }
        #pragma GCC unroll 1
        for (; j2 < C2_dimension; j2++)
            t2 += D_vals[C_base + j2] * w_vals[j2];
        z_vals[i] = t - t2;
    }
    return 0;
}
