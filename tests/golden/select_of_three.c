/* Y(i,j) = 2 * A(i,j) - max(B(i,j), C(i,j))
 *     Y        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * made by spcc VERSION with
 *     spcc 'Y(i,j) = 2 * A(i,j) - max(B(i,j), C(i,j))' -f 'Y:csr' -f 'A:csr' -f 'B:csr' -f 'C:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   Y2_pos_out    Y, level 2 (compressed): where each segment begins and ends
 *   Y2_crd_out    Y, level 2 (compressed): coordinates
 *   Y_vals_out    Y's values
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
#include "helpers/max_f64.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, const int32_t *restrict C2_pos,
             const int32_t *restrict C2_crd, const double *restrict C_vals, int32_t **Y2_pos_out,
             int32_t **Y2_crd_out, double **Y_vals_out)
{
    (void)A2_dimension;
    int32_t *Y2_pos = NULL, *Y2_crd = NULL;
    double *Y_vals = NULL;
    int status = 1;
    int64_t pY2 = 0;
    int64_t Y2_capacity;
    Y2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!Y2_pos)
        goto fail;
    Y2_pos[0] = 0;
    Y2_capacity = (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension] + C2_pos[A1_dimension];
    Y2_crd = (int32_t *)allocate_array(Y2_capacity, sizeof(int32_t));
    Y_vals = (double *)allocate_array(Y2_capacity, sizeof(double));
    if (!Y2_crd || !Y_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pC2 = C2_pos[i];
        int32_t pC2_end = C2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jB = B2_crd[pB2];
            int32_t jC = C2_crd[pC2];
            int32_t j = min_i32(jA < jB ? jA : jB, jC);
            double A_val = A_vals[pA2];
            double B_val = B_vals[pB2];
            double C_val = C_vals[pC2];
            Y_vals[pY2] = 2.0 * (jA == j ? A_val : 0.0)
                - max_f64(jB == j ? B_val : 0.0, jC == j ? C_val : 0.0);
            Y2_crd[pY2] = j;
            pY2++;
            pA2 += jA == j;
            pB2 += jB == j;
            pC2 += jC == j;
        }
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jB = B2_crd[pB2];
            if (jA == jB) {
                Y_vals[pY2] = 2.0 * A_vals[pA2] - max_f64(B_vals[pB2], 0.0);
                Y2_crd[pY2] = jA;
                pY2++;
                pA2++;
                pB2++;
            } else if (jA < jB) {
                Y_vals[pY2] = 2.0 * A_vals[pA2];
                Y2_crd[pY2] = jA;
                pY2++;
                pA2++;
            } else {
                Y_vals[pY2] = 0.0 - max_f64(B_vals[pB2], 0.0);
                Y2_crd[pY2] = jB;
                pY2++;
                pB2++;
            }
        }
        while (pA2 < pA2_end && pC2 < pC2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jC = C2_crd[pC2];
            if (jA == jC) {
                Y_vals[pY2] = 2.0 * A_vals[pA2] - max_f64(0.0, C_vals[pC2]);
                Y2_crd[pY2] = jA;
                pY2++;
                pA2++;
                pC2++;
            } else if (jA < jC) {
                Y_vals[pY2] = 2.0 * A_vals[pA2];
                Y2_crd[pY2] = jA;
                pY2++;
                pA2++;
            } else {
                Y_vals[pY2] = 0.0 - max_f64(0.0, C_vals[pC2]);
                Y2_crd[pY2] = jC;
                pY2++;
                pC2++;
            }
        }
        while (pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jB = B2_crd[pB2];
            int32_t jC = C2_crd[pC2];
            if (jB == jC) {
                Y_vals[pY2] = 0.0 - max_f64(B_vals[pB2], C_vals[pC2]);
                Y2_crd[pY2] = jB;
                pY2++;
                pB2++;
                pC2++;
            } else if (jB < jC) {
                Y_vals[pY2] = 0.0 - max_f64(B_vals[pB2], 0.0);
                Y2_crd[pY2] = jB;
                pY2++;
                pB2++;
            } else {
                Y_vals[pY2] = 0.0 - max_f64(0.0, C_vals[pC2]);
                Y2_crd[pY2] = jC;
                pY2++;
                pC2++;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            Y_vals[pY2] = 2.0 * A_vals[pA2];
            Y2_crd[pY2] = j;
            pY2++;
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2];
            Y_vals[pY2] = 0.0 - max_f64(B_vals[pB2], 0.0);
            Y2_crd[pY2] = j;
            pY2++;
        }
        for (; pC2 < pC2_end; pC2++) {
            int32_t j = C2_crd[pC2];
            Y_vals[pY2] = 0.0 - max_f64(0.0, C_vals[pC2]);
            Y2_crd[pY2] = j;
            pY2++;
        }
        Y2_pos[i + 1] = (int32_t)pY2;
    }
    if (pY2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *Y2_pos_out = Y2_pos;
    *Y2_crd_out = Y2_crd;
    *Y_vals_out = Y_vals;
    return 0;

fail:
    SPCC_FREE(Y2_pos);
    SPCC_FREE(Y2_crd);
    SPCC_FREE(Y_vals);
    *Y2_pos_out = NULL;
    *Y2_crd_out = NULL;
    *Y_vals_out = NULL;
    return status;
}
