/* A(j,i) = B(i,j)
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(j, jo, ji, down, 64); reorder(jo, i, ji)
 * made by spcc VERSION with
 *     spcc 'A(j,i) = B(i,j)' -d i:4480 -d j:4000
 *
 *   B1_dimension  size of mode 1 of B: the range of i, which must be 4480
 *   B2_dimension  size of mode 2 of B: the range of j, which must be 4000
 *   B_vals        B's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/min_i32.c"
#include "helpers/stream_32.c"
#include "helpers/stream_end.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const double *restrict B_vals,
             double *restrict A_vals)
{
    (void)B1_dimension;
    (void)B2_dimension;
    for (int32_t jo = 0; jo < 63; jo++) {
        int32_t base = jo * 64;
        int32_t base_2 = 4000 - base;
        int32_t ji_end = 64 < base_2 ? 64 : base_2;
        if (4 <= ji_end) {
            if ((int32_t)((size_t)(A_vals + (int64_t)base * 4480) % 64 / sizeof *A_vals) == 0) {
                for (int32_t i = 0; i < 4480; i += 8) {
                    for (int32_t ji = 0; ji < ji_end; ji += 4) {
                        int32_t ji_at = min_i32(ji, ji_end - 4);
                        f64x4 B_vals0 = *(const f64x4 *)(B_vals + (int64_t)i * 4000
                            + (base + ji_at));
                        f64x4 B_vals1 = *(const f64x4 *)(B_vals + (int64_t)(i + 1) * 4000
                            + (base + ji_at));
                        f64x4 B_vals2 = *(const f64x4 *)(B_vals + (int64_t)(i + 2) * 4000
                            + (base + ji_at));
                        f64x4 B_vals3 = *(const f64x4 *)(B_vals + (int64_t)(i + 3) * 4000
                            + (base + ji_at));
                        f64x4 B_vals4 = __builtin_shufflevector(B_vals0, B_vals1, 0, 4, 2, 6);
                        f64x4 B_vals5 = __builtin_shufflevector(B_vals0, B_vals1, 1, 5, 3, 7);
                        f64x4 B_vals6 = __builtin_shufflevector(B_vals2, B_vals3, 0, 4, 2, 6);
                        f64x4 B_vals7 = __builtin_shufflevector(B_vals2, B_vals3, 1, 5, 3, 7);
                        f64x4 B_vals8 = __builtin_shufflevector(B_vals4, B_vals6, 0, 1, 4, 5);
                        f64x4 B_vals9 = __builtin_shufflevector(B_vals4, B_vals6, 2, 3, 6, 7);
                        f64x4 B_vals10 = __builtin_shufflevector(B_vals5, B_vals7, 0, 1, 4, 5);
                        f64x4 B_vals11 = __builtin_shufflevector(B_vals5, B_vals7, 2, 3, 6, 7);
                        f64x4 B_vals12 = *(const f64x4 *)(B_vals + (int64_t)(i + 4) * 4000
                            + (base + ji_at));
                        f64x4 B_vals13 = *(const f64x4 *)(B_vals + (int64_t)(i + 5) * 4000
                            + (base + ji_at));
                        f64x4 B_vals14 = *(const f64x4 *)(B_vals + (int64_t)(i + 6) * 4000
                            + (base + ji_at));
                        f64x4 B_vals15 = *(const f64x4 *)(B_vals + (int64_t)(i + 7) * 4000
                            + (base + ji_at));
                        f64x4 B_vals16 = __builtin_shufflevector(B_vals12, B_vals13, 0, 4, 2, 6);
                        f64x4 B_vals17 = __builtin_shufflevector(B_vals12, B_vals13, 1, 5, 3, 7);
                        f64x4 B_vals18 = __builtin_shufflevector(B_vals14, B_vals15, 0, 4, 2, 6);
                        f64x4 B_vals19 = __builtin_shufflevector(B_vals14, B_vals15, 1, 5, 3, 7);
                        f64x4 B_vals20 = __builtin_shufflevector(B_vals16, B_vals18, 0, 1, 4, 5);
                        f64x4 B_vals21 = __builtin_shufflevector(B_vals16, B_vals18, 2, 3, 6, 7);
                        f64x4 B_vals22 = __builtin_shufflevector(B_vals17, B_vals19, 0, 1, 4, 5);
                        f64x4 B_vals23 = __builtin_shufflevector(B_vals17, B_vals19, 2, 3, 6, 7);
                        stream_32(A_vals + ((int64_t)(base + ji_at) * 4480 + i), &B_vals8);
                        stream_32(A_vals + ((int64_t)(base + ji_at) * 4480 + (i + 4)), &B_vals20);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 1)) * 4480 + i), &B_vals10);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 1)) * 4480 + (i + 4)),
                            &B_vals22);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 2)) * 4480 + i), &B_vals9);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 2)) * 4480 + (i + 4)),
                            &B_vals21);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 3)) * 4480 + i), &B_vals11);
                        stream_32(A_vals + ((int64_t)(base + (ji_at + 3)) * 4480 + (i + 4)),
                            &B_vals23);
                    }
                }
            } else {
                for (int32_t i = 0; i < 4480; i += 4) {
                    for (int32_t ji = 0; ji < ji_end; ji += 4) {
                        int32_t ji_at0 = min_i32(ji, ji_end - 4);
                        f64x4 B_vals24 = *(const f64x4 *)(B_vals + (int64_t)i * 4000
                            + (base + ji_at0));
                        f64x4 B_vals25 = *(const f64x4 *)(B_vals + (int64_t)(i + 1) * 4000
                            + (base + ji_at0));
                        f64x4 B_vals26 = *(const f64x4 *)(B_vals + (int64_t)(i + 2) * 4000
                            + (base + ji_at0));
                        f64x4 B_vals27 = *(const f64x4 *)(B_vals + (int64_t)(i + 3) * 4000
                            + (base + ji_at0));
                        f64x4 B_vals28 = __builtin_shufflevector(B_vals24, B_vals25, 0, 4, 2, 6);
                        f64x4 B_vals29 = __builtin_shufflevector(B_vals24, B_vals25, 1, 5, 3, 7);
                        f64x4 B_vals30 = __builtin_shufflevector(B_vals26, B_vals27, 0, 4, 2, 6);
                        f64x4 B_vals31 = __builtin_shufflevector(B_vals26, B_vals27, 1, 5, 3, 7);
                        f64x4 B_vals32 = __builtin_shufflevector(B_vals28, B_vals30, 0, 1, 4, 5);
                        f64x4 B_vals33 = __builtin_shufflevector(B_vals28, B_vals30, 2, 3, 6, 7);
                        f64x4 B_vals34 = __builtin_shufflevector(B_vals29, B_vals31, 0, 1, 4, 5);
                        f64x4 B_vals35 = __builtin_shufflevector(B_vals29, B_vals31, 2, 3, 6, 7);
                        *(f64x4 *)(A_vals + (int64_t)(base + ji_at0) * 4480 + i) = B_vals32;
                        *(f64x4 *)(A_vals + (int64_t)(base + (ji_at0 + 1)) * 4480 + i) = B_vals34;
                        *(f64x4 *)(A_vals + (int64_t)(base + (ji_at0 + 2)) * 4480 + i) = B_vals33;
                        *(f64x4 *)(A_vals + (int64_t)(base + (ji_at0 + 3)) * 4480 + i) = B_vals35;
                    }
                }
            }
        } else {
            for (int32_t i = 0; i < 4480; i++) {
                int64_t B_base = (int64_t)i * 4000;
                for (int32_t ji = 0; ji < (64 < base_2 ? 64 : base_2); ji++) {
                    int32_t j = base + ji;
                    A_vals[(int64_t)j * 4480 + i] = B_vals[B_base + j];
                }
            }
        }
    }
    stream_end();
    return 0;
}
