/* y(i) = A(i,j) * x(j)
 *     y        f32   d
 *     A        f32   ds
 *     x        f32   d
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -t 'A:f32' -t 'x:f32' -t 'y:f32' --index=64
 *
 *   A1_dimension  size of mode 1 of A: the range of i
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

typedef float f32x8 __attribute__((vector_size(32), aligned(4), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int64_t A1_dimension, int64_t A2_dimension, const int64_t *restrict A2_pos,
             const int64_t *restrict A2_crd, const float *restrict A_vals,
             const float *restrict x_vals, float *restrict y_vals)
{
    (void)A2_dimension;
    for (int64_t i = 0; i < A1_dimension; i++) {
        float y_val = 0.0f;
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 7) {
            f32x8 y_val0 = {0};
            for (; pA2 < pA2_end - 7; pA2 += 8)
                y_val0 += *(const f32x8 *)(A_vals + pA2)
                    * (f32x8){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]], x_vals[A2_crd[pA2 + 4]], x_vals[A2_crd[pA2 + 5]],
                    x_vals[A2_crd[pA2 + 6]], x_vals[A2_crd[pA2 + 7]]};
            y_val += y_val0[0] + y_val0[4] + (y_val0[2] + y_val0[6])
                + (y_val0[1] + y_val0[5] + (y_val0[3] + y_val0[7]));
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int64_t j = A2_crd[pA2];
            y_val += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = y_val;
    }
    return 0;
}
