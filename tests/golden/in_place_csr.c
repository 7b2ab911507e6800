/* C(i,j) = 2 * C(i,j) - B(i,j) ** 2
 *     C        f64   ds
 *     B        f64   ds
 * made by spcc VERSION with
 *     spcc 'C(i,j) = 2 * C(i,j) - B(i,j) ** 2' -f 'C:csr' -f 'B:csr'
 *
 *   B1_dimension   size of mode 1 of B: the range of i
 *   B2_dimension   size of mode 2 of B: the range of j
 *   B2_pos         B, level 2 (compressed): where each segment begins and ends
 *   B2_crd         B, level 2 (compressed): coordinates
 *   B_vals         B's values
 *   C_before2_pos  C before, level 2 (compressed): where each segment begins and ends
 *   C_before2_crd  C before, level 2 (compressed): coordinates
 *   C_before_vals  C's values before
 *   C2_pos_out     C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out     C, level 2 (compressed): coordinates
 *   C_vals_out     C's values
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
#include <stdbool.h>
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

#include "helpers/reallocate_array.c"
#include "helpers/allocate_array.c"

/* More room for C2_crd, C_vals; false if there is none. */
static inline bool evaluate_grow_C2(int32_t *C2_capacity, int32_t **C2_crd, double **C_vals,
                                    int *status)
{
    if (*C2_capacity == 2147483647) {
        *status = 2;
        return false;
    }
    *C2_capacity = *C2_capacity > 1073741823 ? 2147483647 : 2 * *C2_capacity;
    *C2_crd = (int32_t *)reallocate_array(*C2_crd, *C2_capacity, sizeof(int32_t));
    *C_vals = (double *)reallocate_array(*C_vals, *C2_capacity, sizeof(double));
    if (!*C2_crd || !*C_vals)
        return false;
    return true;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals,
             const int32_t *restrict C_before2_pos, const int32_t *restrict C_before2_crd,
             const double *restrict C_before_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    (void)B2_dimension;
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int status = 1;
    int32_t pC2 = 0;
    int32_t C2_capacity = 16;
    C2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    for (int32_t i = 0; i < B1_dimension; i++) {
        int32_t pC_before2 = C_before2_pos[i];
        int32_t pC_before2_end = C_before2_pos[i + 1];
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        while (pC_before2 < pC_before2_end && pB2 < pB2_end) {
            int32_t jC_before = C_before2_crd[pC_before2];
            int32_t jB = B2_crd[pB2];
            if (pC2 == C2_capacity && !evaluate_grow_C2(&C2_capacity, &C2_crd, &C_vals, &status))
                goto fail;
            if (jC_before == jB) {
                C_vals[pC2] = 2.0 * C_before_vals[pC_before2] - B_vals[pB2] * B_vals[pB2];
                C2_crd[pC2] = jC_before;
                pC2++;
                pC_before2++;
                pB2++;
            } else if (jC_before < jB) {
                C_vals[pC2] = 2.0 * C_before_vals[pC_before2];
                C2_crd[pC2] = jC_before;
                pC2++;
                pC_before2++;
            } else {
                C_vals[pC2] = 0.0 - B_vals[pB2] * B_vals[pB2];
                C2_crd[pC2] = jB;
                pC2++;
                pB2++;
            }
        }
        for (; pC_before2 < pC_before2_end; pC_before2++) {
            int32_t j = C_before2_crd[pC_before2];
            if (pC2 == C2_capacity && !evaluate_grow_C2(&C2_capacity, &C2_crd, &C_vals, &status))
                goto fail;
            C_vals[pC2] = 2.0 * C_before_vals[pC_before2];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (; pB2 < pB2_end; pB2++) {
            int32_t j = B2_crd[pB2];
            if (pC2 == C2_capacity && !evaluate_grow_C2(&C2_capacity, &C2_crd, &C_vals, &status))
                goto fail;
            C_vals[pC2] = 0.0 - B_vals[pB2] * B_vals[pB2];
            C2_crd[pC2] = j;
            pC2++;
        }
        C2_pos[i + 1] = pC2;
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
