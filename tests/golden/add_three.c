/* y(i) = a(i) + b(i) + c(i)
 *     y        f64   s
 *     a        f64   s
 *     b        f64   s
 *     c        f64   s
 * made by spcc VERSION with
 *     spcc 'y(i) = a(i) + b(i) + c(i)' -f 'y:s' -f 'a:s' -f 'b:s' -f 'c:s'
 *
 *   a1_dimension  size of mode 1 of a: the range of i
 *   a1_pos        a, level 1 (compressed): where each segment begins and ends
 *   a1_crd        a, level 1 (compressed): coordinates
 *   a_vals        a's values
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c1_pos        c, level 1 (compressed): where each segment begins and ends
 *   c1_crd        c, level 1 (compressed): coordinates
 *   c_vals        c's values
 *   y1_pos_out    y, level 1 (compressed): where each segment begins and ends
 *   y1_crd_out    y, level 1 (compressed): coordinates
 *   y_vals_out    y's values
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
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t a1_dimension, const int32_t *restrict a1_pos, const int32_t *restrict a1_crd,
             const double *restrict a_vals, const int32_t *restrict b1_pos,
             const int32_t *restrict b1_crd, const double *restrict b_vals,
             const int32_t *restrict c1_pos, const int32_t *restrict c1_crd,
             const double *restrict c_vals, int32_t **y1_pos_out, int32_t **y1_crd_out,
             double **y_vals_out)
{
    (void)a1_dimension;
    int32_t *y1_pos = NULL, *y1_crd = NULL;
    double *y_vals = NULL;
    int status = 1;
    int64_t py1 = 0;
    int64_t y1_capacity;
    int32_t pa1, pa1_end, pb1, pb1_end, pc1, pc1_end;
    y1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!y1_pos)
        goto fail;
    y1_pos[0] = 0;
    y1_capacity = (int64_t)a1_pos[1] + b1_pos[1] + c1_pos[1];
    y1_crd = (int32_t *)allocate_array(y1_capacity, sizeof(int32_t));
    y_vals = (double *)allocate_array(y1_capacity, sizeof(double));
    if (!y1_crd || !y_vals)
        goto fail;
    pa1 = a1_pos[0];
    pa1_end = a1_pos[1];
    pb1 = b1_pos[0];
    pb1_end = b1_pos[1];
    pc1 = c1_pos[0];
    pc1_end = c1_pos[1];
    while (pa1 < pa1_end && pb1 < pb1_end && pc1 < pc1_end) {
        int32_t ia = a1_crd[pa1];
        int32_t ib = b1_crd[pb1];
        int32_t ic = c1_crd[pc1];
        int32_t i = min_i32(ia < ib ? ia : ib, ic);
        double a_val = a_vals[pa1];
        double b_val = b_vals[pb1];
        double c_val = c_vals[pc1];
        y_vals[py1] = (ia == i ? a_val : 0.0) + (ib == i ? b_val : 0.0) + (ic == i ? c_val : 0.0);
        y1_crd[py1] = i;
        py1++;
        pa1 += ia == i;
        pb1 += ib == i;
        pc1 += ic == i;
    }
    while (pa1 < pa1_end && pb1 < pb1_end) {
        int32_t ia = a1_crd[pa1];
        int32_t ib = b1_crd[pb1];
        if (ia == ib) {
            y_vals[py1] = a_vals[pa1] + b_vals[pb1];
            y1_crd[py1] = ia;
            py1++;
            pa1++;
            pb1++;
        } else if (ia < ib) {
            y_vals[py1] = a_vals[pa1];
            y1_crd[py1] = ia;
            py1++;
            pa1++;
        } else {
            y_vals[py1] = b_vals[pb1];
            y1_crd[py1] = ib;
            py1++;
            pb1++;
        }
    }
    while (pa1 < pa1_end && pc1 < pc1_end) {
        int32_t ia = a1_crd[pa1];
        int32_t ic = c1_crd[pc1];
        if (ia == ic) {
            y_vals[py1] = a_vals[pa1] + c_vals[pc1];
            y1_crd[py1] = ia;
            py1++;
            pa1++;
            pc1++;
        } else if (ia < ic) {
            y_vals[py1] = a_vals[pa1];
            y1_crd[py1] = ia;
            py1++;
            pa1++;
        } else {
            y_vals[py1] = c_vals[pc1];
            y1_crd[py1] = ic;
            py1++;
            pc1++;
        }
    }
    while (pb1 < pb1_end && pc1 < pc1_end) {
        int32_t ib = b1_crd[pb1];
        int32_t ic = c1_crd[pc1];
        if (ib == ic) {
            y_vals[py1] = b_vals[pb1] + c_vals[pc1];
            y1_crd[py1] = ib;
            py1++;
            pb1++;
            pc1++;
        } else if (ib < ic) {
            y_vals[py1] = b_vals[pb1];
            y1_crd[py1] = ib;
            py1++;
            pb1++;
        } else {
            y_vals[py1] = c_vals[pc1];
            y1_crd[py1] = ic;
            py1++;
            pc1++;
        }
    }
    for (; pa1 < pa1_end; pa1++) {
        int32_t i = a1_crd[pa1];
        y_vals[py1] = a_vals[pa1];
        y1_crd[py1] = i;
        py1++;
    }
    for (; pb1 < pb1_end; pb1++) {
        int32_t i = b1_crd[pb1];
        y_vals[py1] = b_vals[pb1];
        y1_crd[py1] = i;
        py1++;
    }
    for (; pc1 < pc1_end; pc1++) {
        int32_t i = c1_crd[pc1];
        y_vals[py1] = c_vals[pc1];
        y1_crd[py1] = i;
        py1++;
    }
    y1_pos[1] = (int32_t)py1;
    if (py1 > 2147483647) {
        status = 2;
        goto fail;
    }
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
