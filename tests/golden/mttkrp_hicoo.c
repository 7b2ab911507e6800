/* A(i,r) = T(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     T        f64   (i,j,k) -> (i/128 : compressed(nonunique, morton, pos=u64), j/128 : singleton(nonunique), k/128 : singleton, i%128 : compressed(nonunique, pos=u64, crd=u8), j%128 : singleton(nonunique, crd=u8), k%128 : singleton(crd=u8))
 *     C        f64   dd
 *     D        f64   dd
 * schedule: split(i, io, ii, down, 128); split(k, ko, ki, down, 128); split(l, lo, li, down, 128); reorder(io, ko, lo, ii, ki, li, r)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = T(i,k,l) * C(k,r) * D(l,r)' -f 'T:hicoo(128)'
 *
 *   T1_dimension  size of mode 1 of T: the range of i
 *   T2_dimension  size of mode 2 of T: the range of k
 *   T3_dimension  size of mode 3 of T: the range of l
 *   T1_pos        T, level 1 (compressed): where each segment begins and ends
 *   T1_crd        T, level 1 (compressed): coordinates
 *   T2_crd        T, level 2 (singleton): coordinates
 *   T3_crd        T, level 3 (singleton): coordinates
 *   T4_pos        T, level 4 (compressed): where each segment begins and ends
 *   T4_crd        T, level 4 (compressed): coordinates
 *   T5_crd        T, level 5 (singleton): coordinates
 *   T6_crd        T, level 6 (singleton): coordinates
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
             const uint64_t *restrict T1_pos, const int32_t *restrict T1_crd,
             const int32_t *restrict T2_crd, const int32_t *restrict T3_crd,
             const uint64_t *restrict T4_pos, const uint8_t *restrict T4_crd,
             const uint8_t *restrict T5_crd, const uint8_t *restrict T6_crd,
             const double *restrict T_vals, int32_t C2_dimension, const double *restrict C_vals,
             const double *restrict D_vals, double *restrict A_vals)
{
    (void)T2_dimension;
    (void)T3_dimension;
    int64_t pT6_last = (int64_t)T4_pos[(int64_t)T1_pos[1]];
    memset(A_vals, 0, (size_t)((int64_t)T1_dimension * C2_dimension) * sizeof(double));
    for (int64_t pT1 = (int64_t)T1_pos[0]; pT1 < (int64_t)T1_pos[1]; pT1++) {
        int32_t io = T1_crd[pT1];
        int64_t pT2 = pT1;
        int64_t pT2_end = pT1 + 1;
        int32_t base = io * 128;
        while (pT2 < pT2_end) {
            int32_t ko = T2_crd[pT2];
            int64_t pT2_next = pT2;
            while (pT2_next < pT2_end && T2_crd[pT2_next] == ko)
                pT2_next++;
            int32_t base_2 = ko * 128;
            for (int64_t pT3 = pT2; pT3 < pT2_next; pT3++) {
                int32_t lo = T3_crd[pT3];
                int64_t pT4 = (int64_t)T4_pos[pT3];
                int64_t pT4_end = (int64_t)T4_pos[pT3 + 1];
                int32_t base_3 = lo * 128;
                while (pT4 < pT4_end) {
                    int32_t ii = T4_crd[pT4];
                    int64_t pT4_next = pT4;
                    while (pT4_next < pT4_end && T4_crd[pT4_next] == ii)
                        pT4_next++;
                    int32_t i = base + ii;
                    int64_t pT5 = pT4;
                    int64_t pT5_end = pT4_next;
                    int64_t A_base = (int64_t)i * C2_dimension;
                    while (pT5 < pT5_end) {
                        int32_t ki = T5_crd[pT5];
                        int64_t pT5_next = pT5;
                        while (pT5_next < pT5_end && T5_crd[pT5_next] == ki)
                            pT5_next++;
                        int32_t k = base_2 + ki;
                        int64_t C_base = (int64_t)k * C2_dimension;
                        if (pT5 < pT5_next) {
                            int32_t r0 = 0;
                            for (; r0 < C2_dimension - 31; r0 += 32) {
                                f64x4 sum = {0};
                                f64x4 sum0 = {0};
                                f64x4 sum1 = {0};
                                f64x4 sum2 = {0};
                                f64x4 sum3 = {0};
                                f64x4 sum4 = {0};
                                f64x4 sum5 = {0};
                                f64x4 sum6 = {0};
                                int64_t pT6_ahead = pT5_next <= pT6_last - 16 ? 16 : 0;
                                for (int64_t pT6 = pT5; pT6 < pT5_next; pT6++) {
                                    int32_t li = T6_crd[pT6];
                                    int32_t l = base_3 + li;
                                    double T_val = T_vals[pT6];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    sum0 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    sum1 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                                    sum2 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                                    sum3 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 16);
                                    sum4 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 20);
                                    sum5 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 24);
                                    sum6 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 28);
                                    int64_t D_vals_next = (int64_t)(base_3
                                        + T6_crd[pT6 + pT6_ahead]) * C2_dimension + r0;
                                    __builtin_prefetch(D_vals + D_vals_next);
                                    __builtin_prefetch(D_vals + D_vals_next + 8);
                                    __builtin_prefetch(D_vals + D_vals_next + 16);
                                    __builtin_prefetch(D_vals + D_vals_next + 24);
                                }
                                *(f64x4 *)(A_vals + A_base + r0) += *(const f64x4 *)(C_vals + C_base
                                    + r0) * sum;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 4) += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum0;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 8) += *(const f64x4 *)(C_vals + C_base + r0 + 8) * sum1;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 12) += *(const f64x4 *)(C_vals + C_base + r0 + 12) * sum2;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 16) += *(const f64x4 *)(C_vals + C_base + r0 + 16) * sum3;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 20) += *(const f64x4 *)(C_vals + C_base + r0 + 20) * sum4;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 24) += *(const f64x4 *)(C_vals + C_base + r0 + 24) * sum5;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 28) += *(const f64x4 *)(C_vals + C_base + r0 + 28) * sum6;
                            }
                            if (r0 < C2_dimension - 15) {
                                f64x4 sum7 = {0};
                                f64x4 sum8 = {0};
                                f64x4 sum9 = {0};
                                f64x4 sum10 = {0};
                                int64_t pT6_ahead0 = pT5_next <= pT6_last - 16 ? 16 : 0;
                                for (int64_t pT6 = pT5; pT6 < pT5_next; pT6++) {
                                    int32_t li = T6_crd[pT6];
                                    int32_t l = base_3 + li;
                                    double T_val = T_vals[pT6];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum7 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    sum8 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    sum9 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                                    sum10 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                                    int64_t D_vals_next0 = (int64_t)(base_3
                                        + T6_crd[pT6 + pT6_ahead0]) * C2_dimension + r0;
                                    __builtin_prefetch(D_vals + D_vals_next0);
                                    __builtin_prefetch(D_vals + D_vals_next0 + 8);
                                }
                                *(f64x4 *)(A_vals + A_base + r0) += *(const f64x4 *)(C_vals + C_base
                                    + r0) * sum7;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 4) += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum8;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 8) += *(const f64x4 *)(C_vals + C_base + r0 + 8) * sum9;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 12) += *(const f64x4 *)(C_vals + C_base + r0 + 12) * sum10;
                                r0 += 16;
                            }
                            if (r0 < C2_dimension - 7) {
                                f64x4 sum11 = {0};
                                f64x4 sum12 = {0};
                                int64_t pT6_ahead1 = pT5_next <= pT6_last - 16 ? 16 : 0;
                                for (int64_t pT6 = pT5; pT6 < pT5_next; pT6++) {
                                    int32_t li = T6_crd[pT6];
                                    int32_t l = base_3 + li;
                                    double T_val = T_vals[pT6];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum11 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                    sum12 += T_val * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                                    int64_t D_vals_next1 = (int64_t)(base_3
                                        + T6_crd[pT6 + pT6_ahead1]) * C2_dimension + r0;
                                    __builtin_prefetch(D_vals + D_vals_next1);
                                }
                                *(f64x4 *)(A_vals + A_base + r0) += *(const f64x4 *)(C_vals + C_base
                                    + r0) * sum11;
                                *(f64x4 *)(A_vals + A_base + r0
                                    + 4) += *(const f64x4 *)(C_vals + C_base + r0 + 4) * sum12;
                                r0 += 8;
                            }
                            if (r0 < C2_dimension - 3) {
                                f64x4 sum13 = {0};
                                for (int64_t pT6 = pT5; pT6 < pT5_next; pT6++) {
                                    int32_t li = T6_crd[pT6];
                                    int32_t l = base_3 + li;
                                    double T_val = T_vals[pT6];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    sum13 += T_val * *(const f64x4 *)(D_vals + D_base + r0);
                                }
                                *(f64x4 *)(A_vals + A_base + r0) += *(const f64x4 *)(C_vals + C_base
                                    + r0) * sum13;
                                r0 += 4;
                            }
                            if (r0 < C2_dimension) {
                                for (int64_t pT6 = pT5; pT6 < pT5_next; pT6++) {
                                    int32_t li = T6_crd[pT6];
                                    int32_t l = base_3 + li;
                                    double T_val = T_vals[pT6];
                                    int64_t D_base = (int64_t)l * C2_dimension;
                                    for (int32_t r = r0; r < C2_dimension; r++)
                                        A_vals[A_base + r] += T_val * C_vals[C_base + r]
                                            * D_vals[D_base + r];
                                }
                            }
                        }
                        pT5 = pT5_next;
                    }
                    pT4 = pT4_next;
                }
            }
            pT2 = pT2_next;
        }
    }
    return 0;
}
