/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: reorder(i, k, j)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   C_vals        C's values
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *restrict A_vals,
             int32_t B2_dimension, const double *restrict B_vals, double *restrict C_vals)
{
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t C_base = (int64_t)i * B2_dimension;
        int64_t A_base = (int64_t)i * A2_dimension;
        int32_t j0 = 0;
        for (; j0 < B2_dimension - 31; j0 += 32) {
            f64x4 C_vals0 = {0};
            f64x4 C_vals1 = {0};
            f64x4 C_vals2 = {0};
            f64x4 C_vals3 = {0};
            f64x4 C_vals4 = {0};
            f64x4 C_vals5 = {0};
            f64x4 C_vals6 = {0};
            f64x4 C_vals7 = {0};
            for (int32_t k = 0; k < A2_dimension; k++) {
                double A_val = A_vals[A_base + k];
                int64_t B_base = (int64_t)k * B2_dimension;
                C_vals0 += A_val * *(const f64x4 *)(B_vals + B_base + j0);
                C_vals1 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 4);
                C_vals2 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 8);
                C_vals3 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 12);
                C_vals4 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 16);
                C_vals5 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 20);
                C_vals6 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 24);
                C_vals7 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 28);
            }
            *(f64x4 *)(C_vals + C_base + j0) = C_vals0;
            *(f64x4 *)(C_vals + C_base + j0 + 4) = C_vals1;
            *(f64x4 *)(C_vals + C_base + j0 + 8) = C_vals2;
            *(f64x4 *)(C_vals + C_base + j0 + 12) = C_vals3;
            *(f64x4 *)(C_vals + C_base + j0 + 16) = C_vals4;
            *(f64x4 *)(C_vals + C_base + j0 + 20) = C_vals5;
            *(f64x4 *)(C_vals + C_base + j0 + 24) = C_vals6;
            *(f64x4 *)(C_vals + C_base + j0 + 28) = C_vals7;
        }
        if (j0 < B2_dimension - 15) {
            f64x4 C_vals8 = {0};
            f64x4 C_vals9 = {0};
            f64x4 C_vals10 = {0};
            f64x4 C_vals11 = {0};
            for (int32_t k = 0; k < A2_dimension; k++) {
                double A_val = A_vals[A_base + k];
                int64_t B_base = (int64_t)k * B2_dimension;
                C_vals8 += A_val * *(const f64x4 *)(B_vals + B_base + j0);
                C_vals9 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 4);
                C_vals10 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 8);
                C_vals11 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 12);
            }
            *(f64x4 *)(C_vals + C_base + j0) = C_vals8;
            *(f64x4 *)(C_vals + C_base + j0 + 4) = C_vals9;
            *(f64x4 *)(C_vals + C_base + j0 + 8) = C_vals10;
            *(f64x4 *)(C_vals + C_base + j0 + 12) = C_vals11;
            j0 += 16;
        }
        if (j0 < B2_dimension - 7) {
            f64x4 C_vals12 = {0};
            f64x4 C_vals13 = {0};
            for (int32_t k = 0; k < A2_dimension; k++) {
                double A_val = A_vals[A_base + k];
                int64_t B_base = (int64_t)k * B2_dimension;
                C_vals12 += A_val * *(const f64x4 *)(B_vals + B_base + j0);
                C_vals13 += A_val * *(const f64x4 *)(B_vals + B_base + j0 + 4);
            }
            *(f64x4 *)(C_vals + C_base + j0) = C_vals12;
            *(f64x4 *)(C_vals + C_base + j0 + 4) = C_vals13;
            j0 += 8;
        }
        if (j0 < B2_dimension - 3) {
            f64x4 C_vals14 = {0};
            for (int32_t k = 0; k < A2_dimension; k++) {
                double A_val = A_vals[A_base + k];
                int64_t B_base = (int64_t)k * B2_dimension;
                C_vals14 += A_val * *(const f64x4 *)(B_vals + B_base + j0);
            }
            *(f64x4 *)(C_vals + C_base + j0) = C_vals14;
            j0 += 4;
        }
        if (j0 < B2_dimension) {
            for (int32_t j = j0; j < B2_dimension; j++)
                C_vals[C_base + j] = 0.0;
            for (int32_t k = 0; k < A2_dimension; k++) {
                double A_val = A_vals[A_base + k];
                int64_t B_base = (int64_t)k * B2_dimension;
                for (int32_t j = j0; j < B2_dimension; j++)
                    C_vals[C_base + j] += A_val * B_vals[B_base + j];
            }
        }
    }
    return 0;
}
