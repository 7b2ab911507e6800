/* t = A(i,j) * A(j,k) * A(i,k)
 *     t        i64   dense
 *     A        i64   ds
 * schedule: precompute(A(i,k), w, {k,k,kp}, bytemap)
 * made by spcc VERSION with
 *     spcc 't = A(i,j) * A(j,k) * A(i,k)' -t 't:i64' -f 'A:csr' -t 'A:i64'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   t_vals        t's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 *
 * Integers that overflow wrap around when this is compiled with -fwrapv.
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
int evaluate(int32_t A1_dimension, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const int64_t *restrict A_vals, int64_t *restrict t_vals)
{
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    int64_t *w_vals = NULL;
    int32_t nw1 = 0;
    int64_t t_val = 0;
    int32_t pA2_plain = 0;
    int32_t pA2_last = A2_pos[A1_dimension];
    w1_map = (bool *)allocate_array(A1_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)A1_dimension * sizeof(bool));
    w_vals = (int64_t *)allocate_array(A1_dimension, sizeof(int64_t));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)A1_dimension * sizeof(int64_t));
    for (int32_t i = 0; i < A1_dimension; i++) {
        nw1 = 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t kp = A2_crd[pA2];
            if (!w1_map[kp]) {
                w1_map[kp] = true;
                w1_crd[nw1] = kp;
                nw1++;
            }
            w_vals[kp] = A_vals[pA2];
        }
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            int64_t A_val = A_vals[pA2];
            int32_t pA2_next = A2_pos[A2_crd[pA2 + pA2_ahead]];
            __builtin_prefetch(A2_crd + pA2_next);
            int32_t pA2_from = A2_pos[j];
            int32_t pA2_end = A2_pos[j + 1];
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
            for (int32_t pA2_2 = pA2_from; pA2_2 < pA2_end; pA2_2++) {
                int32_t k = A2_crd[pA2_2];
                if (w1_map[k])
                    t_val += A_val * w_vals[k] * A_vals[pA2_2];
            }
        }
        for (int32_t pw = 0; pw < nw1; pw++) {
            w1_map[w1_crd[pw]] = false;
            w_vals[w1_crd[pw]] = 0;
        }
    }
    t_vals[0] = t_val;
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w_vals);
    return 1;
}
