/* A(i,r) = B(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     B        f64   sss
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i, k, l, r)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = B(i,k,l) * C(k,r) * D(l,r)' -f 'B:csf'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
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
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const int32_t *restrict B3_pos, const int32_t *restrict B3_crd,
             const double *restrict B_vals, int32_t C2_dimension, const double *restrict C_vals,
             const double *restrict D_vals, double *restrict A_vals)
{
    (void)B2_dimension;
    (void)B3_dimension;
    int32_t pB3_last = B3_pos[B2_pos[B1_pos[1]]];
    int32_t pB2_last = B2_pos[B1_pos[1]];
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * C2_dimension) * sizeof(double));
    for (int32_t pB1 = B1_pos[0]; pB1 < B1_pos[1]; pB1++) {
        for (int64_t line = 0; line < C2_dimension; line += 8) {
            __builtin_prefetch(A_vals + (int64_t)B1_crd[pB1 + min_i32(B1_pos[1] - 1 - pB1, 16)]
                * C2_dimension + (int32_t)line);
        }
        int32_t i = B1_crd[pB1];
        int64_t A_base = (int64_t)i * C2_dimension;
        if (B2_pos[pB1] < B2_pos[pB1 + 1]) {
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
                int32_t pB2_ahead = B2_pos[pB1 + 1] <= pB2_last - 16 ? 16 : 0;
                for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                    int64_t C_vals_next = (int64_t)B2_crd[pB2 + pB2_ahead] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next);
                    __builtin_prefetch(C_vals + C_vals_next + 8);
                    __builtin_prefetch(C_vals + C_vals_next + 16);
                    __builtin_prefetch(C_vals + C_vals_next + 24);
                    int32_t k = B2_crd[pB2];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    if (B3_pos[pB2] < B3_pos[pB2 + 1]) {
                        f64x4 sum = {0};
                        f64x4 sum0 = {0};
                        f64x4 sum1 = {0};
                        f64x4 sum2 = {0};
                        f64x4 sum3 = {0};
                        f64x4 sum4 = {0};
                        f64x4 sum5 = {0};
                        f64x4 sum6 = {0};
                        int32_t pB3_ahead = B3_pos[pB2 + 1] <= pB3_last - 16 ? 16 : 0;
                        for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                            int32_t l = B3_crd[pB3];
                            double B_val = B_vals[pB3];
                            int64_t D_base = (int64_t)l * C2_dimension;
                            sum += B_val * *(const f64x4 *)(D_vals + D_base + r0);
                            sum0 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                            sum1 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                            sum2 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                            sum3 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 16);
                            sum4 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 20);
                            sum5 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 24);
                            sum6 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 28);
                            int64_t D_vals_next = (int64_t)B3_crd[pB3 + pB3_ahead] * C2_dimension
                                + r0;
                            __builtin_prefetch(D_vals + D_vals_next);
                            __builtin_prefetch(D_vals + D_vals_next + 8);
                            __builtin_prefetch(D_vals + D_vals_next + 16);
                            __builtin_prefetch(D_vals + D_vals_next + 24);
                        }
                        A_vals0 += *(const f64x4 *)(C_vals + C_base + r0) * sum;
                        A_vals1 += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum0;
                        A_vals2 += *(const f64x4 *)(C_vals + C_base + r0 + 8) * sum1;
                        A_vals3 += *(const f64x4 *)(C_vals + C_base + r0 + 12) * sum2;
                        A_vals4 += *(const f64x4 *)(C_vals + C_base + r0 + 16) * sum3;
                        A_vals5 += *(const f64x4 *)(C_vals + C_base + r0 + 20) * sum4;
                        A_vals6 += *(const f64x4 *)(C_vals + C_base + r0 + 24) * sum5;
                        A_vals7 += *(const f64x4 *)(C_vals + C_base + r0 + 28) * sum6;
                    }
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
                int32_t pB2_ahead0 = B2_pos[pB1 + 1] <= pB2_last - 16 ? 16 : 0;
                for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                    int64_t C_vals_next0 = (int64_t)B2_crd[pB2 + pB2_ahead0] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next0);
                    __builtin_prefetch(C_vals + C_vals_next0 + 8);
                    int32_t k = B2_crd[pB2];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    if (B3_pos[pB2] < B3_pos[pB2 + 1]) {
                        f64x4 sum7 = {0};
                        f64x4 sum8 = {0};
                        f64x4 sum9 = {0};
                        f64x4 sum10 = {0};
                        int32_t pB3_ahead0 = B3_pos[pB2 + 1] <= pB3_last - 16 ? 16 : 0;
                        for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                            int32_t l = B3_crd[pB3];
                            double B_val = B_vals[pB3];
                            int64_t D_base = (int64_t)l * C2_dimension;
                            sum7 += B_val * *(const f64x4 *)(D_vals + D_base + r0);
                            sum8 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                            sum9 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                            sum10 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                            int64_t D_vals_next0 = (int64_t)B3_crd[pB3 + pB3_ahead0] * C2_dimension
                                + r0;
                            __builtin_prefetch(D_vals + D_vals_next0);
                            __builtin_prefetch(D_vals + D_vals_next0 + 8);
                        }
                        A_vals8 += *(const f64x4 *)(C_vals + C_base + r0) * sum7;
                        A_vals9 += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum8;
                        A_vals10 += *(const f64x4 *)(C_vals + C_base + r0 + 8) * sum9;
                        A_vals11 += *(const f64x4 *)(C_vals + C_base + r0 + 12) * sum10;
                    }
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
                int32_t pB2_ahead1 = B2_pos[pB1 + 1] <= pB2_last - 16 ? 16 : 0;
                for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                    int64_t C_vals_next1 = (int64_t)B2_crd[pB2 + pB2_ahead1] * C2_dimension + r0;
                    __builtin_prefetch(C_vals + C_vals_next1);
                    int32_t k = B2_crd[pB2];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    if (B3_pos[pB2] < B3_pos[pB2 + 1]) {
                        f64x4 sum11 = {0};
                        f64x4 sum12 = {0};
                        int32_t pB3_ahead1 = B3_pos[pB2 + 1] <= pB3_last - 16 ? 16 : 0;
                        for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                            int32_t l = B3_crd[pB3];
                            double B_val = B_vals[pB3];
                            int64_t D_base = (int64_t)l * C2_dimension;
                            sum11 += B_val * *(const f64x4 *)(D_vals + D_base + r0);
                            sum12 += B_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                            int64_t D_vals_next1 = (int64_t)B3_crd[pB3 + pB3_ahead1] * C2_dimension
                                + r0;
                            __builtin_prefetch(D_vals + D_vals_next1);
                        }
                        A_vals12 += *(const f64x4 *)(C_vals + C_base + r0) * sum11;
                        A_vals13 += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum12;
                    }
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals12;
                *(f64x4 *)(A_vals + A_base + r0 + 4) = A_vals13;
                r0 += 8;
            }
            if (r0 < C2_dimension - 3) {
                f64x4 A_vals14 = *(f64x4 *)(A_vals + A_base + r0);
                for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                    int32_t k = B2_crd[pB2];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    if (B3_pos[pB2] < B3_pos[pB2 + 1]) {
                        f64x4 sum13 = {0};
                        for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                            int32_t l = B3_crd[pB3];
                            double B_val = B_vals[pB3];
                            int64_t D_base = (int64_t)l * C2_dimension;
                            sum13 += B_val * *(const f64x4 *)(D_vals + D_base + r0);
                        }
                        A_vals14 += *(const f64x4 *)(C_vals + C_base + r0) * sum13;
                    }
                }
                *(f64x4 *)(A_vals + A_base + r0) = A_vals14;
                r0 += 4;
            }
            if (r0 < C2_dimension) {
                for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                    int32_t k = B2_crd[pB2];
                    int64_t C_base = (int64_t)k * C2_dimension;
                    for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                        int32_t l = B3_crd[pB3];
                        double B_val = B_vals[pB3];
                        int64_t D_base = (int64_t)l * C2_dimension;
                        for (int32_t r = r0; r < C2_dimension; r++)
                            A_vals[A_base + r] += B_val * C_vals[C_base + r] * D_vals[D_base + r];
                    }
                }
            }
        }
    }
    return 0;
}
