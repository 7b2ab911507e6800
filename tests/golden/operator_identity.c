/* C(i,j) = join(A(i,j), 2 * B(i,j))
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * operator: larger(x,y) = x > y ? x : y
 * operator: join(x,y) = x == 0 ? y : y == 0 ? x : larger(x, y); identity=0
 * made by spcc VERSION with
 *     spcc 'C(i,j) = join(A(i,j), 2 * B(i,j))' -f 'A:csr' -f 'B:csr' -f 'C:csr' --op 'larger(x,y) = x > y ? x : y' --op 'join(x,y) = x == 0 ? y : y == 0 ? x : larger(x, y); identity=0'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
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

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    (void)A2_dimension;
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int64_t pC2 = 0;
    int64_t C2_capacity;
    C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_capacity = (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension];
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jB = B2_crd[pB2];
            if (jA == jB) {
                double join = 2.0 * B_vals[pB2];
                C_vals[pC2] = A_vals[pA2] == 0.0 ? join : join == 0.0 ? A_vals[pA2] : A_vals[pA2]
                    > join ? A_vals[pA2] : join;
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
                pB2++;
            } else if (jA < jB) {
                C_vals[pC2] = A_vals[pA2];
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
            } else {
                C_vals[pC2] = 2.0 * B_vals[pB2];
                C2_crd[pC2] = jB;
                pC2++;
                pB2++;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            C_vals[pC2] = A_vals[pA2];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2];
            C_vals[pC2] = 2.0 * B_vals[pB2];
            C2_crd[pC2] = j;
            pC2++;
        }
        C2_pos[i + 1] = (int32_t)pC2;
    }
    if (pC2 > 2147483647) {
        status = 2;
        goto fail;
    }
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return status;
}
