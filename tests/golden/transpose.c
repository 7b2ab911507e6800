/* A(j,i) = B(i,j)
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(j, jo, ji, down, 32); reorder(jo, i, ji)
 * made by spcc VERSION with
 *     spcc 'A(j,i) = B(i,j)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
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

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/min_i64.c"
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const double *restrict B_vals,
             double *restrict A_vals)
{
    int32_t jo_size = B2_dimension / 32 + (B2_dimension % 32 > 0);
    for (int32_t jo = 0; jo < jo_size; jo++) {
        int32_t base = jo * 32;
        int32_t base_2 = B2_dimension - base;
        int32_t ji_end = 32 < base_2 ? 32 : base_2;
        if (4 <= ji_end && 4 <= B1_dimension) {
            for (int64_t i = 0; i < B1_dimension; i += 4) {
                int32_t i_at = (int32_t)min_i64(i, B1_dimension - 4);
                for (int32_t ji = 0; ji < ji_end; ji += 4) {
                    int32_t ji_at = min_i32(ji, ji_end - 4);
                    f64x4 B_vals0 = *(const f64x4 *)(B_vals + (int64_t)i_at * B2_dimension
                        + (base + ji_at));
                    f64x4 B_vals1 = *(const f64x4 *)(B_vals + (int64_t)(i_at + 1) * B2_dimension
                        + (base + ji_at));
                    f64x4 B_vals2 = *(const f64x4 *)(B_vals + (int64_t)(i_at + 2) * B2_dimension
                        + (base + ji_at));
                    f64x4 B_vals3 = *(const f64x4 *)(B_vals + (int64_t)(i_at + 3) * B2_dimension
                        + (base + ji_at));
                    f64x4 B_vals4 = __builtin_shufflevector(B_vals0, B_vals1, 0, 4, 2, 6);
                    f64x4 B_vals5 = __builtin_shufflevector(B_vals0, B_vals1, 1, 5, 3, 7);
                    f64x4 B_vals6 = __builtin_shufflevector(B_vals2, B_vals3, 0, 4, 2, 6);
                    f64x4 B_vals7 = __builtin_shufflevector(B_vals2, B_vals3, 1, 5, 3, 7);
                    f64x4 B_vals8 = __builtin_shufflevector(B_vals4, B_vals6, 0, 1, 4, 5);
                    f64x4 B_vals9 = __builtin_shufflevector(B_vals4, B_vals6, 2, 3, 6, 7);
                    f64x4 B_vals10 = __builtin_shufflevector(B_vals5, B_vals7, 0, 1, 4, 5);
                    f64x4 B_vals11 = __builtin_shufflevector(B_vals5, B_vals7, 2, 3, 6, 7);
                    *(f64x4 *)(A_vals + (int64_t)(base + ji_at) * B1_dimension + i_at) = B_vals8;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ji_at + 1)) * B1_dimension
                        + i_at) = B_vals10;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ji_at + 2)) * B1_dimension
                        + i_at) = B_vals9;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ji_at + 3)) * B1_dimension
                        + i_at) = B_vals11;
                }
            }
        } else {
            for (int32_t i = 0; i < B1_dimension; i++) {
                int64_t B_base = (int64_t)i * B2_dimension;
                for (int32_t ji = 0; ji < (32 < base_2 ? 32 : base_2); ji++) {
                    int32_t j = base + ji;
                    A_vals[(int64_t)j * B1_dimension + i] = B_vals[B_base + j];
                }
            }
        }
    }
    return 0;
}
