/* S(i,j) = B(i,j) * C(i,k) * D(k,j); Y(i,k) = S(i,j) * E(j,k)
 *     S        f64   ds
 *     Y        f64   dd
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 *     E        f64   dd
 * schedule: reorder(i2, j2, k2); share(i, i2); share(j, j2)
 * made by spcc VERSION with
 *     spcc 'S(i,j) = B(i,j) * C(i,k) * D(k,j); Y(i,k) = S(i,j) * E(j,k)' -f 'B:csr' -f 'S:csr' -d k:16 -s 'reorder(i2, j2, k2); share(i, i2); share(j, j2)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k, which must be 16
 *   C_vals        C's values
 *   D_vals        D's values
 *   E_vals        E's values
 *   S2_pos_out    S, level 2 (compressed): where each segment begins and ends
 *   S2_crd_out    S, level 2 (compressed): coordinates
 *   S_vals_out    S's values
 *   Y_vals        Y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
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
#include "helpers/reallocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
             const double *restrict C_vals, const double *restrict D_vals,
             const double *restrict E_vals, int32_t **S2_pos_out, int32_t **S2_crd_out,
             double **S_vals_out, double *restrict Y_vals)
{
    (void)C2_dimension;
    int32_t *S2_pos = NULL, *S2_crd = NULL;
    double *S_vals = NULL;
    int status = 1;
    int32_t pS2 = 0;
    int32_t S2_capacity = 16;
    int32_t pB2_last = B2_pos[B1_dimension];
    S2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!S2_pos)
        goto fail;
    S2_pos[0] = 0;
    S2_crd = (int32_t *)allocate_array(S2_capacity, sizeof(int32_t));
    S_vals = (double *)allocate_array(S2_capacity, sizeof(double));
    if (!S2_crd || !S_vals)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int64_t C_base = (int64_t)i * 16;
        memset(Y_vals + C_base, 0, 16 * sizeof(double));
        int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 16 ? 16 : 0;
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t j = B2_crd[pB2];
            double B_val = B_vals[pB2];
            if (pS2 == S2_capacity) {
                if (S2_capacity == 2147483647) {
                    status = 2;
                    goto fail;
                }
                S2_capacity = S2_capacity > 1073741823 ? 2147483647 : 2 * S2_capacity;
                S2_crd = (int32_t *)reallocate_array(S2_crd, S2_capacity, sizeof(int32_t));
                S_vals = (double *)reallocate_array(S_vals, S2_capacity, sizeof(double));
                if (!S2_crd || !S_vals)
                    goto fail;
            }
            double t = 0.0;
            f64x4 t0 = {0};
            for (int32_t k = 0; k < 16; k += 4)
                t0 += *(const f64x4 *)(C_vals + C_base + k)
                    * (f64x4){D_vals[(int64_t)k * B2_dimension + j],
                    D_vals[(int64_t)(k + 1) * B2_dimension + j],
                    D_vals[(int64_t)(k + 2) * B2_dimension + j],
                    D_vals[(int64_t)(k + 3) * B2_dimension + j]};
            t += B_val * (t0[0] + t0[2] + (t0[1] + t0[3]));
            S_vals[pS2] = t;
            int64_t E_base = (int64_t)j * 16;
            for (int64_t line = 0; line < 16; line += 8) {
                __builtin_prefetch(E_vals + (int64_t)B2_crd[pB2 + pB2_ahead] * 16 + (int32_t)line);
            }
            for (int32_t k2 = 0; k2 < 16; k2 += 4)
                *(f64x4 *)(Y_vals + C_base + k2) += t * *(const f64x4 *)(E_vals + E_base + k2);
            S2_crd[pS2] = j;
            pS2++;
        }
        S2_pos[i + 1] = pS2;
    }
    *S2_pos_out = S2_pos;
    *S2_crd_out = S2_crd;
    *S_vals_out = S_vals;
    return 0;

fail:
    SPCC_FREE(S2_pos);
    SPCC_FREE(S2_crd);
    SPCC_FREE(S_vals);
    *S2_pos_out = NULL;
    *S2_crd_out = NULL;
    *S_vals_out = NULL;
    return status;
}
