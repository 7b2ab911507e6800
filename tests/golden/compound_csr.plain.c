/* y(i) *= A(i)
 *     y        f64   s
 *     A        f64   s
 * made by spcc VERSION with
 *     spcc 'y(i) *= A(i)' -f 'y:s' -f 'A:s' --plain
 *
 *   A1_dimension   size of mode 1 of A: the range of i
 *   A1_pos         A, level 1 (compressed): where each segment begins and ends
 *   A1_crd         A, level 1 (compressed): coordinates
 *   A_vals         A's values
 *   y_before1_pos  y before, level 1 (compressed): where each segment begins and ends
 *   y_before1_crd  y before, level 1 (compressed): coordinates
 *   y_before_vals  y's values before
 *   y1_pos_out     y, level 1 (compressed): where each segment begins and ends
 *   y1_crd_out     y, level 1 (compressed): coordinates
 *   y_vals_out     y's values
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

int evaluate(int32_t A1_dimension, const int32_t *A1_pos, const int32_t *A1_crd,
             const double *A_vals, const int32_t *y_before1_pos, const int32_t *y_before1_crd,
             const double *y_before_vals, int32_t **y1_pos_out, int32_t **y1_crd_out,
             double **y_vals_out)
{
    (void)A1_dimension;
    int status = 1;
    int32_t py_before1, py_before1_end, pA1, pA1_end;
    int64_t py1 = 0, y1_capacity = 16;
    int32_t *y1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *y1_crd = (int32_t *)calloc((size_t)y1_capacity, sizeof(int32_t));
    double *y_vals = (double *)calloc((size_t)y1_capacity, sizeof(double));
    if (!y1_pos || !y1_crd || !y_vals) goto done;
    py_before1 = y_before1_pos[0];
    py_before1_end = y_before1_pos[1];
    pA1 = A1_pos[0];
    pA1_end = A1_pos[1];
    while (py_before1 < py_before1_end && pA1 < pA1_end) {
        int32_t iy_before = y_before1_crd[py_before1], iA = A1_crd[pA1];
        if (iy_before == iA) {
            if (py1 == y1_capacity) {
                y1_capacity *= 2;
                void *longer_y1_crd = realloc(y1_crd, (size_t)y1_capacity * sizeof(int32_t));
                void *longer_y_vals = realloc(y_vals, (size_t)y1_capacity * sizeof(double));
                y1_crd = longer_y1_crd ? (int32_t *)longer_y1_crd : y1_crd;
                y_vals = longer_y_vals ? (double *)longer_y_vals : y_vals;
                if (!longer_y1_crd || !longer_y_vals) goto done;
            }
            y_vals[py1] = y_before_vals[py_before1++] * A_vals[pA1++];
            y1_crd[py1++] = iy_before;
        } else if (iy_before < iA) {
            py_before1++;
        } else {
            pA1++;
        }
    }
    y1_pos[1] = (int32_t)py1;
    status = py1 > 2147483647 ? 2 : 0;
done:
    if (status != 0) { free(y1_pos); free(y1_crd); free(y_vals); }
    *y1_pos_out = status != 0 ? NULL : y1_pos; *y1_crd_out = status != 0 ? NULL : y1_crd;
    *y_vals_out = status != 0 ? NULL : y_vals;
    return status;
}
