/* y(i) = max(j, A(i,j) * x(j))
 *     y        u32   d
 *     A        u32   ds
 *     x        u32   d
 * made by spcc VERSION with
 *     spcc 'y(i) = max(j, A(i,j) * x(j))' -f 'A:csr' -t 'A:u32' -t 'x:u32' -t 'y:u32'
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

typedef uint32_t u32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t u32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t i32x4 __attribute__((vector_size(16), aligned(4), may_alias));

#include "helpers/max_u32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const uint32_t *restrict A_vals,
             const uint32_t *restrict x_vals, uint32_t *restrict y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        uint32_t y_val = 0;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 7) {
            u32x8 y_val0 = *(const u32x8 *)(A_vals + pA2_end - 8)
                * (u32x8){x_vals[A2_crd[pA2_end - 8]], x_vals[A2_crd[pA2_end - 7]],
                x_vals[A2_crd[pA2_end - 6]], x_vals[A2_crd[pA2_end - 5]],
                x_vals[A2_crd[pA2_end - 4]], x_vals[A2_crd[pA2_end - 3]],
                x_vals[A2_crd[pA2_end - 2]], x_vals[A2_crd[pA2_end - 1]]};
            for (; pA2 < pA2_end - 8; pA2 += 8) {
                u32x8 next = *(const u32x8 *)(A_vals + pA2)
                    * (u32x8){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]], x_vals[A2_crd[pA2 + 4]], x_vals[A2_crd[pA2 + 5]],
                    x_vals[A2_crd[pA2 + 6]], x_vals[A2_crd[pA2 + 7]]};
                y_val0 = (u32x8)((i32x8)next ^
                    (((i32x8)y_val0 ^ (i32x8)next) & (i32x8)(y_val0 > next)));
            }
            pA2 = pA2_end;
            u32x4 half = (u32x4){y_val0[0], y_val0[1], y_val0[2], y_val0[3]};
            u32x4 next0 = (u32x4){y_val0[4], y_val0[5], y_val0[6], y_val0[7]};
            half = (u32x4)((i32x4)next0 ^ (((i32x4)half ^ (i32x4)next0) & (i32x4)(half > next0)));
            u32x4 next1 = (u32x4){half[2], half[3], half[0], half[1]};
            half = (u32x4)((i32x4)next1 ^ (((i32x4)half ^ (i32x4)next1) & (i32x4)(half > next1)));
            u32x4 next2 = (u32x4){half[1], half[2], half[3], half[0]};
            half = (u32x4)((i32x4)next2 ^ (((i32x4)half ^ (i32x4)next2) & (i32x4)(half > next2)));
            y_val = max_u32(y_val, half[0]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            y_val = max_u32(y_val, A_vals[pA2] * x_vals[j]);
        }
        y_vals[i] = y_val;
    }
    return 0;
}
