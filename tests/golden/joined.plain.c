/* y(i) = A(i,j) * x(j); C(i,j) = A(i,j) + B(i,j)
 *     y        f64   d
 *     C        f64   ds
 *     A        f64   ds
 *     x        f64   d
 *     B        f64   ds
 * schedule: share(i, i2); share(j, j2)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j); C(i,j) = A(i,j) + B(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --name=compute_y_C --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   y_vals        y's values
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
#include <stdint.h>
#include <stdlib.h>

int compute_y_C(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
                const int32_t *A2_crd, const double *A_vals, const double *x_vals,
                const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals, double *y_vals,
                int32_t **C2_pos_out, int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity = (int32_t)((int64_t)A2_pos[A1_dimension]
        + B2_pos[A1_dimension] < 2147483647 ? (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension]
        : 2147483647);
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals) goto done;
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        int32_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i], pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
            if (pC2 == C2_capacity) { status = 2; goto done; }
            if (jA == jB) {
                double A_val = A_vals[pA2];
                y_val += A_val * x_vals[jA];
                C_vals[pC2] = A_val + B_vals[pB2++];
                C2_crd[pC2++] = jA;
                pA2++;
            } else if (jA < jB) {
                double A_val = A_vals[pA2];
                y_val += A_val * x_vals[jA];
                C_vals[pC2] = A_val;
                C2_crd[pC2++] = jA;
                pA2++;
            } else {
                C_vals[pC2] = B_vals[pB2++];
                C2_crd[pC2++] = jB;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            if (pC2 == C2_capacity) { status = 2; goto done; }
            y_val += A_val * x_vals[j];
            C_vals[pC2] = A_val;
            C2_crd[pC2++] = j;
        }
        for (; pB2 < pB2_end; pB2++) {
            if (pC2 == C2_capacity) { status = 2; goto done; }
            C_vals[pC2] = B_vals[pB2];
            C2_crd[pC2++] = B2_crd[pB2];
        }
        y_vals[i] = y_val;
        C2_pos[i + 1] = pC2;
    }
    status = 0;
done:
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return status;
}
