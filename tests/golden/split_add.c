/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: split(i,i0,i1,down,32); split(j,j0,j1,down,64)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'split(i,i0,i1,down,32); split(j,j0,j1,down,64)'
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
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int64_t pA2 = 0;
    int64_t A2_capacity;
    int32_t i0_size = B1_dimension / 32 + (B1_dimension % 32 > 0);
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int64_t)B2_pos[B1_dimension] + C2_pos[B1_dimension];
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i0 = 0; i0 < i0_size; i0++) {
        int32_t base = i0 * 32;
        for (int32_t i1 = 0; i1 < min_i32(32, B1_dimension - i0 * 32); i1++) {
            int32_t i = base + i1;
            int32_t pB2 = B2_pos[i];
            int32_t pB2_end = B2_pos[i + 1];
            int32_t pC2 = C2_pos[i];
            int32_t pC2_end = C2_pos[i + 1];
            while (pB2 < pB2_end && pC2 < pC2_end) {
                int32_t j0B = B2_crd[pB2] / 64;
                int32_t j0C = C2_crd[pC2] / 64;
                if (j0B == j0C) {
                    int32_t pB2_next = pB2;
                    while (pB2_next < pB2_end && B2_crd[pB2_next] / 64 == j0B)
                        pB2_next++;
                    int32_t pC2_next = pC2;
                    while (pC2_next < pC2_end && C2_crd[pC2_next] / 64 == j0B)
                        pC2_next++;
                    int32_t pB2_2 = pB2;
                    int32_t pB2_end_2 = pB2_next;
                    int32_t pC2_2 = pC2;
                    int32_t pC2_end_2 = pC2_next;
                    int32_t base_2 = j0B * 64;
                    while (pB2_2 < pB2_end_2 && pC2_2 < pC2_end_2) {
                        int32_t j1B = B2_crd[pB2_2] - base_2;
                        int32_t j1C = C2_crd[pC2_2] - base_2;
                        if (j1B == j1C) {
                            int32_t j = base_2 + j1B;
                            A_vals[pA2] = B_vals[pB2_2] + C_vals[pC2_2];
                            A2_crd[pA2] = j;
                            pA2++;
                            pB2_2++;
                            pC2_2++;
                        } else if (j1B < j1C) {
                            int32_t j = base_2 + j1B;
                            A_vals[pA2] = B_vals[pB2_2];
                            A2_crd[pA2] = j;
                            pA2++;
                            pB2_2++;
                        } else {
                            int32_t j = base_2 + j1C;
                            A_vals[pA2] = C_vals[pC2_2];
                            A2_crd[pA2] = j;
                            pA2++;
                            pC2_2++;
                        }
                    }
                    #pragma GCC unroll 1
                    for (; pB2_2 < pB2_end_2; pB2_2++) {
                        int32_t j = B2_crd[pB2_2];
                        A_vals[pA2] = B_vals[pB2_2];
                        A2_crd[pA2] = j;
                        pA2++;
                    }
                    #pragma GCC unroll 1
                    for (; pC2_2 < pC2_end_2; pC2_2++) {
                        int32_t j = C2_crd[pC2_2];
                        A_vals[pA2] = C_vals[pC2_2];
                        A2_crd[pA2] = j;
                        pA2++;
                    }
                    pB2 = pB2_next;
                    pC2 = pC2_next;
                } else if (j0B < j0C) {
                    int32_t pB2_2 = pB2;
                    int32_t j = B2_crd[pB2_2];
                    A_vals[pA2] = B_vals[pB2_2];
                    A2_crd[pA2] = j;
                    pA2++;
                    pB2++;
                } else {
                    int32_t pC2_2 = pC2;
                    int32_t j = C2_crd[pC2_2];
                    A_vals[pA2] = C_vals[pC2_2];
                    A2_crd[pA2] = j;
                    pA2++;
                    pC2++;
                }
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t pB2_2 = pB2;
                int32_t j = B2_crd[pB2_2];
                A_vals[pA2] = B_vals[pB2_2];
                A2_crd[pA2] = j;
                pA2++;
            }
            for (; pC2 < pC2_end; pC2++) {
                int32_t pC2_2 = pC2;
                int32_t j = C2_crd[pC2_2];
                A_vals[pA2] = C_vals[pC2_2];
                A2_crd[pA2] = j;
                pA2++;
            }
            A2_pos[i + 1] = (int32_t)pA2;
        }
    }
    if (pA2 > 2147483647) {
        status = 2;
        goto fail;
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
    return status;
}
