/* Y(i,r) = G(i,k) * X(k,r)
 *     Y        f64   sd
 *     G        f64   ss
 *     X        f64   dd
 * schedule: reorder(i, k, r)
 * made by spcc VERSION with
 *     spcc 'Y(i,r) = G(i,k) * X(k,r)' -f 'Y:sd' -f 'G:dcsr'
 *
 *   G1_dimension  size of mode 1 of G: the range of i
 *   G2_dimension  size of mode 2 of G: the range of k
 *   G1_pos        G, level 1 (compressed): where each segment begins and ends
 *   G1_crd        G, level 1 (compressed): coordinates
 *   G2_pos        G, level 2 (compressed): where each segment begins and ends
 *   G2_crd        G, level 2 (compressed): coordinates
 *   G_vals        G's values
 *   X2_dimension  size of mode 2 of X: the range of r
 *   X_vals        X's values
 *   Y1_pos_out    Y, level 1 (compressed): where each segment begins and ends
 *   Y1_crd_out    Y, level 1 (compressed): coordinates
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
int evaluate(int32_t G1_dimension, int32_t G2_dimension, const int32_t *restrict G1_pos,
             const int32_t *restrict G1_crd, const int32_t *restrict G2_pos,
             const int32_t *restrict G2_crd, const double *restrict G_vals, int32_t X2_dimension,
             const double *restrict X_vals, int32_t **Y1_pos_out, int32_t **Y1_crd_out,
             double **Y_vals_out)
{
    (void)G1_dimension;
    (void)G2_dimension;
    int32_t *Y1_pos = NULL, *Y1_crd = NULL;
    double *Y_vals = NULL;
    int32_t pY1 = 0;
    int32_t Y1_capacity;
    int32_t pG2_last = G2_pos[G1_pos[1]];
    Y1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!Y1_pos)
        goto fail;
    Y1_pos[0] = 0;
    Y1_capacity = G1_pos[1];
    Y1_crd = (int32_t *)allocate_array(Y1_capacity, sizeof(int32_t));
    Y_vals = (double *)allocate_array((int64_t)Y1_capacity * X2_dimension, sizeof(double));
    if (!Y1_crd || !Y_vals)
        goto fail;
    for (int32_t pG1 = G1_pos[0]; pG1 < G1_pos[1]; pG1++) {
        int32_t i = G1_crd[pG1];
        bool Y1_stored = G2_pos[pG1] < G2_pos[pG1 + 1];
        int64_t Y_base = (int64_t)pY1 * X2_dimension;
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
            int32_t pG2_ahead = G2_pos[pG1 + 1] <= pG2_last - 16 ? 16 : 0;
            for (int32_t pG2 = G2_pos[pG1]; pG2 < G2_pos[pG1 + 1]; pG2++) {
                int32_t k = G2_crd[pG2];
                double G_val = G_vals[pG2];
                int64_t X_base = (int64_t)k * X2_dimension;
                Y_vals0 += G_val * *(const f64x4 *)(X_vals + X_base + r0);
                Y_vals1 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                Y_vals2 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                Y_vals3 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                Y_vals4 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 16);
                Y_vals5 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 20);
                Y_vals6 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 24);
                Y_vals7 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 28);
                int64_t X_vals_next = (int64_t)G2_crd[pG2 + pG2_ahead] * X2_dimension + r0;
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
            int32_t pG2_ahead0 = G2_pos[pG1 + 1] <= pG2_last - 16 ? 16 : 0;
            for (int32_t pG2 = G2_pos[pG1]; pG2 < G2_pos[pG1 + 1]; pG2++) {
                int32_t k = G2_crd[pG2];
                double G_val = G_vals[pG2];
                int64_t X_base = (int64_t)k * X2_dimension;
                Y_vals8 += G_val * *(const f64x4 *)(X_vals + X_base + r0);
                Y_vals9 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                Y_vals10 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 8);
                Y_vals11 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 12);
                int64_t X_vals_next0 = (int64_t)G2_crd[pG2 + pG2_ahead0] * X2_dimension + r0;
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
            int32_t pG2_ahead1 = G2_pos[pG1 + 1] <= pG2_last - 16 ? 16 : 0;
            for (int32_t pG2 = G2_pos[pG1]; pG2 < G2_pos[pG1 + 1]; pG2++) {
                int32_t k = G2_crd[pG2];
                double G_val = G_vals[pG2];
                int64_t X_base = (int64_t)k * X2_dimension;
                Y_vals12 += G_val * *(const f64x4 *)(X_vals + X_base + r0);
                Y_vals13 += G_val * *(const f64x4 *)(X_vals + X_base + r0 + 4);
                int64_t X_vals_next1 = (int64_t)G2_crd[pG2 + pG2_ahead1] * X2_dimension + r0;
                __builtin_prefetch(X_vals + X_vals_next1);
            }
            *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals12;
            *(f64x4 *)(Y_vals + Y_base + r0 + 4) = Y_vals13;
            r0 += 8;
        }
        if (r0 < X2_dimension - 3) {
            f64x4 Y_vals14 = {0};
            for (int32_t pG2 = G2_pos[pG1]; pG2 < G2_pos[pG1 + 1]; pG2++) {
                int32_t k = G2_crd[pG2];
                double G_val = G_vals[pG2];
                int64_t X_base = (int64_t)k * X2_dimension;
                Y_vals14 += G_val * *(const f64x4 *)(X_vals + X_base + r0);
            }
            *(f64x4 *)(Y_vals + Y_base + r0) = Y_vals14;
            r0 += 4;
        }
        if (r0 < X2_dimension) {
            for (int32_t r = r0; r < X2_dimension; r++)
                Y_vals[Y_base + r] = 0.0;
            for (int32_t pG2 = G2_pos[pG1]; pG2 < G2_pos[pG1 + 1]; pG2++) {
                int32_t k = G2_crd[pG2];
                double G_val = G_vals[pG2];
                int64_t X_base = (int64_t)k * X2_dimension;
                for (int32_t r = r0; r < X2_dimension; r++)
                    Y_vals[Y_base + r] += G_val * X_vals[X_base + r];
            }
        }
        if (Y1_stored) {
            Y1_crd[pY1] = i;
            pY1++;
        }
    }
    Y1_pos[1] = pY1;
    *Y1_pos_out = Y1_pos;
    *Y1_crd_out = Y1_crd;
    *Y_vals_out = Y_vals;
    return 0;

fail:
    SPCC_FREE(Y1_pos);
    SPCC_FREE(Y1_crd);
    SPCC_FREE(Y_vals);
    *Y1_pos_out = NULL;
    *Y1_crd_out = NULL;
    *Y_vals_out = NULL;
    return 1;
}
