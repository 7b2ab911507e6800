/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: reorder(i, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --kernel=compute
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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
int compute(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
            const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
            const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
            const double *restrict C_vals, const int32_t *restrict A2_pos,
            const int32_t *restrict A2_crd, double *restrict A_vals)
{
    (void)B2_dimension;
    double *w_vals = NULL;
    int32_t pB2_last = B2_pos[B1_dimension];
    w_vals = (double *)allocate_array(C2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)C2_dimension * sizeof(double));
    for (int32_t i = 0; i < B1_dimension; i++) {
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j2 = A2_crd[pA2];
            w_vals[j2] = 0.0;
        }
        int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 16 ? 16 : 0;
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            int32_t pC2_next = C2_pos[B2_crd[pB2 + pB2_ahead]];
            __builtin_prefetch(C2_crd + pC2_next);
            __builtin_prefetch(C_vals + pC2_next);
            int32_t pC2 = C2_pos[k];
            int32_t pC2_end = C2_pos[k + 1];
            for (; pC2 < pC2_end - 3; pC2 += 4) {
                int32_t to = C2_crd[pC2];
                int32_t to0 = C2_crd[pC2 + 1];
                int32_t to1 = C2_crd[pC2 + 2];
                int32_t to2 = C2_crd[pC2 + 3];
                f64x4 here = (f64x4){w_vals[to], w_vals[to0], w_vals[to1], w_vals[to2]};
                here += B_val * *(const f64x4 *)(C_vals + pC2);
                w_vals[to] = here[0];
                w_vals[to0] = here[1];
                w_vals[to1] = here[2];
                w_vals[to2] = here[3];
            }
            #pragma GCC unroll 1
            for (; pC2 < pC2_end; pC2++) {
                int32_t jp = C2_crd[pC2];
                w_vals[jp] += B_val * C_vals[pC2];
            }
        }
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            A_vals[pA2] = w_vals[j];
        }
    }
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w_vals);
    return 1;
}
