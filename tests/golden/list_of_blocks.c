/* y(i) = a(i) + b(i)
 *     y        f64   s
 *     a        f64   (i) -> (i/2 : compressed, i%2 : dense)
 *     b        f64   s
 * schedule: convert(a(i),w)
 * made by spcc VERSION with
 *     spcc 'y(i) = a(i) + b(i)' -f 'a:(i) -> (i/2 : compressed, i%2 : dense)' -f 'y:sparse' -f 'b:sparse' -s 'convert(a(i),w)'
 *
 *   a1_dimension  size of mode 1 of a: the range of i
 *   a1_pos        a, level 1 (compressed): where each segment begins and ends
 *   a1_crd        a, level 1 (compressed): coordinates
 *   a_vals        a's values
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
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
#include "helpers/reallocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t a1_dimension, const int32_t *restrict a1_pos, const int32_t *restrict a1_crd,
             const double *restrict a_vals, const int32_t *restrict b1_pos,
             const int32_t *restrict b1_crd, const double *restrict b_vals, int32_t **y1_pos_out,
             int32_t **y1_crd_out, double **y_vals_out)
{
    int32_t *y1_pos = NULL, *y1_crd = NULL;
    double *y_vals = NULL;
    int32_t *w1_pos = NULL, *w1_crd = NULL;
    double *w_vals = NULL;
    int status = 1;
    int64_t py1 = 0;
    int64_t y1_capacity;
    int32_t pw1, pw1_end, pb1, pb1_end;
    int32_t nw = 0;
    int32_t w_capacity = 16;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    w1_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w1_pos || !w1_crd || !w_vals)
        goto fail;
    for (int32_t pa1 = a1_pos[0]; pa1 < a1_pos[1]; pa1++) {
        int32_t ipo = a1_crd[pa1];
        int32_t base = ipo * 2;
        int64_t a_base = (int64_t)pa1 * 2;
        for (int32_t ipi = 0; ipi < min_i32(2, a1_dimension - ipo * 2); ipi++) {
            int32_t ip = base + ipi;
            if (nw == w_capacity) {
                if (w_capacity == 2147483647) {
                    status = 2;
                    goto fail;
                }
                w_capacity = w_capacity > 1073741823 ? 2147483647 : 2 * w_capacity;
                w1_crd = (int32_t *)reallocate_array(w1_crd, w_capacity, sizeof(int32_t));
                w_vals = (double *)reallocate_array(w_vals, w_capacity, sizeof(double));
                if (!w1_crd || !w_vals)
                    goto fail;
            }
            w1_crd[nw] = ip;
            w_vals[nw] = a_vals[a_base + ipi];
            nw++;
        }
    }
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    y1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!y1_pos)
        goto fail;
    y1_pos[0] = 0;
    y1_capacity = (int64_t)w1_pos[1] + b1_pos[1];
    y1_crd = (int32_t *)allocate_array(y1_capacity, sizeof(int32_t));
    y_vals = (double *)allocate_array(y1_capacity, sizeof(double));
    if (!y1_crd || !y_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    pb1 = b1_pos[0];
    pb1_end = b1_pos[1];
    while (pw1 < pw1_end && pb1 < pb1_end) {
        int32_t iw = w1_crd[pw1];
        int32_t ib = b1_crd[pb1];
        if (iw == ib) {
            y_vals[py1] = w_vals[pw1] + b_vals[pb1];
            y1_crd[py1] = iw;
            py1++;
            pw1++;
            pb1++;
        } else if (iw < ib) {
            y_vals[py1] = w_vals[pw1];
            y1_crd[py1] = iw;
            py1++;
            pw1++;
        } else {
            y_vals[py1] = b_vals[pb1];
            y1_crd[py1] = ib;
            py1++;
            pb1++;
        }
    }
    for (; pw1 < pw1_end; pw1++) {
        int32_t i = w1_crd[pw1];
        y_vals[py1] = w_vals[pw1];
        y1_crd[py1] = i;
        py1++;
    }
    for (; pb1 < pb1_end; pb1++) {
        int32_t i = b1_crd[pb1];
        y_vals[py1] = b_vals[pb1];
        y1_crd[py1] = i;
        py1++;
    }
    SPCC_FREE(w1_pos); w1_pos = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
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
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    *y1_pos_out = NULL;
    *y1_crd_out = NULL;
    *y_vals_out = NULL;
    return status;
}
