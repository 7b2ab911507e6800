/* C(i,j) = keep(A(i,j), abs(A(i,j)) > 0.5)
 *     C        f64   ds
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'C(i,j) = keep(A(i,j), abs(A(i,j)) > 0.5)' -f 'C:csr' -f 'A:csr' --plain
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
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int status = 1;
    int64_t pC2 = 0, C2_capacity = 16;
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals) goto done;
    for (int32_t i = 0; i < A1_dimension; i++) {
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            if (pC2 == C2_capacity) {
                C2_capacity *= 2;
                void *longer_C2_crd = realloc(C2_crd, (size_t)C2_capacity * sizeof(int32_t));
                void *longer_C_vals = realloc(C_vals, (size_t)C2_capacity * sizeof(double));
                C2_crd = longer_C2_crd ? (int32_t *)longer_C2_crd : C2_crd;
                C_vals = longer_C_vals ? (double *)longer_C_vals : C_vals;
                if (!longer_C2_crd || !longer_C_vals) goto done;
            }
            double t = 0.0;
            if (fabs(A_val) > 0.5) {
                t = A_val;
                C_vals[pC2] = t;
                C2_crd[pC2++] = j;
            }
        }
        C2_pos[i + 1] = (int32_t)pC2;
    }
    status = pC2 > 2147483647 ? 2 : 0;
done:
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return status;
}
