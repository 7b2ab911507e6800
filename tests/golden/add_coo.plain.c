/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   uq
 *     B        f64   uq
 *     C        f64   uq
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:coo' -f 'B:coo' -f 'C:coo' --plain
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
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B1_pos,
             const int32_t *B1_crd, const int32_t *B2_crd, const double *B_vals,
             const int32_t *C1_pos, const int32_t *C1_crd, const int32_t *C2_crd,
             const double *C_vals, int32_t **A1_pos_out, int32_t **A1_crd_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B1_dimension; (void)B2_dimension;
    int status = 1;
    int32_t pB1, pB1_end, pC1, pC1_end;
    int64_t pA2 = 0, A2_capacity = (int64_t)B1_pos[1] + C1_pos[1];
    int32_t *A1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *A1_crd = (int32_t *)calloc((size_t)A2_capacity + 1, sizeof(int32_t));
    int32_t *A2_crd = (int32_t *)calloc((size_t)A2_capacity + 1, sizeof(int32_t));
    double *A_vals = (double *)calloc((size_t)A2_capacity + 1, sizeof(double));
    if (!A1_pos || !A1_crd || !A2_crd || !A_vals) goto done;
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    pC1 = C1_pos[0];
    pC1_end = C1_pos[1];
    while (pB1 < pB1_end && pC1 < pC1_end) {
        int32_t iB = B1_crd[pB1], iC = C1_crd[pC1];
        if (iB == iC) {
            int32_t pB1_next = pB1;
            while (pB1_next < pB1_end && B1_crd[pB1_next] == iB)
                pB1_next++;
            int32_t pC1_next = pC1;
            while (pC1_next < pC1_end && C1_crd[pC1_next] == iB)
                pC1_next++;
            int32_t pB2 = pB1, pB2_end = pB1_next, pC2 = pC1, pC2_end = pC1_next;
            while (pB2 < pB2_end && pC2 < pC2_end) {
                int32_t jB = B2_crd[pB2], jC = C2_crd[pC2];
                if (jB == jC) {
                    A_vals[pA2] = B_vals[pB2++] + C_vals[pC2++];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2++] = jB;
                } else if (jB < jC) {
                    A_vals[pA2] = B_vals[pB2++];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2++] = jB;
                } else {
                    A_vals[pA2] = C_vals[pC2++];
                    A1_crd[pA2] = iB;
                    A2_crd[pA2++] = jC;
                }
            }
            for (; pB2 < pB2_end; pB2++) {
                A_vals[pA2] = B_vals[pB2];
                A1_crd[pA2] = iB;
                A2_crd[pA2++] = B2_crd[pB2];
            }
            for (; pC2 < pC2_end; pC2++) {
                A_vals[pA2] = C_vals[pC2];
                A1_crd[pA2] = iB;
                A2_crd[pA2++] = C2_crd[pC2];
            }
            pB1 = pB1_next;
            pC1 = pC1_next;
        } else if (iB < iC) {
            int32_t pB2 = pB1;
            A_vals[pA2] = B_vals[pB2];
            A1_crd[pA2] = iB;
            A2_crd[pA2++] = B2_crd[pB2];
            pB1++;
        } else {
            int32_t pC2 = pC1;
            A_vals[pA2] = C_vals[pC2];
            A1_crd[pA2] = iC;
            A2_crd[pA2++] = C2_crd[pC2];
            pC1++;
        }
    }
    for (; pB1 < pB1_end; pB1++) {
        int32_t pB2 = pB1;
        A_vals[pA2] = B_vals[pB2];
        A1_crd[pA2] = B1_crd[pB2];
        A2_crd[pA2++] = B2_crd[pB2];
    }
    for (; pC1 < pC1_end; pC1++) {
        int32_t pC2 = pC1;
        A_vals[pA2] = C_vals[pC2];
        A1_crd[pA2] = C1_crd[pC2];
        A2_crd[pA2++] = C2_crd[pC2];
    }
    A1_pos[1] = (int32_t)pA2;
    status = pA2 > 2147483647 ? 2 : 0;
done:
    if (status != 0) { free(A1_pos); free(A1_crd); free(A2_crd); free(A_vals); }
    *A1_pos_out = status != 0 ? NULL : A1_pos; *A1_crd_out = status != 0 ? NULL : A1_crd;
    *A2_crd_out = status != 0 ? NULL : A2_crd; *A_vals_out = status != 0 ? NULL : A_vals;
    return status;
}
