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
    double A_vals_lines[4608];
    for (int32_t jo = 0; jo < 63; jo++) {
        int32_t base = jo * 64;
        int32_t base_2 = 4000 - base;
        int32_t ji_end = 64 < base_2 ? 64 : base_2;
        if (4 <= ji_end) {
            for (int64_t i_part = 0; i_part < 4480; i_part += 64) {
                int32_t i_from = (int32_t)i_part;
                int32_t i_past = i_from + min_i32(4480 - i_from, 64);
                for (int32_t i = i_from; i < i_past; i += 4) {
                    for (int32_t ji = 0; ji < ji_end; ji += 4) {
                        int32_t ji_at = min_i32(ji, ji_end - 4);
                        __builtin_prefetch(B_vals + (int64_t)(i + 8) * 4000 + (base + ji_at));
                        __builtin_prefetch(B_vals + (int64_t)(i + 9) * 4000 + (base + ji_at));
                        __builtin_prefetch(B_vals + (int64_t)(i + 10) * 4000 + (base + ji_at));
                        __builtin_prefetch(B_vals + (int64_t)(i + 11) * 4000 + (base + ji_at));
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
                        *(f64x4 *)(A_vals_lines + ji_at * 72 + (i - i_from + 8)) = B_vals8;
                        *(f64x4 *)(A_vals_lines + (ji_at + 1) * 72 + (i - i_from + 8)) = B_vals10;
                        *(f64x4 *)(A_vals_lines + (ji_at + 2) * 72 + (i - i_from + 8)) = B_vals9;
                        *(f64x4 *)(A_vals_lines + (ji_at + 3) * 72 + (i - i_from + 8)) = B_vals11;
                    }
                }
                for (int32_t ji1 = 0; ji1 < ji_end; ji1++) {
                    int64_t i_first = (int64_t)(base + ji1) * 4480 + i_from;
                    int32_t i_before = (int32_t)((size_t)(A_vals + i_first) % 64 / sizeof *A_vals);
                    int32_t i_at = i_from == 0 ? 0 : -i_before;
                    int32_t i_at_end = i_past == 4480 ? i_past - i_from : 64 - i_before;
                    int32_t i_at_line = i_at
                        + min_i32(i_at_end - i_at,
                        (8
                        - (int32_t)((size_t)(A_vals +
                        (i_first + (i_from == 0 ? 0 : -i_before))) % 64 / sizeof *A_vals)) % 8);
                    #pragma GCC unroll 1
                    for (; i_at < i_at_line; i_at++)
                        A_vals[i_first + i_at] = A_vals_lines[ji1 * 72 + 8 + i_at];
                    for (; i_at < i_at_end - 7; i_at += 8) {
                        {
                            f64x4 streamed = *(f64x4 *)(A_vals_lines + ji1 * 72 + 8 + i_at);
                            stream_32(A_vals + (i_first + i_at), &streamed);
                        }
                        {
                            f64x4 streamed = *(f64x4 *)(A_vals_lines + ji1 * 72 + 8 + i_at + 4);
                            stream_32(A_vals + (i_first + i_at + 4), &streamed);
                        }
                    }
                    #pragma GCC unroll 1
                    for (; i_at < i_at_end; i_at++)
                        A_vals[i_first + i_at] = A_vals_lines[ji1 * 72 + 8 + i_at];
                    if (i_past < 4480) {
                        *(f64x4 *)(A_vals_lines + ji1 * 72) = *(f64x4 *)(A_vals_lines + ji1 * 72
                            + 64);
                        *(f64x4 *)(A_vals_lines + ji1 * 72 + 4) = *(f64x4 *)(A_vals_lines + ji1 * 72
                            + 68);
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
