/* A(k,l,i,j) += B(i,j,k,l)
 *     A        f32   dddd
 *     B        f32   dddd
 * schedule: collapse(k, l, f); collapse(i, j, f2); split(f, fo, fi, down, 64); reorder(fo, f2, fi)
 * made by spcc VERSION with
 *     spcc 'A(k,l,i,j) += B(i,j,k,l)' -f 'A:dense' -t 'A:f32' -f 'B:dense' -t 'B:f32' -d i:10 -d j:20 -d k:30 -d l:40
 *
 *   B1_dimension  size of mode 1 of B: the range of i, which must be 10
 *   B2_dimension  size of mode 2 of B: the range of j, which must be 20
 *   B3_dimension  size of mode 3 of B: the range of k, which must be 30
 *   B4_dimension  size of mode 4 of B: the range of l, which must be 40
 *   B_vals        B's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef float f32x8 __attribute__((vector_size(32), aligned(4), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension, int32_t B4_dimension,
             const float *restrict B_vals, float *restrict A_vals)
{
    (void)B1_dimension;
    (void)B2_dimension;
    (void)B3_dimension;
    (void)B4_dimension;
    for (int32_t fo = 0; fo < 19; fo++) {
        int32_t base = fo * 64;
        int32_t base_2 = 1200 - base;
        int32_t fi_end = 64 < base_2 ? 64 : base_2;
        int32_t fi_middle = fi_end / 8 * 8;
        for (int32_t f2 = 0; f2 < 200; f2 += 8) {
            for (int32_t fi = 0; fi < fi_middle; fi += 8) {
                f32x8 B_vals0 = *(const f32x8 *)(B_vals + (int64_t)f2 * 30 * 40 + (base + fi));
                f32x8 B_vals1 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 1) * 30 * 40
                    + (base + fi));
                f32x8 B_vals2 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 2) * 30 * 40
                    + (base + fi));
                f32x8 B_vals3 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 3) * 30 * 40
                    + (base + fi));
                f32x8 B_vals4 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 4) * 30 * 40
                    + (base + fi));
                f32x8 B_vals5 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 5) * 30 * 40
                    + (base + fi));
                f32x8 B_vals6 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 6) * 30 * 40
                    + (base + fi));
                f32x8 B_vals7 = *(const f32x8 *)(B_vals + (int64_t)(f2 + 7) * 30 * 40
                    + (base + fi));
                f32x8 B_vals8 = __builtin_shufflevector(B_vals0, B_vals2, 0, 8, 1, 9, 4, 12, 5, 13);
                f32x8 B_vals9 = __builtin_shufflevector(B_vals0, B_vals2, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals10 = __builtin_shufflevector(B_vals1, B_vals3, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals11 = __builtin_shufflevector(B_vals1, B_vals3, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals12 = __builtin_shufflevector(B_vals4, B_vals6, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals13 = __builtin_shufflevector(B_vals4, B_vals6, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals14 = __builtin_shufflevector(B_vals5, B_vals7, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals15 = __builtin_shufflevector(B_vals5, B_vals7, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals16 = __builtin_shufflevector(B_vals8, B_vals10, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals17 = __builtin_shufflevector(B_vals8, B_vals10, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals18 = __builtin_shufflevector(B_vals9, B_vals11, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals19 = __builtin_shufflevector(B_vals9, B_vals11, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals20 = __builtin_shufflevector(B_vals12, B_vals14, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals21 = __builtin_shufflevector(B_vals12, B_vals14, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals22 = __builtin_shufflevector(B_vals13, B_vals15, 0, 8, 1, 9, 4, 12, 5,
                    13);
                f32x8 B_vals23 = __builtin_shufflevector(B_vals13, B_vals15, 2, 10, 3, 11, 6, 14, 7,
                    15);
                f32x8 B_vals24 = __builtin_shufflevector(B_vals16, B_vals20, 0, 1, 2, 3, 8, 9, 10,
                    11);
                f32x8 B_vals25 = __builtin_shufflevector(B_vals16, B_vals20, 4, 5, 6, 7, 12, 13, 14,
                    15);
                f32x8 B_vals26 = __builtin_shufflevector(B_vals17, B_vals21, 0, 1, 2, 3, 8, 9, 10,
                    11);
                f32x8 B_vals27 = __builtin_shufflevector(B_vals17, B_vals21, 4, 5, 6, 7, 12, 13, 14,
                    15);
                f32x8 B_vals28 = __builtin_shufflevector(B_vals18, B_vals22, 0, 1, 2, 3, 8, 9, 10,
                    11);
                f32x8 B_vals29 = __builtin_shufflevector(B_vals18, B_vals22, 4, 5, 6, 7, 12, 13, 14,
                    15);
                f32x8 B_vals30 = __builtin_shufflevector(B_vals19, B_vals23, 0, 1, 2, 3, 8, 9, 10,
                    11);
                f32x8 B_vals31 = __builtin_shufflevector(B_vals19, B_vals23, 4, 5, 6, 7, 12, 13, 14,
                    15);
                *(f32x8 *)(A_vals + (int64_t)(base + fi) * 10 * 20 + f2) += B_vals24;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 1)) * 10 * 20 + f2) += B_vals26;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 2)) * 10 * 20 + f2) += B_vals28;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 3)) * 10 * 20 + f2) += B_vals30;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 4)) * 10 * 20 + f2) += B_vals25;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 5)) * 10 * 20 + f2) += B_vals27;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 6)) * 10 * 20 + f2) += B_vals29;
                *(f32x8 *)(A_vals + (int64_t)(base + (fi + 7)) * 10 * 20 + f2) += B_vals31;
            }
        }
        for (int32_t f2 = 0; f2 < 200; f2++) {
            int64_t pB2 = f2;
            int64_t B_base = pB2 * 30 * 40;
            for (int32_t fi = fi_middle; fi < fi_end; fi++) {
                int32_t f = base + fi;
                A_vals[(int64_t)f * 10 * 20 + f2] += B_vals[B_base + f];
            }
        }
    }
    return 0;
}
