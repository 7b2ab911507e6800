/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --kernel=assemble
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
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

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/allocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int assemble(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out)
{
    (void)B2_dimension;
    (void)B_vals;
    (void)C_vals;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    int status = 1;
    int64_t pA2 = 0;
    int64_t A2_capacity;
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int64_t)B2_pos[B1_dimension] + C2_pos[B1_dimension];
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    if (!A2_crd)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pC2 = C2_pos[i];
        int32_t pC2_end = C2_pos[i + 1];
        while (pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jB = B2_crd[pB2];
            int32_t jC = C2_crd[pC2];
            if (jB == jC) {
                A2_crd[pA2] = jB;
                pA2++;
                pB2++;
                pC2++;
            } else if (jB < jC) {
                A2_crd[pA2] = jB;
                pA2++;
                pB2++;
            } else {
                A2_crd[pA2] = jC;
                pA2++;
                pC2++;
            }
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2];
            A2_crd[pA2] = j;
            pA2++;
        }
        for (; pC2 < pC2_end; pC2++) {
            int32_t j = C2_crd[pC2];
            A2_crd[pA2] = j;
            pA2++;
        }
        A2_pos[i + 1] = (int32_t)pA2;
    }
    if (pA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    return status;
}
