/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   uq
 *     B        f64   uq
 *     C        f64   uq
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:coo' -f 'B:coo' -f 'C:coo'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B_vals        B's values
 *   C1_pos        C, level 1 (compressed): where each segment begins and ends
 *   C1_crd        C, level 1 (compressed): coordinates
 *   C2_crd        C, level 2 (singleton): coordinates
 *   C_vals        C's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
 *   A2_crd_out    A, level 2 (singleton): coordinates
 *   A_vals_out    A's values
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
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const int32_t *restrict B2_crd,
             const double *restrict B_vals, const int32_t *restrict C1_pos,
             const int32_t *restrict C1_crd, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B1_dimension;
    (void)B2_dimension;
    int32_t *A1_pos = NULL, *A1_crd = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int64_t pA2 = 0;
    int64_t A2_capacity;
    int32_t pB1, pB1_end, pC1, pC1_end;
    A1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!A1_pos)
        goto fail;
    A1_pos[0] = 0;
    A2_capacity = (int64_t)B1_pos[1] + C1_pos[1];
    A1_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A1_crd || !A2_crd || !A_vals)
        goto fail;
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    pC1 = C1_pos[0];
    pC1_end = C1_pos[1];
    while (pB1 < pB1_end && pC1 < pC1_end) {
        int32_t iB = B1_crd[pB1];
        int32_t iC = C1_crd[pC1];
        if (iB == iC) {
            int32_t pB1_next = pB1;
            while (pB1_next < pB1_end && B1_crd[pB1_next] == iB)
                pB1_next++;
            int32_t pC1_next = pC1;
            while (pC1_next < pC1_end && C1_crd[pC1_next] == iB)
                pC1_next++;
            int32_t pB2 = pB1;
            int32_t pB2_end = pB1_next;
            int32_t pC2 = pC1;
            int32_t pC2_end = pC1_next;
            while (pB2 < pB2_end && pC2 < pC2_end) {
                int32_t jB = B2_crd[pB2];
                int32_t jC = C2_crd[pC2];
                if (jB == jC) {
                    A_vals[pA2] = B_vals[pB2] + C_vals[pC2];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2] = jB;
                    pA2++;
                    pB2++;
                    pC2++;
                } else if (jB < jC) {
                    A_vals[pA2] = B_vals[pB2];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2] = jB;
                    pA2++;
                    pB2++;
                } else {
                    A_vals[pA2] = C_vals[pC2];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2] = jC;
                    pA2++;
                    pC2++;
                }
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t j = B2_crd[pB2];
                A_vals[pA2] = B_vals[pB2];
                A1_crd[pA2] = iB;
                A2_crd[pA2] = j;
                pA2++;
            }
            for (; pC2 < pC2_end; pC2++) {
                int32_t j = C2_crd[pC2];
                A_vals[pA2] = C_vals[pC2];
                A1_crd[pA2] = iB;
                A2_crd[pA2] = j;
                pA2++;
            }
            pB1 = pB1_next;
            pC1 = pC1_next;
        } else if (iB < iC) {
            int32_t pB2 = pB1;
            int32_t j = B2_crd[pB2];
            A_vals[pA2] = B_vals[pB2];
            A1_crd[pA2] = iB;
            A2_crd[pA2] = j;
            pA2++;
            pB1++;
        } else {
            int32_t pC2 = pC1;
            int32_t j = C2_crd[pC2];
            A_vals[pA2] = C_vals[pC2];
            A1_crd[pA2] = iC;
            A2_crd[pA2] = j;
            pA2++;
            pC1++;
        }
    }
    for (; pB1 < pB1_end; pB1++) {
        int32_t pB2 = pB1;
        int32_t i = B1_crd[pB2];
        int32_t j = B2_crd[pB2];
        A_vals[pA2] = B_vals[pB2];
        A1_crd[pA2] = i;
        A2_crd[pA2] = j;
        pA2++;
    }
    for (; pC1 < pC1_end; pC1++) {
        int32_t pC2 = pC1;
        int32_t i = C1_crd[pC2];
        int32_t j = C2_crd[pC2];
        A_vals[pA2] = C_vals[pC2];
        A1_crd[pA2] = i;
        A2_crd[pA2] = j;
        pA2++;
    }
    A1_pos[1] = (int32_t)pA2;
    if (pA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A1_pos);
    SPCC_FREE(A1_crd);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
