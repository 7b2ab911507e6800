/* y(i) *= A(i)
 *     y        f64   s
 *     A        f64   s
 * made by spcc VERSION with
 *     spcc 'y(i) *= A(i)' -f 'y:s' -f 'A:s'
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
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/allocate_array.c"
#include "helpers/max_i32.c"
#include "helpers/min_i32.c"
#include "helpers/reallocate_array.c"
#include "helpers/find_first_i32.c"
#include "helpers/seek_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const double *restrict A_vals, const int32_t *restrict y_before1_pos,
             const int32_t *restrict y_before1_crd, const double *restrict y_before_vals,
             int32_t **y1_pos_out, int32_t **y1_crd_out, double **y_vals_out)
{
    (void)A1_dimension;
    int32_t *y1_pos = NULL, *y1_crd = NULL;
    double *y_vals = NULL;
    int status = 1;
    int32_t py1 = 0;
    int32_t y1_capacity = 16;
    int32_t pA1, pA1_end, py_before1, py_before1_end;
    y1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!y1_pos)
        goto fail;
    y1_pos[0] = 0;
    y1_crd = (int32_t *)allocate_array(y1_capacity, sizeof(int32_t));
    y_vals = (double *)allocate_array(y1_capacity, sizeof(double));
    if (!y1_crd || !y_vals)
        goto fail;
    pA1 = A1_pos[0];
    pA1_end = A1_pos[1];
    py_before1 = y_before1_pos[0];
    py_before1_end = y_before1_pos[1];
    while (pA1 < pA1_end && py_before1 < py_before1_end) {
        int32_t pA1_stop = pA1_end;
        int32_t py_before1_stop = py_before1_end;
        if (__builtin_expect(max_i32(pA1_end - pA1, py_before1_end - py_before1) / 16
                             > min_i32(pA1_end - pA1, py_before1_end - py_before1), 0)) {
            py_before1 = (int32_t)seek_i32(y_before1_crd, py_before1, py_before1_end, A1_crd[pA1]);
            if (py_before1 < py_before1_end)
                pA1 = (int32_t)seek_i32(A1_crd, pA1, pA1_end, y_before1_crd[py_before1]);
            pA1_stop = pA1 + (pA1 < pA1_end);
            py_before1_stop = py_before1 + (py_before1 < py_before1_end);
        }
        while (pA1 < pA1_stop && py_before1 < py_before1_stop) {
            int32_t iA = A1_crd[pA1];
            int32_t iy_before = y_before1_crd[py_before1];
            if (iA == iy_before) {
                if (py1 == y1_capacity) {
                    if (y1_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    y1_capacity = y1_capacity > 1073741823 ? 2147483647 : 2 * y1_capacity;
                    y1_crd = (int32_t *)reallocate_array(y1_crd, y1_capacity, sizeof(int32_t));
                    y_vals = (double *)reallocate_array(y_vals, y1_capacity, sizeof(double));
                    if (!y1_crd || !y_vals)
                        goto fail;
                }
                y_vals[py1] = A_vals[pA1] * y_before_vals[py_before1];
                y1_crd[py1] = iA;
                py1++;
                pA1++;
                py_before1++;
            } else if (iA < iy_before) {
                pA1++;
            } else {
                py_before1++;
            }
        }
    }
    y1_pos[1] = py1;
    *y1_pos_out = y1_pos;
    *y1_crd_out = y1_crd;
    *y_vals_out = y_vals;
    return 0;

fail:
    SPCC_FREE(y1_pos);
    SPCC_FREE(y1_crd);
    SPCC_FREE(y_vals);
    *y1_pos_out = NULL;
    *y1_crd_out = NULL;
    *y_vals_out = NULL;
    return status;
}
