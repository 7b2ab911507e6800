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

#include "helpers/min_i64.c"

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
    memset(A_vals, 0, (size_t)((int64_t)T1_dimension * C2_dimension) * sizeof(double));
    for (int64_t pT1 = (int64_t)T1_pos[0]; pT1 < (int64_t)T1_pos[1]; pT1++) {
        int64_t pT1_then = pT1 + min_i64((int64_t)T1_pos[1] - 1 - pT1, 16);
        if ((int64_t)T4_pos[pT1_then] < (int64_t)T4_pos[pT1_then + 1]) {
            for (int64_t line2 = 0; line2 < C2_dimension; line2 += 8) {
                __builtin_prefetch(A_vals + (int64_t)(T1_crd[pT1_then] * 128
                    + T4_crd[(int64_t)T4_pos[pT1_then]]) * C2_dimension + (int32_t)line2);
            }
            for (int64_t line3 = 0; line3 < C2_dimension; line3 += 8) {
                __builtin_prefetch(C_vals + (int64_t)(T2_crd[pT1_then] * 128
                    + T5_crd[(int64_t)T4_pos[pT1_then]]) * C2_dimension + (int32_t)line3);
            }
            for (int64_t line4 = 0; line4 < C2_dimension; line4 += 8) {
                __builtin_prefetch(D_vals + (int64_t)(T3_crd[pT1_then] * 128
                    + T6_crd[(int64_t)T4_pos[pT1_then]]) * C2_dimension + (int32_t)line4);
            }
        }
        int32_t io = T1_crd[pT1];
        int32_t ko = T2_crd[pT1];
        int32_t lo = T3_crd[pT1];
        int64_t pT4 = (int64_t)T4_pos[pT1];
        int64_t pT4_end = (int64_t)T4_pos[pT1 + 1];
        int32_t base = io * 128;
        int32_t base_2 = ko * 128;
        int32_t base_3 = lo * 128;
        for (int64_t pT6 = pT4; pT6 < pT4_end; pT6++) {
            int32_t ii = T4_crd[pT6];
            int32_t i = base + ii;
            int32_t ki = T5_crd[pT6];
            int32_t k = base_2 + ki;
            int32_t li = T6_crd[pT6];
            int32_t l = base_3 + li;
            double T_val = T_vals[pT6];
            int64_t A_base = (int64_t)i * C2_dimension;
            int64_t C_base = (int64_t)k * C2_dimension;
            int64_t D_base = (int64_t)l * C2_dimension;
            if (pT6 < pT4_end - 16) {
                for (int64_t line = 0; line < C2_dimension; line += 8) {
                    __builtin_prefetch(A_vals + (int64_t)(base + T4_crd[pT6 + 16]) * C2_dimension
                        + (int32_t)line);
                }
                for (int64_t line0 = 0; line0 < C2_dimension; line0 += 8) {
                    __builtin_prefetch(C_vals + (int64_t)(base_2 + T5_crd[pT6 + 16]) * C2_dimension
                        + (int32_t)line0);
                }
                for (int64_t line1 = 0; line1 < C2_dimension; line1 += 8) {
                    __builtin_prefetch(D_vals + (int64_t)(base_3 + T6_crd[pT6 + 16]) * C2_dimension
                        + (int32_t)line1);
                }
            }
            for (int32_t r = 0; r < C2_dimension; r++)
                A_vals[A_base + r] += T_val * C_vals[C_base + r] * D_vals[D_base + r];
        }
    }
    return 0;
}
