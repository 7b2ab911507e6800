/* A(i,j,l) = B(i,j,k) * C(k,l)
 *     A        f64   dss
 *     B        f64   dss
 *     C        f64   ds:1,0
 * schedule: precompute(B(i,j,k), w, {k,k,kp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'A(i,j,l) = B(i,j,k) * C(k,l)' -f 'A:dss' -f 'B:dss' -f 'C:csc' -s 'precompute(B(i,j,k), w, {k,k,kp}, bytemap)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of l
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A3_pos_out    A, level 3 (compressed): where each segment begins and ends
 *   A3_crd_out    A, level 3 (compressed): coordinates
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
#include <stdbool.h>
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

#include "helpers/allocate_array.c"
#include "helpers/reallocate_array.c"
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const int32_t *restrict B3_pos, const int32_t *restrict B3_crd,
             const double *restrict B_vals, int32_t C2_dimension, const int32_t *restrict C2_pos,
             const int32_t *restrict C2_crd, const double *restrict C_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, int32_t **A3_pos_out, int32_t **A3_crd_out, double **A_vals_out)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL, *A3_pos = NULL, *A3_crd = NULL;
    double *A_vals = NULL;
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    double *w_vals = NULL;
    int status = 1;
    int32_t pA2 = 0;
    int32_t A2_capacity = 16;
    int32_t pA3 = 0;
    int32_t A3_capacity = 16;
    int32_t nw1 = 0;
    int32_t pC2_plain = 0;
    int32_t pC2_last = C2_pos[C2_dimension];
    A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A3_pos = (int32_t *)allocate_array((int64_t)A2_capacity + 1, sizeof(int32_t));
    if (!A2_crd || !A3_pos)
        goto fail;
    A3_pos[0] = 0;
    A3_crd = (int32_t *)allocate_array(A3_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A3_capacity, sizeof(double));
    if (!A3_crd || !A_vals)
        goto fail;
    w1_map = (bool *)allocate_array(B3_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(B3_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)B3_dimension * sizeof(bool));
    w_vals = (double *)allocate_array(B3_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)B3_dimension * sizeof(double));
    for (int32_t i = 0; i < B1_dimension; i++) {
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t j = B2_crd[pB2];
            if (pA2 == A2_capacity) {
                if (A2_capacity == 2147483647) {
                    status = 2;
                    goto fail;
                }
                A2_capacity = A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity;
                A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
                A3_pos = (int32_t *)reallocate_array(A3_pos, (int64_t)A2_capacity + 1,
                    sizeof(int32_t));
                if (!A2_crd || !A3_pos)
                    goto fail;
            }
            int32_t pA3_begin = pA3;
            nw1 = 0;
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                int32_t kp = B3_crd[pB3];
                if (!w1_map[kp]) {
                    w1_map[kp] = true;
                    w1_crd[nw1] = kp;
                    nw1++;
                }
                w_vals[kp] = B_vals[pB3];
            }
            for (int32_t l = 0; l < C2_dimension; l++) {
                if (pA3 == A3_capacity) {
                    if (A3_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    A3_capacity = A3_capacity > 1073741823 ? 2147483647 : 2 * A3_capacity;
                    A3_crd = (int32_t *)reallocate_array(A3_crd, A3_capacity, sizeof(int32_t));
                    A_vals = (double *)reallocate_array(A_vals, A3_capacity, sizeof(double));
                    if (!A3_crd || !A_vals)
                        goto fail;
                }
                bool A3_stored = false;
                double A_val = 0.0;
                int32_t pC2_from = C2_pos[l];
                int32_t pC2_end = C2_pos[l + 1];
                if (pC2_plain > 0) {
                    pC2_plain--;
                } else {
                    int32_t pC2_strips = min_i32(pC2_end, pC2_last - 7);
                    for (; pC2_from < pC2_strips; pC2_from += 8) {
                        if (((int32_t)w1_map[C2_crd[pC2_from]] | w1_map[C2_crd[pC2_from + 1]]
                            | w1_map[C2_crd[pC2_from + 2]] | w1_map[C2_crd[pC2_from + 3]]
                            | w1_map[C2_crd[pC2_from + 4]] | w1_map[C2_crd[pC2_from + 5]]
                            | w1_map[C2_crd[pC2_from + 6]] | w1_map[C2_crd[pC2_from + 7]]) != 0) {
                            pC2_plain = 4;
                            break;
                        }
                    }
                }
                for (int32_t pC2 = pC2_from; pC2 < pC2_end; pC2++) {
                    int32_t k = C2_crd[pC2];
                    if (w1_map[k]) {
                        A3_stored = true;
                        A_val += w_vals[k] * C_vals[pC2];
                    }
                }
                if (A3_stored) {
                    A_vals[pA3] = A_val;
                    A3_crd[pA3] = l;
                    pA3++;
                }
            }
            for (int32_t pw = 0; pw < nw1; pw++) {
                w1_map[w1_crd[pw]] = false;
                w_vals[w1_crd[pw]] = 0.0;
            }
            if (pA3_begin < pA3) {
                A2_crd[pA2] = j;
                A3_pos[pA2 + 1] = pA3;
                pA2++;
            }
        }
        A2_pos[i + 1] = pA2;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A3_pos_out = A3_pos;
    *A3_crd_out = A3_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A3_pos);
    SPCC_FREE(A3_crd);
    SPCC_FREE(A_vals);
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A3_pos_out = NULL;
    *A3_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
