/* C(i,j) = A(i,k) * B(j,k)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(j,k)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A_vals        A's values
 *   B1_dimension  size of mode 1 of B: the range of j
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
             int32_t B1_dimension, const double *restrict B_vals, double *restrict C_vals)
{
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t A_base = (int64_t)i * A2_dimension;
        int64_t C_base = (int64_t)i * B1_dimension;
        int32_t j = 0;
        for (; j < B1_dimension - 3; j += 4) {
            double C_val = 0.0;
            double C_val_2 = 0.0;
            double C_val_3 = 0.0;
            double C_val_4 = 0.0;
            int64_t B_base = (int64_t)j * A2_dimension;
            int64_t B_base_2 = (int64_t)(j + 1) * A2_dimension;
            int64_t B_base_3 = (int64_t)(j + 2) * A2_dimension;
            int64_t B_base_4 = (int64_t)(j + 3) * A2_dimension;
            int32_t k = 0;
            if (k < A2_dimension - 3) {
                f64x4 C_val00 = {0};
                f64x4 C_val10 = {0};
                f64x4 C_val20 = {0};
                f64x4 C_val30 = {0};
                for (; k < A2_dimension - 3; k += 4) {
                    C_val00 += *(const f64x4 *)(A_vals + A_base + k)
                        * *(const f64x4 *)(B_vals + B_base + k);
                    C_val10 += *(const f64x4 *)(A_vals + A_base + k)
                        * *(const f64x4 *)(B_vals + B_base_2 + k);
                    C_val20 += *(const f64x4 *)(A_vals + A_base + k)
                        * *(const f64x4 *)(B_vals + B_base_3 + k);
                    C_val30 += *(const f64x4 *)(A_vals + A_base + k)
                        * *(const f64x4 *)(B_vals + B_base_4 + k);
                }
                C_val += C_val00[0] + C_val00[2] + (C_val00[1] + C_val00[3]);
                C_val_2 += C_val10[0] + C_val10[2] + (C_val10[1] + C_val10[3]);
                C_val_3 += C_val20[0] + C_val20[2] + (C_val20[1] + C_val20[3]);
                C_val_4 += C_val30[0] + C_val30[2] + (C_val30[1] + C_val30[3]);
            }
            #pragma GCC unroll 1
            for (; k < A2_dimension; k++) {
                C_val += A_vals[A_base + k] * B_vals[B_base + k];
                C_val_2 += A_vals[A_base + k] * B_vals[B_base_2 + k];
                C_val_3 += A_vals[A_base + k] * B_vals[B_base_3 + k];
                C_val_4 += A_vals[A_base + k] * B_vals[B_base_4 + k];
            }
            C_vals[C_base + j] = C_val;
            C_vals[C_base + (j + 1)] = C_val_2;
            C_vals[C_base + (j + 2)] = C_val_3;
            C_vals[C_base + (j + 3)] = C_val_4;
        }
        for (; j < B1_dimension; j++) {
            double C_val = 0.0;
            int64_t B_base = (int64_t)j * A2_dimension;
            int32_t k = 0;
            if (k < A2_dimension - 3) {
                f64x4 C_val4 = {0};
                for (; k < A2_dimension - 3; k += 4)
                    C_val4 += *(const f64x4 *)(A_vals + A_base + k)
                        * *(const f64x4 *)(B_vals + B_base + k);
                C_val += C_val4[0] + C_val4[2] + (C_val4[1] + C_val4[3]);
            }
            #pragma GCC unroll 1
            for (; k < A2_dimension; k++)
                C_val += A_vals[A_base + k] * B_vals[B_base + k];
            C_vals[C_base + j] = C_val;
        }
    }
    return 0;
}
