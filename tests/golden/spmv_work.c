/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: collapse(i,j,f); pos(f,p,A); split(p,b,q,work,512)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'collapse(i,j,f); pos(f,p,A); split(p,b,q,work,512)'
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
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/min_i64.c"
#include "helpers/min_i32.c"
#include "helpers/find_first_i32.c"
#include "helpers/find_on_path_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int32_t b_size = (int32_t)(((int64_t)A1_dimension + A2_pos[A1_dimension] + 511) / 512);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, 1) - 1);
    int32_t p_past = 0;
    for (int32_t b = 0; b < b_size; b++) {
        int32_t p_from = p_past;
        p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, p_from, (int64_t)b * 512,
            ((int64_t)b + 1) * 512);
        int32_t q0 = 0;
        while (q0 < p_past - p_from) {
            while (A2_pos[i + 1] <= p_from + q0)
                i++;
            int32_t q_end = min_i32(p_past - p_from, A2_pos[i + 1] - p_from);
            double y_vals0 = 0.0;
            int32_t q = q0;
            if (q < q_end - 3) {
                f64x4 y_vals00 = {0};
                for (; q < q_end - 3; q += 4)
                    y_vals00 += *(const f64x4 *)(A_vals + p_from + q)
                        * (f64x4){x_vals[A2_crd[p_from + q]], x_vals[A2_crd[p_from + (q + 1)]],
                        x_vals[A2_crd[p_from + (q + 2)]], x_vals[A2_crd[p_from + (q + 3)]]};
                y_vals0 += y_vals00[0] + y_vals00[2] + (y_vals00[1] + y_vals00[3]);
            }
            #pragma GCC unroll 1
            for (; q < q_end; q++) {
                int32_t p = p_from + q;
                int32_t j = A2_crd[p];
                y_vals0 += A_vals[p] * x_vals[j];
            }
            y_vals[i] += y_vals0;
            q0 = q_end;
        }
    }
    return 0;
}
