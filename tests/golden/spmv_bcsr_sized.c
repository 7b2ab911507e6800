/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     x        f64   d
 * schedule: split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:bcsr(4,4)' -d i:1000 -d j:1000
 *
 *   A1_dimension  size of mode 1 of A: the range of i, which must be 1000
 *   A2_dimension  size of mode 2 of A: the range of j, which must be 1000
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A1_dimension;
    (void)A2_dimension;
    for (int32_t io = 0; io < 250; io++) {
        int32_t base = io * 4;
        f64x4 y_vals0 = {0};
        f64x4 y_vals1 = {0};
        f64x4 y_vals2 = {0};
        f64x4 y_vals3 = {0};
        for (int32_t pA2 = A2_pos[io]; pA2 < A2_pos[io + 1]; pA2++) {
            int32_t jo = A2_crd[pA2];
            int64_t base_2 = (int64_t)pA2 * 4;
            int32_t base_3 = jo * 4;
            y_vals0 += *(const f64x4 *)(A_vals + base_2 * 4) * *(const f64x4 *)(x_vals + base_3);
            y_vals1 += *(const f64x4 *)(A_vals + (base_2 + 1) * 4)
                * *(const f64x4 *)(x_vals + base_3);
            y_vals2 += *(const f64x4 *)(A_vals + (base_2 + 2) * 4)
                * *(const f64x4 *)(x_vals + base_3);
            y_vals3 += *(const f64x4 *)(A_vals + (base_2 + 3) * 4)
                * *(const f64x4 *)(x_vals + base_3);
        }
        *(f64x4 *)(y_vals + base) = (f64x4){y_vals0[0] + y_vals0[2] + (y_vals0[1] + y_vals0[3]),
            y_vals1[0] + y_vals1[2] + (y_vals1[1] + y_vals1[3]), y_vals2[0] + y_vals2[2]
            + (y_vals2[1] + y_vals2[3]), y_vals3[0] + y_vals3[2] + (y_vals3[1] + y_vals3[3])};
    }
    return 0;
}
