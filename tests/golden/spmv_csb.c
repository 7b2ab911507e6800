/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/64 : dense, j/64 : dense, i%64 : compressed(nonunique), j%64 : singleton)
 *     x        f64   d
 * schedule: split(i, io, ii, down, 64); split(j, jo, ji, down, 64); reorder(io, jo, ii, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csb(64)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A4_crd        A, level 4 (singleton): coordinates
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A3_pos,
             const int32_t *restrict A3_crd, const int32_t *restrict A4_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    int32_t io_size = A1_dimension / 64 + (A1_dimension % 64 > 0);
    int32_t jo_size = A2_dimension / 64 + (A2_dimension % 64 > 0);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t io = 0; io < io_size; io++) {
        int64_t base = (int64_t)io * jo_size;
        int32_t base_2 = io * 64;
        for (int32_t jo = 0; jo < jo_size; jo++) {
            int64_t pA2 = base + jo;
            int32_t pA3 = A3_pos[pA2];
            int32_t pA3_end = A3_pos[pA2 + 1];
            int32_t base_3 = jo * 64;
            while (pA3 < pA3_end) {
                int32_t ii = A3_crd[pA3];
                int32_t pA3_next = pA3;
                while (pA3_next < pA3_end && A3_crd[pA3_next] == ii)
                    pA3_next++;
                int32_t i = base_2 + ii;
                double y_val = 0.0;
                int32_t pA4 = pA3;
                if (pA4 < pA3_next - 3) {
                    f64x4 y_val0 = {0};
                    for (; pA4 < pA3_next - 3; pA4 += 4)
                        y_val0 += *(const f64x4 *)(A_vals + pA4)
                            * (f64x4){x_vals[base_3 + A4_crd[pA4]],
                            x_vals[base_3 + A4_crd[pA4 + 1]], x_vals[base_3 + A4_crd[pA4 + 2]],
                            x_vals[base_3 + A4_crd[pA4 + 3]]};
                    y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
                }
                #pragma GCC unroll 1
                for (; pA4 < pA3_next; pA4++) {
                    int32_t ji = A4_crd[pA4];
                    int32_t j = base_3 + ji;
                    y_val += A_vals[pA4] * x_vals[j];
                }
                y_vals[i] += y_val;
                pA3 = pA3_next;
            }
        }
    }
    return 0;
}
