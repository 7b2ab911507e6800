/* A(i,k) = B(i,k) * C(i,j) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i,k,j); collapse(i,k,f); pos(f,p,B); split(p,p0,p1,down,1024)
 * made by spcc VERSION with
 *     spcc 'A(i,k) = B(i,k) * C(i,j) * D(j,k)' -f 'A:csr' -f 'B:csr' -s 'reorder(i,k,j); collapse(i,k,f); pos(f,p,B); split(p,p0,p1,down,1024)' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C_vals        C's values
 *   D_vals        D's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdint.h>
#include <stdlib.h>

#include "helpers/plain/min_i32.c"
#include "helpers/plain/find_first_i32.c"

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, int32_t C2_dimension,
             const double *C_vals, const double *D_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    int32_t *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t p_size = B2_pos[B1_dimension], p0_size = p_size / 1024 + (p_size % 1024 > 0);
    int32_t nA = C2_dimension > 0 ? B2_pos[B1_dimension] : 0;
    int32_t *A2_pos = (int32_t *)calloc((size_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos) goto done;
    if (C2_dimension > 0) {
        for (int64_t at = 0; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = B2_pos[at];
    } else {
        A2_pos[0] = 0;
        for (int64_t at = 1; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = 0;
    }
    A2_crd = (int32_t *)calloc((size_t)nA + 1, sizeof(int32_t));
    if (!A2_crd) goto done;
    for (int32_t at = 0; at < nA; at++)
        A2_crd[at] = B2_crd[at];
    A_vals = (double *)calloc((size_t)nA + 1, sizeof(double));
    if (!A_vals) goto done;
    if (C2_dimension > 0) {
        int32_t i = (int32_t)(evaluate_find_first_i32(B2_pos, 1, (int64_t)B1_dimension + 1, 1) - 1);
        for (int32_t p0 = 0; p0 < p0_size; p0++) {
            for (int32_t p1 = 0; p1 < evaluate_min_i32(1024, p_size - p0 * 1024); p1++) {
                int32_t p = p0 * 1024 + p1, k = B2_crd[p];
                while (B2_pos[i + 1] <= p)
                    i++;
                double B_val = B_vals[p], A_val = 0.0;
                for (int32_t j = 0; j < C2_dimension; j++)
                    A_val += B_val * C_vals[(int64_t)i * C2_dimension + j]
                        * D_vals[(int64_t)j * B2_dimension + k];
                A_vals[p] = A_val;
            }
        }
    }
    status = 0;
done:
    if (status != 0) { free(A2_pos); free(A2_crd); free(A_vals); }
    *A2_pos_out = status != 0 ? NULL : A2_pos; *A2_crd_out = status != 0 ? NULL : A2_crd;
    *A_vals_out = status != 0 ? NULL : A_vals;
    return status;
}
