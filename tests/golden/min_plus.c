/* y(i) = min(j, A(i,j) + x(j))
 *     y        f64   d, fill inf
 *     A        f64   ds, fill inf
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'y(i) = min(j, A(i,j) + x(j))' -f 'A:csr' --fill 'A:inf' --fill 'y:inf'
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

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t i64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double f64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t i64x2 __attribute__((vector_size(16), aligned(8), may_alias));

#include "helpers/min_f64x4.c"
#include "helpers/min_f64x2.c"
#include "helpers/min_f64.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = __builtin_inf();
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 3) {
            f64x4 y_val0 = *(const f64x4 *)(A_vals + pA2_end - 4)
                + (f64x4){x_vals[A2_crd[pA2_end - 4]], x_vals[A2_crd[pA2_end - 3]],
                x_vals[A2_crd[pA2_end - 2]], x_vals[A2_crd[pA2_end - 1]]};
            for (; pA2 < pA2_end - 4; pA2 += 4) {
                f64x4 next = *(const f64x4 *)(A_vals + pA2)
                    + (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
                min_f64x4(&y_val0, &next);
            }
            pA2 = pA2_end;
            f64x2 half = (f64x2){y_val0[0], y_val0[1]};
            f64x2 next0 = (f64x2){y_val0[2], y_val0[3]};
            min_f64x2(&half, &next0);
            f64x2 next1 = (f64x2){half[1], half[0]};
            min_f64x2(&half, &next1);
            y_val = min_f64(y_val, half[0]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            y_val = min_f64(y_val, A_vals[pA2] + x_vals[j]);
        }
        y_vals[i] = y_val;
    }
    return 0;
}
