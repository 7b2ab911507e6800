/* A(i,j) = B(i,j) + C(j,i)
 *     A        f64   dd
 *     B        f64   dd
 *     C        f64   dd
 * schedule: split(i, io, ii, down, 16); reorder(io, j, ii)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(j,i)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   C_vals        C's values
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
             const double *restrict C_vals, double *restrict A_vals)
{
    int32_t io_size = B1_dimension / 16 + (B1_dimension % 16 > 0);
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 16;
        int32_t base_2 = B1_dimension - base;
        int32_t ii_end = 16 < base_2 ? 16 : base_2;
        if (4 <= ii_end && 4 <= B2_dimension) {
            for (int64_t j = 0; j < B2_dimension; j += 4) {
                int32_t j_at = (int32_t)min_i64(j, B2_dimension - 4);
                for (int32_t ii_2 = 0; ii_2 < ii_end; ii_2 += 4) {
                    int32_t ii_at = min_i32(ii_2, ii_end - 4);
                    f64x4 C_vals0 = *(const f64x4 *)(C_vals + (int64_t)j_at * B1_dimension
                        + (base + ii_at));
                    f64x4 C_vals1 = *(const f64x4 *)(C_vals + (int64_t)(j_at + 1) * B1_dimension
                        + (base + ii_at));
                    f64x4 C_vals2 = *(const f64x4 *)(C_vals + (int64_t)(j_at + 2) * B1_dimension
                        + (base + ii_at));
                    f64x4 C_vals3 = *(const f64x4 *)(C_vals + (int64_t)(j_at + 3) * B1_dimension
                        + (base + ii_at));
                    f64x4 C_vals4 = __builtin_shufflevector(C_vals0, C_vals1, 0, 4, 2, 6);
                    f64x4 C_vals5 = __builtin_shufflevector(C_vals0, C_vals1, 1, 5, 3, 7);
                    f64x4 C_vals6 = __builtin_shufflevector(C_vals2, C_vals3, 0, 4, 2, 6);
                    f64x4 C_vals7 = __builtin_shufflevector(C_vals2, C_vals3, 1, 5, 3, 7);
                    f64x4 C_vals8 = __builtin_shufflevector(C_vals4, C_vals6, 0, 1, 4, 5);
                    f64x4 C_vals9 = __builtin_shufflevector(C_vals4, C_vals6, 2, 3, 6, 7);
                    f64x4 C_vals10 = __builtin_shufflevector(C_vals5, C_vals7, 0, 1, 4, 5);
                    f64x4 C_vals11 = __builtin_shufflevector(C_vals5, C_vals7, 2, 3, 6, 7);
                    *(f64x4 *)(A_vals + (int64_t)(base + ii_at) * B2_dimension
                        + j_at) = *(const f64x4 *)(B_vals + (int64_t)(base + ii_at) * B2_dimension
                        + j_at) + C_vals8;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ii_at + 1)) * B2_dimension
                        + j_at) = *(const f64x4 *)(B_vals + (int64_t)(base + (ii_at + 1))
                        * B2_dimension + j_at) + C_vals10;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ii_at + 2)) * B2_dimension
                        + j_at) = *(const f64x4 *)(B_vals + (int64_t)(base + (ii_at + 2))
                        * B2_dimension + j_at) + C_vals9;
                    *(f64x4 *)(A_vals + (int64_t)(base + (ii_at + 3)) * B2_dimension
                        + j_at) = *(const f64x4 *)(B_vals + (int64_t)(base + (ii_at + 3))
                        * B2_dimension + j_at) + C_vals11;
                }
            }
        } else {
            for (int32_t j = 0; j < B2_dimension; j++) {
                int64_t C_base = (int64_t)j * B1_dimension;
                if (base_2 >= 16) {
                    for (int32_t ii = 0; ii < 16; ii++) {
                        int32_t i = base + ii;
                        A_vals[(int64_t)i * B2_dimension + j] = B_vals[(int64_t)i * B2_dimension
                            + j] + C_vals[C_base + i];
                    }
                } else {
                    for (int32_t ii = 0; ii < base_2; ii++) {
                        int32_t i = base + ii;
                        A_vals[(int64_t)i * B2_dimension + j] = B_vals[(int64_t)i * B2_dimension
                            + j] + C_vals[C_base + i];
                    }
                }
            }
        }
    }
    return 0;
}
