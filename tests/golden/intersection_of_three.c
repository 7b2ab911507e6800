/* a(i) = b(i) * c(i) * d(i)
 *     a        f64   s
 *     b        f64   s
 *     c        f64   s
 *     d        f64   s
 * made by spcc VERSION with
 *     spcc 'a(i) = b(i) * c(i) * d(i)' -f 'a:s' -f 'b:s' -f 'c:s' -f 'd:s'
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c1_pos        c, level 1 (compressed): where each segment begins and ends
 *   c1_crd        c, level 1 (compressed): coordinates
 *   c_vals        c's values
 *   d1_pos        d, level 1 (compressed): where each segment begins and ends
 *   d1_crd        d, level 1 (compressed): coordinates
 *   d_vals        d's values
 *   a1_pos_out    a, level 1 (compressed): where each segment begins and ends
 *   a1_crd_out    a, level 1 (compressed): coordinates
 *   a_vals_out    a's values
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
int evaluate(int32_t b1_dimension, const int32_t *restrict b1_pos, const int32_t *restrict b1_crd,
             const double *restrict b_vals, const int32_t *restrict c1_pos,
             const int32_t *restrict c1_crd, const double *restrict c_vals,
             const int32_t *restrict d1_pos, const int32_t *restrict d1_crd,
             const double *restrict d_vals, int32_t **a1_pos_out, int32_t **a1_crd_out,
             double **a_vals_out)
{
    (void)b1_dimension;
    int32_t *a1_pos = NULL, *a1_crd = NULL;
    double *a_vals = NULL;
    int status = 1;
    int32_t pa1 = 0;
    int32_t a1_capacity = 16;
    int32_t pb1, pb1_end, pc1, pc1_end, pd1, pd1_end;
    a1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!a1_pos)
        goto fail;
    a1_pos[0] = 0;
    a1_crd = (int32_t *)allocate_array(a1_capacity, sizeof(int32_t));
    a_vals = (double *)allocate_array(a1_capacity, sizeof(double));
    if (!a1_crd || !a_vals)
        goto fail;
    pb1 = b1_pos[0];
    pb1_end = b1_pos[1];
    pc1 = c1_pos[0];
    pc1_end = c1_pos[1];
    pd1 = d1_pos[0];
    pd1_end = d1_pos[1];
    while (pb1 < pb1_end && pc1 < pc1_end && pd1 < pd1_end) {
        int32_t pb1_stop = pb1_end;
        int32_t pc1_stop = pc1_end;
        int32_t pd1_stop = pd1_end;
        if (__builtin_expect(max_i32(max_i32(pb1_end - pb1, pc1_end - pc1), pd1_end - pd1) / 16
                             > min_i32(min_i32(pb1_end - pb1, pc1_end - pc1), pd1_end - pd1), 0)) {
            pc1 = (int32_t)seek_i32(c1_crd, pc1, pc1_end, b1_crd[pb1]);
            if (pc1 < pc1_end) {
                pd1 = (int32_t)seek_i32(d1_crd, pd1, pd1_end, c1_crd[pc1]);
                if (pd1 < pd1_end)
                    pb1 = (int32_t)seek_i32(b1_crd, pb1, pb1_end, d1_crd[pd1]);
            }
            pb1_stop = pb1 + (pb1 < pb1_end);
            pc1_stop = pc1 + (pc1 < pc1_end);
            pd1_stop = pd1 + (pd1 < pd1_end);
        }
        while (pb1 < pb1_stop && pc1 < pc1_stop && pd1 < pd1_stop) {
            int32_t ib = b1_crd[pb1];
            int32_t ic = c1_crd[pc1];
            int32_t id = d1_crd[pd1];
            int32_t i = min_i32(ib < ic ? ib : ic, id);
            if (ib == i && ic == i && id == i) {
                if (pa1 == a1_capacity) {
                    if (a1_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    a1_capacity = a1_capacity > 1073741823 ? 2147483647 : 2 * a1_capacity;
                    a1_crd = (int32_t *)reallocate_array(a1_crd, a1_capacity, sizeof(int32_t));
                    a_vals = (double *)reallocate_array(a_vals, a1_capacity, sizeof(double));
                    if (!a1_crd || !a_vals)
                        goto fail;
                }
                a_vals[pa1] = b_vals[pb1] * c_vals[pc1] * d_vals[pd1];
                a1_crd[pa1] = i;
                pa1++;
            }
            pb1 += ib == i;
            pc1 += ic == i;
            pd1 += id == i;
        }
    }
    a1_pos[1] = pa1;
    *a1_pos_out = a1_pos;
    *a1_crd_out = a1_crd;
    *a_vals_out = a_vals;
    return 0;

fail:
    SPCC_FREE(a1_pos);
    SPCC_FREE(a1_crd);
    SPCC_FREE(a_vals);
    *a1_pos_out = NULL;
    *a1_crd_out = NULL;
    *a_vals_out = NULL;
    return status;
}
