/* A(m,k,j,l,i) = B(i,j,k,l,m)
 *     A        f32   ddddd
 *     B        f32   ddddd
 * schedule: reorder(j, k, l, m, i); collapse(k, l, f); collapse(f, m, f2); split(f2, f2o, f2i, down, 32); reorder(j, f2o, i, f2i)
 * made by spcc VERSION with
 *     spcc 'A(m,k,j,l,i) = B(i,j,k,l,m)' -f 'A:dense' -t 'A:f32' -f 'B:dense' -t 'B:f32' -d i:5 -d j:3 -d k:20 -d l:2 -d m:4
 *
 *   B1_dimension  size of mode 1 of B: the range of i, which must be 5
 *   B2_dimension  size of mode 2 of B: the range of j, which must be 3
 *   B3_dimension  size of mode 3 of B: the range of k, which must be 20
 *   B4_dimension  size of mode 4 of B: the range of l, which must be 2
 *   B5_dimension  size of mode 5 of B: the range of m, which must be 4
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

typedef float f32x4 __attribute__((vector_size(16), aligned(4), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension, int32_t B4_dimension,
             int32_t B5_dimension, const float *restrict B_vals, float *restrict A_vals)
{
    (void)B1_dimension;
    (void)B2_dimension;
    (void)B3_dimension;
    (void)B4_dimension;
    (void)B5_dimension;
    for (int32_t j = 0; j < 3; j++) {
        for (int32_t f2o = 0; f2o < 5; f2o++) {
            int32_t base = f2o * 32;
            for (int32_t i = 0; i < 5; i += 4) {
                int32_t i_at = i < 1 ? i : 1;
                for (int32_t f2i = 0; f2i < 32; f2i += 4) {
                    f32x4 B_vals0 = *(const f32x4 *)(B_vals + ((int64_t)i_at * 3 + j) * 20 * 2 * 4
                        + (base + f2i));
                    f32x4 B_vals1 = *(const f32x4 *)(B_vals + ((int64_t)(i_at + 1) * 3 + j) * 20 * 2
                        * 4 + (base + f2i));
                    f32x4 B_vals2 = *(const f32x4 *)(B_vals + ((int64_t)(i_at + 2) * 3 + j) * 20 * 2
                        * 4 + (base + f2i));
                    f32x4 B_vals3 = *(const f32x4 *)(B_vals + ((int64_t)(i_at + 3) * 3 + j) * 20 * 2
                        * 4 + (base + f2i));
                    f32x4 B_vals4 = __builtin_shufflevector(B_vals0, B_vals2, 0, 4, 1, 5);
                    f32x4 B_vals5 = __builtin_shufflevector(B_vals0, B_vals2, 2, 6, 3, 7);
                    f32x4 B_vals6 = __builtin_shufflevector(B_vals1, B_vals3, 0, 4, 1, 5);
                    f32x4 B_vals7 = __builtin_shufflevector(B_vals1, B_vals3, 2, 6, 3, 7);
                    f32x4 B_vals8 = __builtin_shufflevector(B_vals4, B_vals6, 0, 4, 1, 5);
                    f32x4 B_vals9 = __builtin_shufflevector(B_vals4, B_vals6, 2, 6, 3, 7);
                    f32x4 B_vals10 = __builtin_shufflevector(B_vals5, B_vals7, 0, 4, 1, 5);
                    f32x4 B_vals11 = __builtin_shufflevector(B_vals5, B_vals7, 2, 6, 3, 7);
                    *(f32x4 *)(A_vals + ((((int64_t)((base + f2i) % 4) * 20 + (base + f2i) / 4 / 2)
                        * 3 + j) * 2 + (base + f2i) / 4 % 2) * 5 + i_at) = B_vals8;
                    *(f32x4 *)(A_vals + ((((int64_t)((base + (f2i + 1)) % 4) * 20
                        + (base + (f2i + 1)) / 4 / 2) * 3 + j) * 2 + (base + (f2i + 1)) / 4 % 2) * 5
                        + i_at) = B_vals9;
                    *(f32x4 *)(A_vals + ((((int64_t)((base + (f2i + 2)) % 4) * 20
                        + (base + (f2i + 2)) / 4 / 2) * 3 + j) * 2 + (base + (f2i + 2)) / 4 % 2) * 5
                        + i_at) = B_vals10;
                    *(f32x4 *)(A_vals + ((((int64_t)((base + (f2i + 3)) % 4) * 20
                        + (base + (f2i + 3)) / 4 / 2) * 3 + j) * 2 + (base + (f2i + 3)) / 4 % 2) * 5
                        + i_at) = B_vals11;
                }
            }
        }
    }
    return 0;
}
