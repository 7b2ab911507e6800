/* A(i,j) = B(i,j) * C(i,j)
 *     A        f64   ss
 *     B        f64   ss
 *     C        f64   ss
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,j)' -f 'A:dcsr' -f 'B:dcsr' -f 'C:dcsr'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C1_pos        C, level 1 (compressed): where each segment begins and ends
 *   C1_crd        C, level 1 (compressed): coordinates
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
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
#include "helpers/max_i32.c"
#include "helpers/min_i32.c"
#include "helpers/reallocate_array.c"
#include "helpers/find_first_i32.c"
#include "helpers/seek_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B1_pos,
             const int32_t *restrict B1_crd, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const int32_t *restrict C1_pos, const int32_t *restrict C1_crd,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             int32_t **A2_pos_out, int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B1_dimension;
    (void)B2_dimension;
    int32_t *A1_pos = NULL, *A1_crd = NULL, *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t pA1 = 0;
    int32_t A1_capacity = 16;
    int32_t pA2 = 0;
    int32_t A2_capacity = 16;
    int32_t pB1, pB1_end, pC1, pC1_end;
    A1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!A1_pos)
        goto fail;
    A1_pos[0] = 0;
    A1_crd = (int32_t *)allocate_array(A1_capacity, sizeof(int32_t));
    A2_pos = (int32_t *)allocate_array((int64_t)A1_capacity + 1, sizeof(int32_t));
    if (!A1_crd || !A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    pC1 = C1_pos[0];
    pC1_end = C1_pos[1];
    while (pB1 < pB1_end && pC1 < pC1_end) {
        int32_t pB1_stop = pB1_end;
        int32_t pC1_stop = pC1_end;
        if (__builtin_expect(max_i32(pB1_end - pB1, pC1_end - pC1) / 16
                             > min_i32(pB1_end - pB1, pC1_end - pC1), 0)) {
            pC1 = (int32_t)seek_i32(C1_crd, pC1, pC1_end, B1_crd[pB1]);
            if (pC1 < pC1_end)
                pB1 = (int32_t)seek_i32(B1_crd, pB1, pB1_end, C1_crd[pC1]);
            pB1_stop = pB1 + (pB1 < pB1_end);
            pC1_stop = pC1 + (pC1 < pC1_end);
        }
        while (pB1 < pB1_stop && pC1 < pC1_stop) {
            int32_t iB = B1_crd[pB1];
            int32_t iC = C1_crd[pC1];
            if (iB == iC) {
                if (pA1 == A1_capacity) {
                    if (A1_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    A1_capacity = A1_capacity > 1073741823 ? 2147483647 : 2 * A1_capacity;
                    A1_crd = (int32_t *)reallocate_array(A1_crd, A1_capacity, sizeof(int32_t));
                    A2_pos = (int32_t *)reallocate_array(A2_pos, (int64_t)A1_capacity + 1,
                        sizeof(int32_t));
                    if (!A1_crd || !A2_pos)
                        goto fail;
                }
                int32_t pA2_begin = pA2;
                int32_t pB2 = B2_pos[pB1];
                int32_t pB2_end = B2_pos[pB1 + 1];
                int32_t pC2 = C2_pos[pC1];
                int32_t pC2_end = C2_pos[pC1 + 1];
                while (pB2 < pB2_end && pC2 < pC2_end) {
                    int32_t pB2_stop = pB2_end;
                    int32_t pC2_stop = pC2_end;
                    if (__builtin_expect(max_i32(pB2_end - pB2, pC2_end - pC2) / 16
                                         > min_i32(pB2_end - pB2, pC2_end - pC2), 0)) {
                        pC2 = (int32_t)seek_i32(C2_crd, pC2, pC2_end, B2_crd[pB2]);
                        if (pC2 < pC2_end)
                            pB2 = (int32_t)seek_i32(B2_crd, pB2, pB2_end, C2_crd[pC2]);
                        pB2_stop = pB2 + (pB2 < pB2_end);
                        pC2_stop = pC2 + (pC2 < pC2_end);
                    }
                    while (pB2 < pB2_stop && pC2 < pC2_stop) {
                        int32_t jB = B2_crd[pB2];
                        int32_t jC = C2_crd[pC2];
                        if (jB == jC) {
                            if (pA2 == A2_capacity) {
                                if (A2_capacity == 2147483647) {
                                    status = 2;
                                    goto fail;
                                }
                                A2_capacity = A2_capacity > 1073741823 ? 2147483647 : 2
                                    * A2_capacity;
                                A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity,
                                    sizeof(int32_t));
                                A_vals = (double *)reallocate_array(A_vals, A2_capacity,
                                    sizeof(double));
                                if (!A2_crd || !A_vals)
                                    goto fail;
                            }
                            A_vals[pA2] = B_vals[pB2] * C_vals[pC2];
                            A2_crd[pA2] = jB;
                            pA2++;
                            pB2++;
                            pC2++;
                        } else if (jB < jC) {
                            pB2++;
                        } else {
                            pC2++;
                        }
                    }
                }
                if (pA2_begin < pA2) {
                    A1_crd[pA1] = iB;
                    A2_pos[pA1 + 1] = pA2;
                    pA1++;
                }
                pB1++;
                pC1++;
            } else if (iB < iC) {
                pB1++;
            } else {
                pC1++;
            }
        }
    }
    A1_pos[1] = pA1;
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A1_pos);
    SPCC_FREE(A1_crd);
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
