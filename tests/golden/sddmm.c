/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(j,k)' -f 'A:csr' -f 'B:csr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k
 *   C_vals        C's values
 *   D_vals        D's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stddef.h>
#include <stdint.h>

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
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
             const double *restrict C_vals, const double *restrict D_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t pB2_last = B2_pos[B1_dimension];
    int32_t nA = C2_dimension > 0 ? B2_pos[B1_dimension] : 0;
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    if (C2_dimension > 0) {
        for (int64_t at = 0; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = B2_pos[at];
    } else {
        A2_pos[0] = 0;
        for (int64_t at = 1; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = 0;
    }
    A2_crd = (int32_t *)allocate_array(nA, sizeof(int32_t));
    if (!A2_crd)
        goto fail;
    for (int32_t at = 0; at < nA; at++)
        A2_crd[at] = B2_crd[at];
    A_vals = (double *)allocate_array(nA, sizeof(double));
    if (!A_vals)
        goto fail;
    if (C2_dimension > 0) {
        for (int32_t i = 0; i < B1_dimension; i++) {
            int64_t C_base = (int64_t)i * C2_dimension;
            int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 16 ? 16 : 0;
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int32_t j = B2_crd[pB2];
                double B_val = B_vals[pB2];
                double A_val = 0.0;
                int64_t D_base = (int64_t)j * C2_dimension;
                int32_t k = 0;
                if (k < C2_dimension - 3) {
                    f64x4 A_val0 = {0};
                    if (k < C2_dimension - 15) {
                        f64x4 A_val1 = {0};
                        f64x4 A_val2 = {0};
                        f64x4 A_val3 = {0};
                        for (; k < C2_dimension - 15; k += 16) {
                            A_val0 += *(const f64x4 *)(C_vals + C_base + k)
                                * *(const f64x4 *)(D_vals + D_base + k);
                            A_val1 += *(const f64x4 *)(C_vals + C_base + k + 4)
                                * *(const f64x4 *)(D_vals + D_base + k + 4);
                            A_val2 += *(const f64x4 *)(C_vals + C_base + k + 8)
                                * *(const f64x4 *)(D_vals + D_base + k + 8);
                            A_val3 += *(const f64x4 *)(C_vals + C_base + k + 12)
                                * *(const f64x4 *)(D_vals + D_base + k + 12);
                            int64_t D_vals_next = (int64_t)B2_crd[pB2 + pB2_ahead] * C2_dimension
                                + k;
                            __builtin_prefetch(D_vals + D_vals_next);
                            __builtin_prefetch(D_vals + D_vals_next + 8);
                        }
                        A_val0 += A_val2;
                        A_val1 += A_val3;
                        A_val0 += A_val1;
                    }
                    for (; k < C2_dimension - 3; k += 4) {
                        A_val0 += *(const f64x4 *)(C_vals + C_base + k)
                            * *(const f64x4 *)(D_vals + D_base + k);
                        int64_t D_vals_next0 = (int64_t)B2_crd[pB2 + pB2_ahead] * C2_dimension + k;
                        __builtin_prefetch(D_vals + D_vals_next0);
                    }
                    A_val += B_val * (A_val0[0] + A_val0[2] + (A_val0[1] + A_val0[3]));
                }
                #pragma GCC unroll 1
                for (; k < C2_dimension; k++)
                    A_val += B_val * C_vals[C_base + k] * D_vals[D_base + k];
                A_vals[pB2] = A_val;
            }
        }
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return 1;
}
