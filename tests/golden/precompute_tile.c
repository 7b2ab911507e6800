/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(k,k0,k1,down,32); split(j,j0,j1,down,32); reorder(k0,j0,i,k1,j1); precompute(B(k,j),w,{k1,k1,kp},{j1,j1,jp},dense)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -s 'split(k,k0,k1,down,32); split(j,j0,j1,down,32); reorder(k0,j0,i,k1,j1); precompute(B(k,j),w,{k1,k1,kp},{j1,j1,jp},dense)'
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
 * Returns 0, or 1 where there is no memory.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/allocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *restrict A_vals,
             int32_t B2_dimension, const double *restrict B_vals, double *restrict C_vals)
{
    double *w_vals = NULL;
    int32_t k0_size = A2_dimension / 32 + (A2_dimension % 32 > 0);
    int32_t j0_size = B2_dimension / 32 + (B2_dimension % 32 > 0);
    w_vals = (double *)allocate_array(1024, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(C_vals, 0, (size_t)((int64_t)A1_dimension * B2_dimension) * sizeof(double));
    for (int32_t k0 = 0; k0 < k0_size; k0++) {
        int32_t base = k0 * 32;
        int32_t base_2 = A2_dimension - base;
        for (int32_t j0 = 0; j0 < j0_size; j0++) {
            int32_t base_3 = j0 * 32;
            int32_t base_4 = B2_dimension - base_3;
            for (int32_t kp = 0; kp < (32 < base_2 ? 32 : base_2); kp++) {
                int32_t k2 = base + kp;
                int64_t w_base = (int64_t)kp * 32;
                int64_t B_base = (int64_t)k2 * B2_dimension;
                for (int32_t jp = 0; jp < (32 < base_4 ? 32 : base_4); jp++) {
                    int32_t j2 = base_3 + jp;
                    w_vals[w_base + jp] = B_vals[B_base + j2];
                }
            }
            int32_t base_5 = B2_dimension - base_3;
            for (int32_t i = 0; i < A1_dimension; i++) {
                int64_t A_base = (int64_t)i * A2_dimension;
                int64_t C_base = (int64_t)i * B2_dimension;
                if (0 < (32 < base_2 ? 32 : base_2) && 32 <= base_5) {
                    f64x4 C_vals0 = {0};
                    f64x4 C_vals1 = {0};
                    f64x4 C_vals2 = {0};
                    f64x4 C_vals3 = {0};
                    f64x4 C_vals4 = {0};
                    f64x4 C_vals5 = {0};
                    f64x4 C_vals6 = {0};
                    f64x4 C_vals7 = {0};
                    for (int32_t k1 = 0; k1 < (32 < base_2 ? 32 : base_2); k1++) {
                        int32_t k = base + k1;
                        double A_val = A_vals[A_base + k];
                        int64_t w_base_2 = (int64_t)k1 * 32;
                        C_vals0 += A_val * *(f64x4 *)(w_vals + w_base_2);
                        C_vals1 += A_val * *(f64x4 *)(w_vals + w_base_2 + 4);
                        C_vals2 += A_val * *(f64x4 *)(w_vals + w_base_2 + 8);
                        C_vals3 += A_val * *(f64x4 *)(w_vals + w_base_2 + 12);
                        C_vals4 += A_val * *(f64x4 *)(w_vals + w_base_2 + 16);
                        C_vals5 += A_val * *(f64x4 *)(w_vals + w_base_2 + 20);
                        C_vals6 += A_val * *(f64x4 *)(w_vals + w_base_2 + 24);
                        C_vals7 += A_val * *(f64x4 *)(w_vals + w_base_2 + 28);
                    }
                    *(f64x4 *)(C_vals + C_base + base_3) += C_vals0;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 4)) += C_vals1;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 8)) += C_vals2;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 12)) += C_vals3;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 16)) += C_vals4;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 20)) += C_vals5;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 24)) += C_vals6;
                    *(f64x4 *)(C_vals + C_base + (base_3 + 28)) += C_vals7;
                } else {
                    for (int32_t k1 = 0; k1 < (32 < base_2 ? 32 : base_2); k1++) {
                        int32_t k = base + k1;
                        double A_val = A_vals[A_base + k];
                        int64_t w_base_2 = (int64_t)k1 * 32;
                        for (int32_t j1 = 0; j1 < (32 < base_5 ? 32 : base_5); j1++) {
                            int32_t j = base_3 + j1;
                            C_vals[C_base + j] += A_val * w_vals[w_base_2 + j1];
                        }
                    }
                }
            }
        }
    }
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w_vals);
    return 1;
}
