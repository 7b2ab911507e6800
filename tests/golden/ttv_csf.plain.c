/* Y(i,j) = A(i,j,k) * x(k)
 *     Y        f64   ss
 *     A        f64   sss
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'Y(i,j) = A(i,j,k) * x(k)' -f 'A:csf' -f 'Y:dcsr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   Y1_pos_out    Y, level 1 (compressed): where each segment begins and ends
 *   Y1_crd_out    Y, level 1 (compressed): coordinates
 *   Y2_pos_out    Y, level 2 (compressed): where each segment begins and ends
 *   Y2_crd_out    Y, level 2 (compressed): coordinates
 *   Y_vals_out    Y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *A1_pos, const int32_t *A1_crd, const int32_t *A2_pos,
             const int32_t *A2_crd, const int32_t *A3_pos, const int32_t *A3_crd,
             const double *A_vals, const double *x_vals, int32_t **Y1_pos_out, int32_t **Y1_crd_out,
             int32_t **Y2_pos_out, int32_t **Y2_crd_out, double **Y_vals_out)
{
    (void)A1_dimension; (void)A2_dimension; (void)A3_dimension;
    int status = 1;
    int32_t pY1 = 0, Y1_capacity = A1_pos[1], pY2 = 0, Y2_capacity = A2_pos[A1_pos[1]];
    int32_t *Y1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *Y1_crd = (int32_t *)calloc((size_t)Y1_capacity + 1, sizeof(int32_t));
    int32_t *Y2_pos = (int32_t *)calloc((size_t)Y1_capacity + 1, sizeof(int32_t));
    int32_t *Y2_crd = (int32_t *)calloc((size_t)Y2_capacity + 1, sizeof(int32_t));
    double *Y_vals = (double *)calloc((size_t)Y2_capacity + 1, sizeof(double));
    if (!Y1_pos || !Y1_crd || !Y2_pos || !Y2_crd || !Y_vals) goto done;
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1], pY2_begin = pY2;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            bool Y2_stored = A3_pos[pA2] < A3_pos[pA2 + 1];
            double Y_val = 0.0;
            for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++)
                Y_val += A_vals[pA3] * x_vals[A3_crd[pA3]];
            if (Y2_stored) { Y_vals[pY2] = Y_val; Y2_crd[pY2++] = j; }
        }
        if (pY2_begin < pY2) {
            Y1_crd[pY1] = i;
            Y2_pos[pY1 + 1] = pY2;
            pY1++;
        }
    }
    Y1_pos[1] = pY1;
    status = 0;
done:
    if (status != 0) { free(Y1_pos); free(Y1_crd); free(Y2_pos); free(Y2_crd); free(Y_vals); }
    *Y1_pos_out = status != 0 ? NULL : Y1_pos; *Y1_crd_out = status != 0 ? NULL : Y1_crd;
    *Y2_pos_out = status != 0 ? NULL : Y2_pos; *Y2_crd_out = status != 0 ? NULL : Y2_crd;
    *Y_vals_out = status != 0 ? NULL : Y_vals;
    return status;
}
