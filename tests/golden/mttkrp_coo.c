/* A(i,r) = B(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     B        f64   uqq
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i, k, l, r)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = B(i,k,l) * C(k,r) * D(l,r)' -f 'B:coo'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B3_crd        B, level 3 (singleton): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of r
 *   C_vals        C's values
 *   D_vals        D's values
 *   A_vals        A's values
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

#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *restrict B1_pos, const int32_t *restrict B1_crd,
             const int32_t *restrict B2_crd, const int32_t *restrict B3_crd,
             const double *restrict B_vals, int32_t C2_dimension, const double *restrict C_vals,
             const double *restrict D_vals, double *restrict A_vals)
{
    (void)B2_dimension;
    (void)B3_dimension;
    int32_t pB3_last = B1_pos[1];
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * C2_dimension) * sizeof(double));
    int32_t pB1 = B1_pos[0];
    int32_t pB1_end = B1_pos[1];
    while (pB1 < pB1_end) {
        int32_t i = B1_crd[pB1];
        int32_t pB1_next = pB1;
        while (pB1_next < pB1_end && B1_crd[pB1_next] == i)
            pB1_next++;
        int32_t pB2 = pB1;
        int32_t pB2_end = pB1_next;
        int64_t A_base = (int64_t)i * C2_dimension;
        if (pB2 < pB2_end) {
            int32_t r0 = 0;
            for (; r0 < C2_dimension - 31; r0 += 32) {
                f64x4 A_vals0 = *(f64x4 *)(A_vals + A_base + r0);
                f64x4 A_vals1 = *(f64x4 *)(A_vals + A_base + r0 + 4);
                f64x4 A_vals2 = *(f64x4 *)(A_vals + A_base + r0 + 8);
                f64x4 A_vals3 = *(f64x4 *)(A_vals + A_base + r0 + 12);
                f64x4 A_vals4 = *(f64x4 *)(A_vals + A_base + r0 + 16);
                f64x4 A_vals5 = *(f64x4 *)(A_vals + A_base + r0 + 20);
                f64x4 A_vals6 = *(f64x4 *)(A_vals + A_base + r0 + 24);
                f64x4 A_vals7 = *(f64x4 *)(A_vals + A_base + r0 + 28);
                for (int32_t pB3 = pB2; pB3 < pB2_end; pB3++) {
                    int32_t k = B2_crd[pB3];
                    int32_t l = B3_crd[pB3];
                    double B_val = B_vals[pB3];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    int64_t D_base = (int64_t)l * C2_dimension;
                    A_vals0 += B_val * *(const f64x4 *)(C_vals + C_base + r0)
                        * *(const f64x4 *)(D_vals + D_base + r0);
                    A_vals1 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 4)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                    A_vals2 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 8)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                    A_vals3 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 12)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                    A_vals4 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 16)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 16);
                    A_vals5 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 20)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 20);
                    A_vals6 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 24)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 24);
                    A_vals7 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 28)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 28);
                    int32_t pB3_then = pB3 + min_i32(pB3_last - 1 - pB3, 16);
                    int64_t C_vals_next = (int64_t)B2_crd[pB3_then] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next);
                    __builtin_prefetch(C_vals + C_vals_next + 8);
                    __builtin_prefetch(C_vals + C_vals_next + 16);
                    __builtin_prefetch(C_vals + C_vals_next + 24);
                    int64_t D_vals_next = (int64_t)B3_crd[pB3_then] * C2_dimension + r0;
                    __builtin_prefetch(D_vals + D_vals_next);
                    __builtin_prefetch(D_vals + D_vals_next + 8);
                    __builtin_prefetch(D_vals + D_vals_next + 16);
                    __builtin_prefetch(D_vals + D_vals_next + 24);
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals0;
                *(f64x4 *)(A_vals + A_base + r0 + 4) = A_vals1;
                *(f64x4 *)(A_vals + A_base + r0 + 8) = A_vals2;
                *(f64x4 *)(A_vals + A_base + r0 + 12) = A_vals3;
                *(f64x4 *)(A_vals + A_base + r0 + 16) = A_vals4;
                *(f64x4 *)(A_vals + A_base + r0 + 20) = A_vals5;
                *(f64x4 *)(A_vals + A_base + r0 + 24) = A_vals6;
                *(f64x4 *)(A_vals + A_base + r0 + 28) = A_vals7;
            }
            if (r0 < C2_dimension - 15) {
                f64x4 A_vals8 = *(f64x4 *)(A_vals + A_base + r0);
                f64x4 A_vals9 = *(f64x4 *)(A_vals + A_base + r0 + 4);
                f64x4 A_vals10 = *(f64x4 *)(A_vals + A_base + r0 + 8);
                f64x4 A_vals11 = *(f64x4 *)(A_vals + A_base + r0 + 12);
                for (int32_t pB3 = pB2; pB3 < pB2_end; pB3++) {
                    int32_t k = B2_crd[pB3];
                    int32_t l = B3_crd[pB3];
                    double B_val = B_vals[pB3];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    int64_t D_base = (int64_t)l * C2_dimension;
                    A_vals8 += B_val * *(const f64x4 *)(C_vals + C_base + r0)
                        * *(const f64x4 *)(D_vals + D_base + r0);
                    A_vals9 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 4)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                    A_vals10 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 8)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                    A_vals11 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 12)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                    int32_t pB3_then0 = pB3 + min_i32(pB3_last - 1 - pB3, 16);
                    int64_t C_vals_next0 = (int64_t)B2_crd[pB3_then0] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next0);
                    __builtin_prefetch(C_vals + C_vals_next0 + 8);
                    int64_t D_vals_next0 = (int64_t)B3_crd[pB3_then0] * C2_dimension + r0;
                    __builtin_prefetch(D_vals + D_vals_next0);
                    __builtin_prefetch(D_vals + D_vals_next0 + 8);
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals8;
                *(f64x4 *)(A_vals + A_base + r0 + 4) = A_vals9;
                *(f64x4 *)(A_vals + A_base + r0 + 8) = A_vals10;
                *(f64x4 *)(A_vals + A_base + r0 + 12) = A_vals11;
                r0 += 16;
            }
            if (r0 < C2_dimension - 7) {
                f64x4 A_vals12 = *(f64x4 *)(A_vals + A_base + r0);
                f64x4 A_vals13 = *(f64x4 *)(A_vals + A_base + r0 + 4);
                for (int32_t pB3 = pB2; pB3 < pB2_end; pB3++) {
                    int32_t k = B2_crd[pB3];
                    int32_t l = B3_crd[pB3];
                    double B_val = B_vals[pB3];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    int64_t D_base = (int64_t)l * C2_dimension;
                    A_vals12 += B_val * *(const f64x4 *)(C_vals + C_base + r0)
                        * *(const f64x4 *)(D_vals + D_base + r0);
                    A_vals13 += B_val * *(const f64x4 *)(C_vals + C_base + r0 + 4)
                        * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                    int32_t pB3_then1 = pB3 + min_i32(pB3_last - 1 - pB3, 16);
                    int64_t C_vals_next1 = (int64_t)B2_crd[pB3_then1] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next1);
                    int64_t D_vals_next1 = (int64_t)B3_crd[pB3_then1] * C2_dimension + r0;
                    __builtin_prefetch(D_vals + D_vals_next1);
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals12;
                *(f64x4 *)(A_vals + A_base + r0 + 4) = A_vals13;
                r0 += 8;
            }
            if (r0 < C2_dimension - 3) {
                f64x4 A_vals14 = *(f64x4 *)(A_vals + A_base + r0);
                for (int32_t pB3 = pB2; pB3 < pB2_end; pB3++) {
                    int32_t k = B2_crd[pB3];
                    int32_t l = B3_crd[pB3];
                    double B_val = B_vals[pB3];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    int64_t D_base = (int64_t)l * C2_dimension;
                    A_vals14 += B_val * *(const f64x4 *)(C_vals + C_base + r0)
                        * *(const f64x4 *)(D_vals + D_base + r0);
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals14;
                r0 += 4;
            }
            if (r0 < C2_dimension) {
                for (int32_t pB3 = pB2; pB3 < pB2_end; pB3++) {
                    int32_t k = B2_crd[pB3];
                    int32_t l = B3_crd[pB3];
                    double B_val = B_vals[pB3];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    int64_t D_base = (int64_t)l * C2_dimension;
                    for (int32_t r = r0; r < C2_dimension; r++)
                        A_vals[A_base + r] += B_val * C_vals[C_base + r] * D_vals[D_base + r];
                }
            }
        }
        pB1 = pB1_next;
    }
    return 0;
}
