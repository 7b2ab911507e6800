/* A(i,i) = x(i)
 *     A        f64   ds
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'A(i,i) = x(i)' -f 'A:csr'
 *
 *   x1_dimension  size of mode 1 of x: the range of i
 *   x_vals        x's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
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
#include "helpers/reallocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t x1_dimension, const double *restrict x_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t pA2 = 0;
    int32_t A2_capacity = 16;
    A2_pos = (int32_t *)allocate_array((int64_t)x1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i = 0; i < x1_dimension; i++) {
        double x_val = x_vals[i];
        if (pA2 == A2_capacity) {
            if (A2_capacity == 2147483647) {
                status = 2;
                goto fail;
            }
            A2_capacity = A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity;
            A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
            A_vals = (double *)reallocate_array(A_vals, A2_capacity, sizeof(double));
            if (!A2_crd || !A_vals)
                goto fail;
        }
        A_vals[pA2] = x_val;
        A2_crd[pA2] = i;
        pA2++;
        A2_pos[i + 1] = pA2;
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
