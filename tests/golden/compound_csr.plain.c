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
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, const int32_t *A1_pos, const int32_t *A1_crd,
             const double *A_vals, const int32_t *y_before1_pos, const int32_t *y_before1_crd,
             const double *y_before_vals, int32_t **y1_pos_out, int32_t **y1_crd_out,
             double **y_vals_out)
{
    (void)A1_dimension;
    int status = 1;
    void *longer_array;
    int32_t py_before1, py_before1_end, pA1, pA1_end;
    int32_t py1 = 0, y1_capacity = 16;
    int32_t *y1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *y1_crd = (int32_t *)calloc((size_t)y1_capacity + 1, sizeof(int32_t));
    double *y_vals = (double *)calloc((size_t)y1_capacity + 1, sizeof(double));
    if (!y1_pos || !y1_crd || !y_vals)
        goto fail;
    py_before1 = y_before1_pos[0];
    py_before1_end = y_before1_pos[1];
    pA1 = A1_pos[0];
    pA1_end = A1_pos[1];
    while (py_before1 < py_before1_end && pA1 < pA1_end) {
        int32_t iy_before = y_before1_crd[py_before1], iA = A1_crd[pA1];
        if (iy_before == iA) {
            if (py1 == y1_capacity) {
                if (y1_capacity == 2147483647)
                    goto too_large;
                y1_capacity = y1_capacity > 1073741823 ? 2147483647 : 2 * y1_capacity;
                longer_array = realloc(y1_crd, ((size_t)y1_capacity + 1) * sizeof(int32_t));
                if (!longer_array)
                    goto fail;
                y1_crd = (int32_t *)longer_array;
                longer_array = realloc(y_vals, ((size_t)y1_capacity + 1) * sizeof(double));
                if (!longer_array)
                    goto fail;
                y_vals = (double *)longer_array;
            }
            y_vals[py1] = y_before_vals[py_before1] * A_vals[pA1];
            y1_crd[py1++] = iy_before;
            py_before1++;
            pA1++;
        } else if (iy_before < iA) {
            py_before1++;
        } else {
            pA1++;
        }
    }
    y1_pos[1] = py1;
    *y1_pos_out = y1_pos;
    *y1_crd_out = y1_crd;
    *y_vals_out = y_vals;
    return 0;

too_large:
    status = 2;
fail:
    free(y1_pos);
    free(y1_crd);
    free(y_vals);
    return status;
}
