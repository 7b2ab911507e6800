/* r(i) = b(i) - A(i,j) * x(j)
 *     r        f64   d
 *     b        f64   d
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     x        f64   d
 * schedule: precompute(t, w, {i,i,ip}, dense); sequence(w); skew(j, ip, d); reorder(d, ip)
 * made by spcc VERSION with
 *     spcc 'r(i) = b(i) - A(i,j) * x(j)' -f 'A:dia'
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   r_vals        r's values
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

#include "helpers/min_i64.c"
#include "helpers/max_i32.c"
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t b1_dimension, const double *restrict b_vals, int32_t A2_dimension,
             const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict r_vals)
{
    for (int32_t i = 0; i < b1_dimension; i++)
        r_vals[i] = b_vals[i];
    int32_t pA10 = A1_pos[0];
    while (pA10 < A1_pos[1]) {
        int32_t pA1_next = (int32_t)min_i64((int64_t)pA10 + 12, A1_pos[1]);
        int32_t ip0 = 0;
        for (; ip0 < b1_dimension - 31; ip0 += 32) {
            f64x4 r_vals0 = *(f64x4 *)(r_vals + ip0);
            f64x4 r_vals1 = *(f64x4 *)(r_vals + ip0 + 4);
            f64x4 r_vals2 = *(f64x4 *)(r_vals + ip0 + 8);
            f64x4 r_vals3 = *(f64x4 *)(r_vals + ip0 + 12);
            f64x4 r_vals4 = *(f64x4 *)(r_vals + ip0 + 16);
            f64x4 r_vals5 = *(f64x4 *)(r_vals + ip0 + 20);
            f64x4 r_vals6 = *(f64x4 *)(r_vals + ip0 + 24);
            f64x4 r_vals7 = *(f64x4 *)(r_vals + ip0 + 28);
            for (int32_t pA1 = pA10; pA1 < pA1_next; pA1++) {
                int32_t d = A1_crd[pA1];
                int64_t A_base = (int64_t)pA1 * b1_dimension;
                if (-d <= ip0 && ip0 + 32 <= A2_dimension - d) {
                    r_vals0 -= *(const f64x4 *)(A_vals + A_base + ip0)
                        * *(const f64x4 *)(x_vals + ip0 + d);
                    r_vals1 -= *(const f64x4 *)(A_vals + A_base + ip0 + 4)
                        * *(const f64x4 *)(x_vals + ip0 + d + 4);
                    r_vals2 -= *(const f64x4 *)(A_vals + A_base + ip0 + 8)
                        * *(const f64x4 *)(x_vals + ip0 + d + 8);
                    r_vals3 -= *(const f64x4 *)(A_vals + A_base + ip0 + 12)
                        * *(const f64x4 *)(x_vals + ip0 + d + 12);
                    r_vals4 -= *(const f64x4 *)(A_vals + A_base + ip0 + 16)
                        * *(const f64x4 *)(x_vals + ip0 + d + 16);
                    r_vals5 -= *(const f64x4 *)(A_vals + A_base + ip0 + 20)
                        * *(const f64x4 *)(x_vals + ip0 + d + 20);
                    r_vals6 -= *(const f64x4 *)(A_vals + A_base + ip0 + 24)
                        * *(const f64x4 *)(x_vals + ip0 + d + 24);
                    r_vals7 -= *(const f64x4 *)(A_vals + A_base + ip0 + 28)
                        * *(const f64x4 *)(x_vals + ip0 + d + 28);
                } else {
                    *(f64x4 *)(r_vals + ip0) = r_vals0;
                    *(f64x4 *)(r_vals + ip0 + 4) = r_vals1;
                    *(f64x4 *)(r_vals + ip0 + 8) = r_vals2;
                    *(f64x4 *)(r_vals + ip0 + 12) = r_vals3;
                    *(f64x4 *)(r_vals + ip0 + 16) = r_vals4;
                    *(f64x4 *)(r_vals + ip0 + 20) = r_vals5;
                    *(f64x4 *)(r_vals + ip0 + 24) = r_vals6;
                    *(f64x4 *)(r_vals + ip0 + 28) = r_vals7;
                    for (int32_t ip = max_i32(max_i32(0, -d), ip0); ip
                         < min_i32(min_i32(b1_dimension, A2_dimension - d), ip0 + 32); ip++) {
                        int32_t j = ip + d;
                        r_vals[ip] -= A_vals[A_base + ip] * x_vals[j];
                    }
                    r_vals0 = *(f64x4 *)(r_vals + ip0);
                    r_vals1 = *(f64x4 *)(r_vals + ip0 + 4);
                    r_vals2 = *(f64x4 *)(r_vals + ip0 + 8);
                    r_vals3 = *(f64x4 *)(r_vals + ip0 + 12);
                    r_vals4 = *(f64x4 *)(r_vals + ip0 + 16);
                    r_vals5 = *(f64x4 *)(r_vals + ip0 + 20);
                    r_vals6 = *(f64x4 *)(r_vals + ip0 + 24);
                    r_vals7 = *(f64x4 *)(r_vals + ip0 + 28);
                }
            }
            *(f64x4 *)(r_vals + ip0) = r_vals0;
            *(f64x4 *)(r_vals + ip0 + 4) = r_vals1;
            *(f64x4 *)(r_vals + ip0 + 8) = r_vals2;
            *(f64x4 *)(r_vals + ip0 + 12) = r_vals3;
            *(f64x4 *)(r_vals + ip0 + 16) = r_vals4;
            *(f64x4 *)(r_vals + ip0 + 20) = r_vals5;
            *(f64x4 *)(r_vals + ip0 + 24) = r_vals6;
            *(f64x4 *)(r_vals + ip0 + 28) = r_vals7;
        }
        if (ip0 < b1_dimension) {
            for (int32_t pA1 = pA10; pA1 < pA1_next; pA1++) {
                int32_t d = A1_crd[pA1];
                int64_t A_base = (int64_t)pA1 * b1_dimension;
                for (int32_t ip = max_i32(max_i32(0, -d), ip0); ip
                     < min_i32(b1_dimension, A2_dimension - d); ip++) {
                    int32_t j = ip + d;
                    r_vals[ip] -= A_vals[A_base + ip] * x_vals[j];
                }
            }
        }
        pA10 = pA1_next;
    }
    return 0;
}
