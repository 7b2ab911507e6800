/* A(i,r) = T(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     T        f64   (i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, i%2 : dense, j%2 : dense, k%2 : dense)
 *     C        f64   dd
 *     D        f64   dd
 * schedule: split(i, io, ii, down, 2); split(k, ko, ki, down, 2); split(l, lo, li, down, 2); reorder(io, ko, lo, ii, ki, li, r)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = T(i,k,l) * C(k,r) * D(l,r)' -f 'T:(i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, i%2 : dense, j%2 : dense, k%2 : dense)'
 *
 *   T1_dimension  size of mode 1 of T: the range of i
 *   T2_dimension  size of mode 2 of T: the range of k
 *   T3_dimension  size of mode 3 of T: the range of l
 *   T1_pos        T, level 1 (compressed): where each segment begins and ends
 *   T1_crd        T, level 1 (compressed): coordinates
 *   T2_crd        T, level 2 (singleton): coordinates
 *   T3_crd        T, level 3 (singleton): coordinates
 *   T_vals        T's values
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t T1_dimension, int32_t T2_dimension, int32_t T3_dimension,
             const int32_t *restrict T1_pos, const int32_t *restrict T1_crd,
             const int32_t *restrict T2_crd, const int32_t *restrict T3_crd,
             const double *restrict T_vals, int32_t C2_dimension, const double *restrict C_vals,
             const double *restrict D_vals, double *restrict A_vals)
{
    memset(A_vals, 0, (size_t)((int64_t)T1_dimension * C2_dimension) * sizeof(double));
    int32_t pT1 = T1_pos[0];
    int32_t pT1_end = T1_pos[1];
    while (pT1 < pT1_end) {
        int32_t io = T1_crd[pT1];
        int32_t pT1_next = pT1;
        while (pT1_next < pT1_end && T1_crd[pT1_next] == io)
            pT1_next++;
        int32_t pT2 = pT1;
        int32_t pT2_end = pT1_next;
        int32_t base = io * 2;
        int32_t base_2 = T1_dimension - base;
        for (int32_t pT3 = pT2; pT3 < pT2_end; pT3++) {
            int32_t ko = T2_crd[pT3];
            int32_t lo = T3_crd[pT3];
            int64_t base_3 = (int64_t)pT3 * 2;
            int32_t base_4 = ko * 2;
            int32_t base_5 = T2_dimension - base_4;
            int32_t base_6 = lo * 2;
            int32_t base_7 = T3_dimension - base_6;
            for (int32_t ii = 0; ii < (2 < base_2 ? 2 : base_2); ii++) {
                int32_t i = base + ii;
                int64_t pT4 = base_3 + ii;
                int64_t base_8 = pT4 * 2;
                int64_t A_base = (int64_t)i * C2_dimension;
                if (0 < (2 < base_5 ? 2 : base_5)) {
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
                        for (int32_t ki = 0; ki < (2 < base_5 ? 2 : base_5); ki++) {
                            int32_t k = base_4 + ki;
                            int64_t pT5 = base_8 + ki;
                            int64_t T_base = pT5 * 2;
                            int64_t C_base = (int64_t)k * C2_dimension;
                            if (0 < (2 < base_7 ? 2 : base_7)) {
                                f64x4 sum = {0};
                                f64x4 sum0 = {0};
                                f64x4 sum1 = {0};
                                f64x4 sum2 = {0};
                                f64x4 sum3 = {0};
                                f64x4 sum4 = {0};
                                f64x4 sum5 = {0};
                                f64x4 sum6 = {0};
                                for (int32_t li = 0; li < (2 < base_7 ? 2 : base_7); li++) {
                                    int32_t l = base_6 + li;
                                    double T_val = T_vals[T_base + li];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    sum0 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    sum1 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                                    sum2 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                                    sum3 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 16);
                                    sum4 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 20);
                                    sum5 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 24);
                                    sum6 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 28);
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
                        for (int32_t ki = 0; ki < (2 < base_5 ? 2 : base_5); ki++) {
                            int32_t k = base_4 + ki;
                            int64_t pT5 = base_8 + ki;
                            int64_t T_base = pT5 * 2;
                            int64_t C_base = (int64_t)k * C2_dimension;
                            if (0 < (2 < base_7 ? 2 : base_7)) {
                                f64x4 sum7 = {0};
                                f64x4 sum8 = {0};
                                f64x4 sum9 = {0};
                                f64x4 sum10 = {0};
                                for (int32_t li = 0; li < (2 < base_7 ? 2 : base_7); li++) {
                                    int32_t l = base_6 + li;
                                    double T_val = T_vals[T_base + li];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum7 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    sum8 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    sum9 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                                    sum10 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
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
                        for (int32_t ki = 0; ki < (2 < base_5 ? 2 : base_5); ki++) {
                            int32_t k = base_4 + ki;
                            int64_t pT5 = base_8 + ki;
                            int64_t T_base = pT5 * 2;
                            int64_t C_base = (int64_t)k * C2_dimension;
                            if (0 < (2 < base_7 ? 2 : base_7)) {
                                f64x4 sum11 = {0};
                                f64x4 sum12 = {0};
                                if (base_7 >= 2) {
                                    for (int32_t li = 0; li < 2; li++) {
                                        int32_t l = base_6 + li;
                                        double T_val = T_vals[T_base + li];
                                        int64_t D_base = (int64_t)l * C2_dimension;
                                        sum11 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                        sum12 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    }
                                } else {
                                    for (int32_t li = 0; li < base_7; li++) {
                                        int32_t l = base_6 + li;
                                        double T_val = T_vals[T_base + li];
                                        int64_t D_base = (int64_t)l * C2_dimension;
                                        sum11 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                        sum12 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    }
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
                        for (int32_t ki = 0; ki < (2 < base_5 ? 2 : base_5); ki++) {
                            int32_t k = base_4 + ki;
                            int64_t pT5 = base_8 + ki;
                            int64_t T_base = pT5 * 2;
                            int64_t C_base = (int64_t)k * C2_dimension;
                            if (0 < (2 < base_7 ? 2 : base_7)) {
                                f64x4 sum13 = {0};
                                if (base_7 >= 2) {
                                    for (int32_t li = 0; li < 2; li++) {
                                        int32_t l = base_6 + li;
                                        double T_val = T_vals[T_base + li];
                                        int64_t D_base = (int64_t)l * C2_dimension;
                                        sum13 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    }
                                } else {
                                    for (int32_t li = 0; li < base_7; li++) {
                                        int32_t l = base_6 + li;
                                        double T_val = T_vals[T_base + li];
                                        int64_t D_base = (int64_t)l * C2_dimension;
                                        sum13 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    }
                                }
                                A_vals14 += *(const f64x4 *)(C_vals + C_base + r0) * sum13;
                            }
                        }
                        *(f64x4 *)(A_vals + A_base + r0) = A_vals14;
                        r0 += 4;
                    }
                    if (r0 < C2_dimension) {
                        for (int32_t ki = 0; ki < (2 < base_5 ? 2 : base_5); ki++) {
                            int32_t k = base_4 + ki;
                            int64_t pT5 = base_8 + ki;
                            int64_t T_base = pT5 * 2;
                            int64_t C_base = (int64_t)k * C2_dimension;
                            for (int32_t li = 0; li < (2 < base_7 ? 2 : base_7); li++) {
                                int32_t l = base_6 + li;
                                double T_val = T_vals[T_base + li];
                                int64_t D_base = (int64_t)l * C2_dimension;
                                for (int32_t r = r0; r < C2_dimension; r++)
                                    A_vals[A_base + r] += T_val * C_vals[C_base + r]
                                        * D_vals[D_base + r];
                            }
                        }
                    }
                }
            }
        }
        pT1 = pT1_next;
    }
    return 0;
}
