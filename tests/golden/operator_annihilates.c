/* c(i) = least(a(i), b(i))
 *     c        f64   s
 *     a        f64   s
 *     b        f64   s
 * operator: least(x,y) = fmin(fabs(x), fabs(y)); commutative, associative, annihilator=0
 * made by spcc VERSION with
 *     spcc 'c(i) = least(a(i), b(i))' -f 'a:sparse' -f 'b:sparse' -f 'c:sparse' --op 'least(x,y) = fmin(fabs(x), fabs(y)); commutative, associative, annihilator=0'
 *
 *   a1_dimension  size of mode 1 of a: the range of i
 *   a1_pos        a, level 1 (compressed): where each segment begins and ends
 *   a1_crd        a, level 1 (compressed): coordinates
 *   a_vals        a's values
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c1_pos_out    c, level 1 (compressed): where each segment begins and ends
 *   c1_crd_out    c, level 1 (compressed): coordinates
 *   c_vals_out    c's values
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
#include "helpers/min_f64.c"
#include "helpers/find_first_i32.c"
#include "helpers/seek_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t a1_dimension, const int32_t *restrict a1_pos, const int32_t *restrict a1_crd,
             const double *restrict a_vals, const int32_t *restrict b1_pos,
             const int32_t *restrict b1_crd, const double *restrict b_vals, int32_t **c1_pos_out,
             int32_t **c1_crd_out, double **c_vals_out)
{
    (void)a1_dimension;
    int32_t *c1_pos = NULL, *c1_crd = NULL;
    double *c_vals = NULL;
    int status = 1;
    int32_t pc1 = 0;
    int32_t c1_capacity = 16;
    int32_t pa1, pa1_end, pb1, pb1_end;
    c1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!c1_pos)
        goto fail;
    c1_pos[0] = 0;
    c1_crd = (int32_t *)allocate_array(c1_capacity, sizeof(int32_t));
    c_vals = (double *)allocate_array(c1_capacity, sizeof(double));
    if (!c1_crd || !c_vals)
        goto fail;
    pa1 = a1_pos[0];
    pa1_end = a1_pos[1];
    pb1 = b1_pos[0];
    pb1_end = b1_pos[1];
    while (pa1 < pa1_end && pb1 < pb1_end) {
        int32_t pa1_stop = pa1_end;
        int32_t pb1_stop = pb1_end;
        if (__builtin_expect(max_i32(pa1_end - pa1, pb1_end - pb1) / 16
                             > min_i32(pa1_end - pa1, pb1_end - pb1), 0)) {
            pb1 = (int32_t)seek_i32(b1_crd, pb1, pb1_end, a1_crd[pa1]);
            if (pb1 < pb1_end)
                pa1 = (int32_t)seek_i32(a1_crd, pa1, pa1_end, b1_crd[pb1]);
            pa1_stop = pa1 + (pa1 < pa1_end);
            pb1_stop = pb1 + (pb1 < pb1_end);
        }
        while (pa1 < pa1_stop && pb1 < pb1_stop) {
            int32_t ia = a1_crd[pa1];
            int32_t ib = b1_crd[pb1];
            if (ia == ib) {
                if (pc1 == c1_capacity) {
                    if (c1_capacity == 2147483647) {
                        status = 2;
                        goto fail;
                    }
                    c1_capacity = c1_capacity > 1073741823 ? 2147483647 : 2 * c1_capacity;
                    c1_crd = (int32_t *)reallocate_array(c1_crd, c1_capacity, sizeof(int32_t));
                    c_vals = (double *)reallocate_array(c_vals, c1_capacity, sizeof(double));
                    if (!c1_crd || !c_vals)
                        goto fail;
                }
                c_vals[pc1] = min_f64(__builtin_fabs(a_vals[pa1]), __builtin_fabs(b_vals[pb1]));
                c1_crd[pc1] = ia;
                pc1++;
                pa1++;
                pb1++;
            } else if (ia < ib) {
                pa1++;
            } else {
                pb1++;
            }
        }
    }
    c1_pos[1] = pc1;
    *c1_pos_out = c1_pos;
    *c1_crd_out = c1_crd;
    *c_vals_out = c_vals;
    return 0;

fail:
    SPCC_FREE(c1_pos);
    SPCC_FREE(c1_crd);
    SPCC_FREE(c_vals);
    *c1_pos_out = NULL;
    *c1_crd_out = NULL;
    *c_vals_out = NULL;
    return status;
}
