/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --plain
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
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, const int32_t *C2_pos,
             const int32_t *C2_crd, const double *C_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B2_dimension;
    int status = 1;
    int64_t pA2 = 0, A2_capacity = (int64_t)B2_pos[B1_dimension] + C2_pos[B1_dimension];
    int32_t *A2_pos = (int32_t *)calloc((size_t)B1_dimension + 1, sizeof(int32_t));
    int32_t *A2_crd = (int32_t *)calloc((size_t)A2_capacity + 1, sizeof(int32_t));
    double *A_vals = (double *)calloc((size_t)A2_capacity + 1, sizeof(double));
    if (!A2_pos || !A2_crd || !A_vals) goto done;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pB2 = B2_pos[i], pB2_end = B2_pos[i + 1], pC2 = C2_pos[i], pC2_end = C2_pos[i + 1];
        while (pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jB = B2_crd[pB2], jC = C2_crd[pC2];
            if (jB == jC) {
                A_vals[pA2] = B_vals[pB2++] + C_vals[pC2++];
                A2_crd[pA2++] = jB;
            } else if (jB < jC) {
                A_vals[pA2] = B_vals[pB2++];
                A2_crd[pA2++] = jB;
            } else {
                A_vals[pA2] = C_vals[pC2++];
                A2_crd[pA2++] = jC;
            }
        }
        for (; pB2 < pB2_end; pB2++) {
            A_vals[pA2] = B_vals[pB2];
            A2_crd[pA2++] = B2_crd[pB2];
        }
        for (; pC2 < pC2_end; pC2++) {
            A_vals[pA2] = C_vals[pC2];
            A2_crd[pA2++] = C2_crd[pC2];
        }
        A2_pos[i + 1] = (int32_t)pA2;
    }
    status = pA2 > 2147483647 ? 2 : 0;
done:
    if (status != 0) { free(A2_pos); free(A2_crd); free(A_vals); }
    *A2_pos_out = status != 0 ? NULL : A2_pos; *A2_crd_out = status != 0 ? NULL : A2_crd;
    *A_vals_out = status != 0 ? NULL : A_vals;
    return status;
}
