/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     B        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 * schedule: skew(j, i, d); reorder(d, i)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'A:dia' -f 'B:dia' -f 'C:dia'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A_vals        A's values
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B_vals        B's values
 *   C1_pos_out    C, level 1 (compressed): where each segment begins and ends
 *   C1_crd_out    C, level 1 (compressed): coordinates
 *   C_vals_out    C's values
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
#include "helpers/max_i32.c"
#include "helpers/min_i32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const double *restrict A_vals,
             const int32_t *restrict B1_pos, const int32_t *restrict B1_crd,
             const double *restrict B_vals, int32_t **C1_pos_out, int32_t **C1_crd_out,
             double **C_vals_out)
{
    int32_t *C1_pos = NULL, *C1_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int64_t pC1 = 0;
    int64_t C1_capacity;
    int32_t pA1, pA1_end, pB1, pB1_end;
    C1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!C1_pos)
        goto fail;
    C1_pos[0] = 0;
    C1_capacity = (int64_t)A1_pos[1] + B1_pos[1];
    C1_crd = (int32_t *)allocate_array(C1_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C1_capacity * A1_dimension, sizeof(double));
    if (!C1_crd || !C_vals)
        goto fail;
    pA1 = A1_pos[0];
    pA1_end = A1_pos[1];
    pB1 = B1_pos[0];
    pB1_end = B1_pos[1];
    while (pA1 < pA1_end && pB1 < pB1_end) {
        int32_t dA = A1_crd[pA1];
        int32_t dB = B1_crd[pB1];
        if (dA == dB) {
            int64_t C_base = pC1 * A1_dimension;
            memset(C_vals + C_base, 0, (size_t)A1_dimension * sizeof(double));
            int64_t A_base = (int64_t)pA1 * A1_dimension;
            int64_t B_base = (int64_t)pB1 * A1_dimension;
            for (int32_t i = max_i32(0, -dA); i < min_i32(A1_dimension, A2_dimension - dA); i++)
                C_vals[C_base + i] = A_vals[A_base + i] + B_vals[B_base + i];
            C1_crd[pC1] = dA;
            pC1++;
            pA1++;
            pB1++;
        } else if (dA < dB) {
            int64_t C_base = pC1 * A1_dimension;
            memset(C_vals + C_base, 0, (size_t)A1_dimension * sizeof(double));
            int64_t A_base = (int64_t)pA1 * A1_dimension;
            for (int32_t i = max_i32(0, -dA); i < min_i32(A1_dimension, A2_dimension - dA); i++)
                C_vals[C_base + i] = A_vals[A_base + i];
            C1_crd[pC1] = dA;
            pC1++;
            pA1++;
        } else {
            int64_t C_base = pC1 * A1_dimension;
            memset(C_vals + C_base, 0, (size_t)A1_dimension * sizeof(double));
            int64_t B_base = (int64_t)pB1 * A1_dimension;
            for (int32_t i = max_i32(0, -dB); i < min_i32(A1_dimension, A2_dimension - dB); i++)
                C_vals[C_base + i] = B_vals[B_base + i];
            C1_crd[pC1] = dB;
            pC1++;
            pB1++;
        }
    }
    for (; pA1 < pA1_end; pA1++) {
        int32_t d = A1_crd[pA1];
        int64_t C_base = pC1 * A1_dimension;
        memset(C_vals + C_base, 0, (size_t)A1_dimension * sizeof(double));
        int64_t A_base = (int64_t)pA1 * A1_dimension;
        for (int32_t i = max_i32(0, -d); i < min_i32(A1_dimension, A2_dimension - d); i++)
            C_vals[C_base + i] = A_vals[A_base + i];
        C1_crd[pC1] = d;
        pC1++;
    }
    for (; pB1 < pB1_end; pB1++) {
        int32_t d = B1_crd[pB1];
        int64_t C_base = pC1 * A1_dimension;
        memset(C_vals + C_base, 0, (size_t)A1_dimension * sizeof(double));
        int64_t B_base = (int64_t)pB1 * A1_dimension;
        for (int32_t i = max_i32(0, -d); i < min_i32(A1_dimension, A2_dimension - d); i++)
            C_vals[C_base + i] = B_vals[B_base + i];
        C1_crd[pC1] = d;
        pC1++;
    }
    C1_pos[1] = (int32_t)pC1;
    if (pC1 > 2147483647) {
        status = 2;
        goto fail;
    }
    *C1_pos_out = C1_pos;
    *C1_crd_out = C1_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C1_pos);
    SPCC_FREE(C1_crd);
    SPCC_FREE(C_vals);
    *C1_pos_out = NULL;
    *C1_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
