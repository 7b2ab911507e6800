/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   s
 * schedule: precompute(x(j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -f 'x:s'
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
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict x1_pos, const int32_t *restrict x1_crd,
             const double *restrict x_vals, double *restrict y_vals)
{
    bool *w1_map = NULL;
    double *w_vals = NULL;
    int32_t pA2_plain = 0;
    int32_t pA2_last = A2_pos[A1_dimension];
    w1_map = (bool *)allocate_array(A2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    memset(w1_map, 0, (size_t)A2_dimension * sizeof(bool));
    w_vals = (double *)allocate_array(A2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)A2_dimension * sizeof(double));
    for (int32_t px1 = x1_pos[0]; px1 < x1_pos[1]; px1++) {
        int32_t jp = x1_crd[px1];
        if (!w1_map[jp])
            w1_map[jp] = true;
        w_vals[jp] = x_vals[px1];
    }
    for (int32_t i = 0; i < A1_dimension; i++) {
        double y_val = 0.0;
        int32_t pA2_from = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2_plain > 0) {
            pA2_plain--;
        } else {
            int32_t pA2_strips = min_i32(pA2_end, pA2_last - 7);
            for (; pA2_from < pA2_strips; pA2_from += 8) {
                if (((int32_t)w1_map[A2_crd[pA2_from]] | w1_map[A2_crd[pA2_from + 1]]
                    | w1_map[A2_crd[pA2_from + 2]] | w1_map[A2_crd[pA2_from + 3]]
                    | w1_map[A2_crd[pA2_from + 4]] | w1_map[A2_crd[pA2_from + 5]]
                    | w1_map[A2_crd[pA2_from + 6]] | w1_map[A2_crd[pA2_from + 7]]) != 0) {
                    pA2_plain = 4;
                    break;
                }
            }
        }
        for (int32_t pA2 = pA2_from; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            if (w1_map[j])
                y_val += A_vals[pA2] * w_vals[j];
        }
        y_vals[i] = y_val;
    }
    SPCC_FREE(w1_map);
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w1_map);
    SPCC_FREE(w_vals);
    return 1;
}
