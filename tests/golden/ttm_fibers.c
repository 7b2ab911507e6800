/* Y(i,j,r) = A(i,j,k) * X(k,r)
 *     Y        f64   ssd
 *     A        f64   sss
 *     X        f64   dd
 * schedule: reorder(i, j, k, r)
 * made by spcc VERSION with
 *     spcc 'Y(i,j,r) = A(i,j,k) * X(k,r)' -f 'A:csf' -f 'Y:ssd'
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
 *   X2_dimension  size of mode 2 of X: the range of r
 *   X_vals        X's values
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
             const double *restrict A_vals, int32_t X2_dimension, const double *restrict X_vals,
             int32_t **Y1_pos_out, int32_t **Y1_crd_out, int32_t **Y2_pos_out, int32_t **Y2_crd_out,
             double **Y_vals_out)
{
    (void)A1_dimension;
    (void)A2_dimension;
    (void)A3_dimension;
    int32_t *Y1_pos = NULL, *Y1_crd = NULL, *Y2_pos = NULL, *Y2_crd = NULL;
    double *Y_vals = NULL;
    int32_t pY1 = 0;
    int32_t pY2 = 0;
    int32_t Y1_capacity, Y2_capacity;
    int32_t pA3_last = A3_pos[A2_pos[A1_pos[1]]];
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
    Y_vals = (double *)allocate_array((int64_t)Y2_capacity * X2_dimension, sizeof(double));
    if (!Y2_crd || !Y_vals)
        goto fail;
    for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
        int32_t i = A1_crd[pA1];
        int32_t pY2_begin = pY2;
        for (int32_t pA2 = A2_pos[pA1]; pA2 < A2_pos[pA1 + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            bool Y2_stored = A3_pos[pA2] < A3_pos[pA2 + 1];
            int64_t Y_base = (int64_t)pY2 * X2_dimension;
            int32_t r0 = 0;
            for (; r0 < X2_dimension - 31; r0 += 32) {
                f64x4 Y_vals0 = {0};
                f64x4 Y_vals1 = {0};
                f64x4 Y_vals2 = {0};
                f64x4 Y_vals3 = {0};
                f64x4 Y_vals4 = {0};
                f64x4 Y_vals5 = {0};
                f64x4 Y_vals6 = {0};
                f64x4 Y_vals7 = {0};
                int32_t pA3_ahead = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                    int32_t k = A3_crd[pA3];
                    double A_val = A_vals[pA3];
                    int64_t X_base = (int64_t)k * X2_dimension;
                    Y_vals0 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                    Y_vals1 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                    Y_vals2 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                    Y_vals3 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                    Y_vals4 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 16);
                    Y_vals5 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 20);
                    Y_vals6 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 24);
                    Y_vals7 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 28);
                    int64_t X_vals_next = (int64_t)A3_crd[pA3 + pA3_ahead] * X2_dimension + r0;
                    __builtin_prefetch(X_vals + X_vals_next);
                    __builtin_prefetch(X_vals + X_vals_next + 8);
                    __builtin_prefetch(X_vals + X_vals_next + 16);
                    __builtin_prefetch(X_vals + X_vals_next + 24);
                }
                *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals0;
                *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals1;
                *(f64x4 *)(Y_vals + Y_base + r0 + 8) = Y_vals2;
                *(f64x4 *)(Y_vals + Y_base + r0 + 12) = Y_vals3;
                *(f64x4 *)(Y_vals + Y_base + r0 + 16) = Y_vals4;
                *(f64x4 *)(Y_vals + Y_base + r0 + 20) = Y_vals5;
                *(f64x4 *)(Y_vals + Y_base + r0 + 24) = Y_vals6;
                *(f64x4 *)(Y_vals + Y_base + r0 + 28) = Y_vals7;
            }
            if (r0 < X2_dimension - 15) {
                f64x4 Y_vals8 = {0};
                f64x4 Y_vals9 = {0};
                f64x4 Y_vals10 = {0};
                f64x4 Y_vals11 = {0};
                int32_t pA3_ahead0 = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                    int32_t k = A3_crd[pA3];
                    double A_val = A_vals[pA3];
                    int64_t X_base = (int64_t)k * X2_dimension;
                    Y_vals8 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                    Y_vals9 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                    Y_vals10 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                    Y_vals11 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                    int64_t X_vals_next0 = (int64_t)A3_crd[pA3 + pA3_ahead0] * X2_dimension + r0;
                    __builtin_prefetch(X_vals + X_vals_next0);
                    __builtin_prefetch(X_vals + X_vals_next0 + 8);
                }
                *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals8;
                *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals9;
                *(f64x4 *)(Y_vals + Y_base + r0 + 8) = Y_vals10;
                *(f64x4 *)(Y_vals + Y_base + r0 + 12) = Y_vals11;
                r0 += 16;
            }
            if (r0 < X2_dimension - 7) {
                f64x4 Y_vals12 = {0};
                f64x4 Y_vals13 = {0};
                int32_t pA3_ahead1 = A3_pos[pA2 + 1] <= pA3_last - 16 ? 16 : 0;
                for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                    int32_t k = A3_crd[pA3];
                    double A_val = A_vals[pA3];
                    int64_t X_base = (int64_t)k * X2_dimension;
                    Y_vals12 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                    Y_vals13 += A_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                    int64_t X_vals_next1 = (int64_t)A3_crd[pA3 + pA3_ahead1] * X2_dimension + r0;
                    __builtin_prefetch(X_vals + X_vals_next1);
                }
                *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals12;
                *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals13;
                r0 += 8;
            }
            if (r0 < X2_dimension - 3) {
                f64x4 Y_vals14 = {0};
                for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                    int32_t k = A3_crd[pA3];
                    double A_val = A_vals[pA3];
                    int64_t X_base = (int64_t)k * X2_dimension;
                    Y_vals14 += A_val * *(const f64x4 *)(X_vals + X_base + r0);
                }
                *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals14;
                r0 += 4;
            }
            if (r0 < X2_dimension) {
                for (int32_t r = r0; r < X2_dimension; r++)
                    Y_vals[Y_base + r] = 0.0;
                for (int32_t pA3 = A3_pos[pA2]; pA3 < A3_pos[pA2 + 1]; pA3++) {
                    int32_t k = A3_crd[pA3];
                    double A_val = A_vals[pA3];
                    int64_t X_base = (int64_t)k * X2_dimension;
                    for (int32_t r = r0; r < X2_dimension; r++)
                        Y_vals[Y_base + r] += A_val * X_vals[X_base + r];
                }
            }
            if (Y2_stored) {
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
