/* B(i,j) = sqrt(A(i,j))
 *     B        f64   ds
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'B(i,j) = sqrt(A(i,j))' -f 'A:csr' -f 'B:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos_out    B, level 2 (compressed): where each segment begins and ends
 *   B2_crd_out    B, level 2 (compressed): coordinates
 *   B_vals_out    B's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 *
 * Link with -lm.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t **B2_pos_out,
             int32_t **B2_crd_out, double **B_vals_out)
{
    (void)A2_dimension;
    int32_t *B2_crd = NULL;
    double *B_vals = NULL;
    int status = 1;
    int32_t nB = A2_pos[A1_dimension];
    int32_t *B2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    if (!B2_pos) goto done;
    for (int64_t at = 0; at < (int64_t)A1_dimension + 1; at++)
        B2_pos[at] = A2_pos[at];
    B2_crd = (int32_t *)calloc((size_t)nB + 1, sizeof(int32_t));
    if (!B2_crd) goto done;
    for (int32_t at = 0; at < nB; at++)
        B2_crd[at] = A2_crd[at];
    B_vals = (double *)calloc((size_t)nB + 1, sizeof(double));
    if (!B_vals) goto done;
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A1_dimension]; pA2++)
        B_vals[pA2] = sqrt(A_vals[pA2]);
    status = 0;
done:
    if (status != 0) { free(B2_pos); free(B2_crd); free(B_vals); }
    *B2_pos_out = status != 0 ? NULL : B2_pos; *B2_crd_out = status != 0 ? NULL : B2_crd;
    *B_vals_out = status != 0 ? NULL : B_vals;
    return status;
}
