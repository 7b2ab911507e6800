/* Y(i,j) = A(i,j,k) * x(k)
 *     Y        f64   ss
 *     A        f64   sss
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'Y(i,j) = A(i,j,k) * x(k)' -f 'A:csf' -f 'Y:dcsr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_dimension  size of mode 3 of A: the range of k
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   Y1_pos_out    Y, level 1 (compressed): where each segment begins and ends
 *   Y1_crd_out    Y, level 1 (compressed): coordinates
 *   Y2_pos_out    Y, level 2 (compressed): where each segment begins and ends
 *   Y2_crd_out    Y, level 2 (compressed): coordinates
 *   Y_vals_out    Y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
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

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#include "helpers/allocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const int32_t *restrict A1_pos, const int32_t *restrict A1_crd,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const int32_t *restrict A3_pos, const int32_t *restrict A3_crd,
             const double *restrict A_vals, const double *restrict x_vals, int32_t **Y1_pos_out,
             int32_t **Y1_crd_out, int32_t **Y2_pos_out, int32_t **Y2_crd_out, double **Y_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    (void)A3_dimension;
    int32_t *Y1_pos = NULL, *Y1_crd = NULL, *Y2_pos = NULL, *Y2_crd = NULL;
    double *Y_vals = NULL;
    int32_t pY1 = 0;
    int32_t pY2 = 0;
    int32_t Y1_capacity, Y2_capacity;
    Y1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!Y1_pos)
        goto fail;
    Y1_pos[0] = 0;
    Y1_capacity = A1_pos[1];
    Y1_crd = (int32_t *)allocate_array(Y1_capacity, sizeof(int32_t));
    Y2_pos = (int32_t *)allocate_array((int64_t)Y1_capacity + 1, sizeof(int32_t));
    if (!Y1_crd || !Y2_pos)
        goto fail;
    Y2_pos[0] = 0;
    Y2_capacity = A2_pos[A1_pos[1]];
    Y2_crd = (int32_t *)allocate_array(Y2_capacity, sizeof(int32_t));
    Y_vals = (double *)allocate_array(Y2_capacity, sizeof(double));
    if (!Y2_crd || !Y_vals)
        goto fail;
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        int32_t pY2_begin = pY2;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            bool Y2_stored = A3_pos[pA2] < A3_pos[pA2 + 1];
            double Y_val = 0.0;
            int32_t pA3 = A3_pos[pA2];
            int32_t pA3_end = A3_pos[pA2 + 1];
            if (pA3 < pA3_end - 3) {
                f64x4 Y_val0 = {0};
                for (; pA3 < pA3_end - 3; pA3 += 4)
                    Y_val0 += *(const f64x4 *)(A_vals + pA3)
                        * (f64x4){x_vals[A3_crd[pA3]], x_vals[A3_crd[pA3 + 1]],
                        x_vals[A3_crd[pA3 + 2]], x_vals[A3_crd[pA3 + 3]]};
                Y_val += Y_val0[0] + Y_val0[2] + (Y_val0[1] + Y_val0[3]);
            }
            #pragma GCC unroll 1
            for (; pA3 < pA3_end; pA3++) {
                int32_t k = A3_crd[pA3];
                Y_val += A_vals[pA3] * x_vals[k];
            }
            if (Y2_stored) {
                Y_vals[pY2] = Y_val;
                Y2_crd[pY2] = j;
                pY2++;
            }
        }
        if (pY2_begin < pY2) {
            Y1_crd[pY1] = i;
            Y2_pos[pY1 + 1] = pY2;
            pY1++;
        }
    }
    Y1_pos[1] = pY1;
    *Y1_pos_out = Y1_pos;
    *Y1_crd_out = Y1_crd;
    *Y2_pos_out = Y2_pos;
    *Y2_crd_out = Y2_crd;
    *Y_vals_out = Y_vals;
    return 0;

fail:
    SPCC_FREE(Y1_pos);
    SPCC_FREE(Y1_crd);
    SPCC_FREE(Y2_pos);
    SPCC_FREE(Y2_crd);
    SPCC_FREE(Y_vals);
    *Y1_pos_out = NULL;
    *Y1_crd_out = NULL;
    *Y2_pos_out = NULL;
    *Y2_crd_out = NULL;
    *Y_vals_out = NULL;
    return 1;
}
