/* s = A(i,j) * B(i,j)
 *     s        f64   dense
 *     A        f64   ds
 *     B        f64   ds
 * made by spcc VERSION with
 *     spcc 's = A(i,j) * B(i,j)' -f 'A:csr' -f 'B:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   s_vals        s's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/max_i32.c"
#include "helpers/min_i32.c"
#include "helpers/find_first_i32.c"
#include "helpers/seek_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, double *restrict s_vals)
{
    (void)A2_dimension;
    double s_val = 0.0;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t pA2_stop = pA2_end;
            int32_t pB2_stop = pB2_end;
            if (__builtin_expect(max_i32(pA2_end - pA2, pB2_end - pB2) / 16
                                 > min_i32(pA2_end - pA2, pB2_end - pB2), 0)) {
                pB2 = (int32_t)seek_i32(B2_crd, pB2, pB2_end, A2_crd[pA2]);
                if (pB2 < pB2_end)
                    pA2 = (int32_t)seek_i32(A2_crd, pA2, pA2_end, B2_crd[pB2]);
                pA2_stop = pA2 + (pA2 < pA2_end);
                pB2_stop = pB2 + (pB2 < pB2_end);
            }
            while (pA2 < pA2_stop && pB2 < pB2_stop) {
                int32_t jA = A2_crd[pA2];
                int32_t jB = B2_crd[pB2];
                if (jA == jB) {
                    s_val += A_vals[pA2] * B_vals[pB2];
                    pA2++;
                    pB2++;
                } else if (jA < jB) {
                    pA2++;
                } else {
                    pB2++;
                }
            }
        }
    }
    s_vals[0] = s_val;
    return 0;
}
