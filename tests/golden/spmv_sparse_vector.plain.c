/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   s
 * schedule: precompute(x(j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -f 'x:s' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x1_pos        x, level 1 (compressed): where each segment begins and ends
 *   x1_crd        x, level 1 (compressed): coordinates
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const int32_t *x1_pos,
             const int32_t *x1_crd, const double *x_vals, double *y_vals)
{
    int status = 1;
    bool *w1_map = (bool *)calloc((size_t)A2_dimension + 1, sizeof(bool));
    double *w_vals = (double *)calloc((size_t)A2_dimension + 1, sizeof(double));
    if (!w1_map || !w_vals) goto done;
    for (int32_t px1 = x1_pos[0]; px1 < x1_pos[1]; px1++) {
        int32_t jp = x1_crd[px1];
        if (!w1_map[jp]) w1_map[jp] = true;
        w_vals[jp] = x_vals[px1];
    }
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            if (w1_map[j]) y_val += A_vals[pA2] * w_vals[j];
        }
        y_vals[i] = y_val;
    }
    status = 0;
done:
    free(w1_map); free(w_vals);
    return status;
}
