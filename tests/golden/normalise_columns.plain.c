/* C(i,j) = A(i,j) / sum(k, A(k,j))
 *     C        f64   ds
 *     A        f64   ds
 * schedule: precompute(t, w, {j,j,jp}, dense); reorder(k, jp)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) / sum(k, A(k,j))' -f 'A:csr' -f 'C:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C_vals_out    C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int32_t nC = A2_pos[A1_dimension];
    double *w_vals = (double *)calloc((size_t)A2_dimension + 1, sizeof(double));
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    if (!w_vals || !C2_pos) goto done;
    for (int64_t at = 0; at < (int64_t)A1_dimension + 1; at++)
        C2_pos[at] = A2_pos[at];
    C2_crd = (int32_t *)calloc((size_t)nC + 1, sizeof(int32_t));
    if (!C2_crd) goto done;
    for (int32_t at = 0; at < nC; at++)
        C2_crd[at] = A2_crd[at];
    C_vals = (double *)calloc((size_t)nC + 1, sizeof(double));
    if (!C_vals) goto done;
    memset(w_vals, 0, (size_t)A2_dimension * sizeof(double));
    for (int32_t k = 0; k < A1_dimension; k++) {
        for (int32_t pA2 = A2_pos[k]; pA2 < A2_pos[k + 1]; pA2++)
            w_vals[A2_crd[pA2]] += A_vals[pA2];
    }
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A1_dimension]; pA2++)
        C_vals[pA2] = A_vals[pA2] / w_vals[A2_crd[pA2]];
    status = 0;
done:
    free(w_vals);
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return status;
}
