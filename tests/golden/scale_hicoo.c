/* Z(i,j) = 2 * X(i,j)
 *     Z        f64   (i,j) -> (i/16 : compressed(nonunique, morton, pos=u64), j/16 : singleton, i%16 : compressed(nonunique, pos=u64, crd=u8), j%16 : singleton(crd=u8))
 *     X        f64   ds
 * schedule: collect(Z, w)
 * made by spcc VERSION with
 *     spcc 'Z(i,j) = 2 * X(i,j)' -f 'Z:hicoo(16)' -f 'X:csr'
 *
 *   X1_dimension  size of mode 1 of X: the range of i
 *   X2_dimension  size of mode 2 of X: the range of j
 *   X2_pos        X, level 2 (compressed): where each segment begins and ends
 *   X2_crd        X, level 2 (compressed): coordinates
 *   X_vals        X's values
 *   Z1_pos_out    Z, level 1 (compressed): where each segment begins and ends
 *   Z1_crd_out    Z, level 1 (compressed): coordinates
 *   Z2_crd_out    Z, level 2 (singleton): coordinates
 *   Z3_pos_out    Z, level 3 (compressed): where each segment begins and ends
 *   Z3_crd_out    Z, level 3 (compressed): coordinates
 *   Z4_crd_out    Z, level 4 (singleton): coordinates
 *   Z_vals_out    Z's values
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
#include "helpers/max_i64.c"
#include "helpers/reallocate_array.c"
#include "helpers/sort_run_i32_i64.c"
#include "helpers/sort_merge_i32_i64.c"
#include "helpers/sort_runs_i32_i64.c"
#include "helpers/sort_digit.c"
#include "helpers/sort_count.c"
#include "helpers/sort_rest_i32.c"
#include "helpers/sort_places.c"
#include "helpers/sort_by_i32_i64.c"
#include "helpers/morton_bits_i64.c"
#include "helpers/morton_spread_i32.c"
#include "helpers/morton_numbers_i64.c"
#include "helpers/sort_run_i64_i64.c"
#include "helpers/sort_merge_i64_i64.c"
#include "helpers/sort_runs_i64_i64.c"
#include "helpers/sort_rest_i64.c"
#include "helpers/sort_by_i64_i64.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t X1_dimension, int32_t X2_dimension, const int32_t *restrict X2_pos,
             const int32_t *restrict X2_crd, const double *restrict X_vals, uint64_t **Z1_pos_out,
             int32_t **Z1_crd_out, int32_t **Z2_crd_out, uint64_t **Z3_pos_out,
             uint8_t **Z3_crd_out, uint8_t **Z4_crd_out, double **Z_vals_out)
{
    uint64_t *Z1_pos = NULL;
    int32_t *Z1_crd = NULL, *Z2_crd = NULL;
    uint64_t *Z3_pos = NULL;
    uint8_t *Z3_crd = NULL, *Z4_crd = NULL;
    double *Z_vals = NULL;
    int64_t *w1_pos = NULL;
    int32_t *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL, *w4_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_order = NULL, *w_other = NULL, *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL, *w4_sorted = NULL;
    double *w_sorted = NULL;
    int64_t *Z_from1 = NULL, *Z_from2 = NULL, *Z_order = NULL, *Z_key = NULL, *Z_other = NULL,
            *Z_place = NULL;
    int32_t *Z1_crd_before = NULL, *Z2_crd_before = NULL;
    uint64_t *Z3_pos_before = NULL;
    uint8_t *Z3_crd_before = NULL, *Z4_crd_before = NULL;
    double *Z_vals_before = NULL;
    int64_t w_run = 0;
    int64_t pZ2 = 0;
    int64_t nZ2 = 0;
    int64_t pZ4 = 0;
    int64_t Z_next1 = 0;
    int64_t Z_next2 = 0;
    int64_t Z2_capacity, Z4_capacity, pw1, pw1_end, Z_blocks, Z_largest, Z_bits;
    int32_t jo_size = X2_dimension / 16 + (X2_dimension % 16 > 0);
    int32_t ico_size = X1_dimension / 16 + (X1_dimension % 16 > 0);
    int32_t jco_size = X2_dimension / 16 + (X2_dimension % 16 > 0);
    int64_t nw = 0;
    w1_pos = (int64_t *)allocate_array(2, sizeof(int64_t));
    if (!w1_pos)
        goto fail;
    w1_crd = (int32_t *)allocate_array(X2_pos[X1_dimension], sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    w2_crd = (int32_t *)allocate_array(X2_pos[X1_dimension], sizeof(int32_t));
    if (!w2_crd)
        goto fail;
    w3_crd = (int32_t *)allocate_array(X2_pos[X1_dimension], sizeof(int32_t));
    if (!w3_crd)
        goto fail;
    w4_crd = (int32_t *)allocate_array(X2_pos[X1_dimension], sizeof(int32_t));
    if (!w4_crd)
        goto fail;
    w_vals = (double *)allocate_array(X2_pos[X1_dimension], sizeof(double));
    if (!w_vals)
        goto fail;
    for (int32_t pX2 = X2_pos[0]; pX2 < X2_pos[X1_dimension]; pX2++) {
        int32_t j = X2_crd[pX2];
        int32_t jo = j / 16;
        int32_t ji = j % 16;
        w2_crd[nw + (pX2 - X2_pos[0])] = jo;
        w4_crd[nw + (pX2 - X2_pos[0])] = ji;
        w_vals[nw + (pX2 - X2_pos[0])] = 2.0 * X_vals[pX2];
    }
    for (int32_t i = 0; i < X1_dimension; i++) {
        int32_t io = i / 16;
        int32_t ii = i % 16;
        for (int32_t pX2 = X2_pos[i]; pX2 < X2_pos[i + 1]; pX2++) {
            w1_crd[nw] = io;
            w3_crd[nw] = ii;
            nw++;
        }
    }
    w_order = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_other = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_place = (int64_t *)allocate_array(512, sizeof(int64_t));
    if (!w_order || !w_other || !w_place)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    while (w_run < nw) {
        int64_t w_run_end = w_run + 1;
        while (w_run_end < nw && w1_crd[w_run_end] == w1_crd[w_run])
            w_run_end++;
        sort_by_i32_i64(w_run, w_run_end, w2_crd, 0, jo_size, w_order, w_other, w_place);
        w_run = w_run_end;
    }
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w3_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w4_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w1_sorted || !w2_sorted || !w3_sorted || !w4_sorted || !w_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++) {
        int64_t w_from = w_order[pw];
        w1_sorted[pw] = w1_crd[w_from];
        w2_sorted[pw] = w2_crd[w_from];
        w3_sorted[pw] = w3_crd[w_from];
        w4_sorted[pw] = w4_crd[w_from];
        w_sorted[pw] = w_vals[w_from];
    }
    SPCC_FREE(w_order); w_order = NULL;
    SPCC_FREE(w1_crd); w1_crd = NULL;
    SPCC_FREE(w2_crd); w2_crd = NULL;
    SPCC_FREE(w3_crd); w3_crd = NULL;
    SPCC_FREE(w4_crd); w4_crd = NULL;
    SPCC_FREE(w_vals); w_vals = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    Z1_pos = (uint64_t *)allocate_array(2, sizeof(uint64_t));
    if (!Z1_pos)
        goto fail;
    Z1_pos[0] = 0;
    for (int64_t pw = 0; pw < nw; pw++) {
        if (pw == 0 || w1_sorted[pw] != w1_sorted[pw - 1] || w2_sorted[pw] != w2_sorted[pw - 1])
            nZ2++;
    }
    Z2_capacity = nZ2;
    Z1_crd = (int32_t *)allocate_array(Z2_capacity, sizeof(int32_t));
    Z2_crd = (int32_t *)allocate_array(Z2_capacity, sizeof(int32_t));
    Z3_pos = (uint64_t *)allocate_array(Z2_capacity + 1, sizeof(uint64_t));
    if (!Z1_crd || !Z2_crd || !Z3_pos)
        goto fail;
    Z3_pos[0] = 0;
    Z4_capacity = nw;
    Z3_crd = (uint8_t *)allocate_array(Z4_capacity, sizeof(uint8_t));
    Z4_crd = (uint8_t *)allocate_array(Z4_capacity, sizeof(uint8_t));
    Z_vals = (double *)allocate_array(Z4_capacity, sizeof(double));
    if (!Z3_crd || !Z4_crd || !Z_vals)
        goto fail;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t ico = w1_sorted[pw1];
        int64_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == ico)
            pw1_next++;
        int64_t pw2 = pw1;
        int64_t pw2_end = pw1_next;
        while (pw2 < pw2_end) {
            int32_t jco = w2_sorted[pw2];
            int64_t pw2_next = pw2;
            while (pw2_next < pw2_end && w2_sorted[pw2_next] == jco)
                pw2_next++;
            int64_t pZ4_begin = pZ4;
            int64_t pw3 = pw2;
            int64_t pw3_end = pw2_next;
            while (pw3 < pw3_end) {
                int32_t ici = w3_sorted[pw3];
                int64_t pw3_next = pw3;
                while (pw3_next < pw3_end && w3_sorted[pw3_next] == ici)
                    pw3_next++;
                for (int64_t pw4 = pw3; pw4 < pw3_next; pw4++) {
                    int32_t jci = w4_sorted[pw4];
                    Z_vals[pZ4] = w_sorted[pw4];
                    Z3_crd[pZ4] = (uint8_t)ici;
                    Z4_crd[pZ4] = (uint8_t)jci;
                    pZ4++;
                }
                pw3 = pw3_next;
            }
            if (pZ4_begin < pZ4) {
                Z1_crd[pZ2] = ico;
                Z2_crd[pZ2] = jco;
                Z3_pos[pZ2 + 1] = (uint64_t)pZ4;
                pZ2++;
            }
            pw2 = pw2_next;
        }
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos); w1_pos = NULL;
    SPCC_FREE(w1_sorted); w1_sorted = NULL;
    SPCC_FREE(w2_sorted); w2_sorted = NULL;
    SPCC_FREE(w3_sorted); w3_sorted = NULL;
    SPCC_FREE(w4_sorted); w4_sorted = NULL;
    SPCC_FREE(w_sorted); w_sorted = NULL;
    Z1_pos[1] = (uint64_t)pZ2;
    Z_blocks = (int64_t)Z1_pos[1];
    Z_from1 = (int64_t *)allocate_array(Z_blocks + 1, sizeof(int64_t));
    Z_from2 = (int64_t *)allocate_array(Z_blocks + 1, sizeof(int64_t));
    if (!Z_from1 || !Z_from2)
        goto fail;
    for (int64_t Z_block = 0; Z_block < Z_blocks + 1; Z_block++) {
        Z_from1[Z_block] = Z_block;
        Z_from2[Z_block] = (int64_t)Z3_pos[Z_from1[Z_block]];
    }
    Z_largest = max_i64(ico_size, jco_size);
    Z_order = (int64_t *)allocate_array(Z_blocks, sizeof(int64_t));
    Z_key = (int64_t *)allocate_array(Z_blocks, sizeof(int64_t));
    Z_other = (int64_t *)allocate_array(Z_blocks, sizeof(int64_t));
    Z_place = (int64_t *)allocate_array(512, sizeof(int64_t));
    if (!Z_order || !Z_key || !Z_other || !Z_place)
        goto fail;
    for (int64_t Z_block = 0; Z_block < Z_blocks; Z_block++)
        Z_order[Z_block] = Z_block;
    Z_bits = morton_bits_i64(Z_largest, 0, 31);
    if (Z_bits > 0) {
        for (int64_t Z_block = 0; Z_block < Z_blocks; Z_block++)
            Z_key[Z_block] = morton_spread_i32(Z1_crd[Z_block], 0, Z_bits, 2) * 2
                + morton_spread_i32(Z2_crd[Z_block], 0, Z_bits, 2);
        sort_by_i64_i64(0, Z_blocks, Z_key, 0, morton_numbers_i64(Z_bits * 2), Z_order, Z_other,
                        Z_place);
    }
    SPCC_FREE(Z_key); Z_key = NULL;
    SPCC_FREE(Z_other); Z_other = NULL;
    SPCC_FREE(Z_place); Z_place = NULL;
    Z1_crd_before = (int32_t *)allocate_array(Z_from1[Z_blocks], sizeof(int32_t));
    if (!Z1_crd_before)
        goto fail;
    for (int64_t at = 0; at < Z_from1[Z_blocks]; at++)
        Z1_crd_before[at] = Z1_crd[at];
    Z1_crd = (int32_t *)reallocate_array(Z1_crd, Z_from1[Z_blocks], sizeof(int32_t));
    if (!Z1_crd)
        goto fail;
    Z2_crd_before = (int32_t *)allocate_array(Z_from1[Z_blocks], sizeof(int32_t));
    if (!Z2_crd_before)
        goto fail;
    for (int64_t at = 0; at < Z_from1[Z_blocks]; at++)
        Z2_crd_before[at] = Z2_crd[at];
    Z2_crd = (int32_t *)reallocate_array(Z2_crd, Z_from1[Z_blocks], sizeof(int32_t));
    if (!Z2_crd)
        goto fail;
    Z3_pos_before = (uint64_t *)allocate_array(Z_from1[Z_blocks] + 1, sizeof(uint64_t));
    if (!Z3_pos_before)
        goto fail;
    for (int64_t at = 0; at < Z_from1[Z_blocks] + 1; at++)
        Z3_pos_before[at] = Z3_pos[at];
    Z3_pos = (uint64_t *)reallocate_array(Z3_pos, Z_from1[Z_blocks] + 1, sizeof(uint64_t));
    if (!Z3_pos)
        goto fail;
    Z3_crd_before = (uint8_t *)allocate_array(Z_from2[Z_blocks], sizeof(uint8_t));
    if (!Z3_crd_before)
        goto fail;
    for (int64_t at = 0; at < Z_from2[Z_blocks]; at++)
        Z3_crd_before[at] = Z3_crd[at];
    Z3_crd = (uint8_t *)reallocate_array(Z3_crd, Z_from2[Z_blocks], sizeof(uint8_t));
    if (!Z3_crd)
        goto fail;
    Z4_crd_before = (uint8_t *)allocate_array(Z_from2[Z_blocks], sizeof(uint8_t));
    if (!Z4_crd_before)
        goto fail;
    for (int64_t at = 0; at < Z_from2[Z_blocks]; at++)
        Z4_crd_before[at] = Z4_crd[at];
    Z4_crd = (uint8_t *)reallocate_array(Z4_crd, Z_from2[Z_blocks], sizeof(uint8_t));
    if (!Z4_crd)
        goto fail;
    Z_vals_before = (double *)allocate_array(Z_from2[Z_blocks], sizeof(double));
    if (!Z_vals_before)
        goto fail;
    for (int64_t at = 0; at < Z_from2[Z_blocks]; at++)
        Z_vals_before[at] = Z_vals[at];
    Z_vals = (double *)reallocate_array(Z_vals, Z_from2[Z_blocks], sizeof(double));
    if (!Z_vals)
        goto fail;
    for (int64_t Z_turn = 0; Z_turn < Z_blocks; Z_turn++) {
        int64_t Z_block = Z_order[Z_turn];
        int64_t Z_begin1 = Z_from1[Z_block];
        int64_t Z_length1 = Z_from1[Z_block + 1] - Z_begin1;
        int64_t Z_begin2 = Z_from2[Z_block];
        int64_t Z_length2 = Z_from2[Z_block + 1] - Z_begin2;
        for (int64_t at = 0; at < Z_length1; at++)
            Z1_crd[Z_next1 + at] = Z1_crd_before[Z_begin1 + at];
        for (int64_t at = 0; at < Z_length1; at++)
            Z2_crd[Z_next1 + at] = Z2_crd_before[Z_begin1 + at];
        for (int64_t pZ3_parent = 0; pZ3_parent < Z_length1; pZ3_parent++)
            Z3_pos[Z_next1 + (pZ3_parent + 1)] = (uint64_t)(Z_next2 - Z_begin2)
                + Z3_pos_before[Z_begin1 + (pZ3_parent + 1)];
        for (int64_t at = 0; at < Z_length2; at++)
            Z3_crd[Z_next2 + at] = Z3_crd_before[Z_begin2 + at];
        for (int64_t at = 0; at < Z_length2; at++)
            Z4_crd[Z_next2 + at] = Z4_crd_before[Z_begin2 + at];
        for (int64_t at = 0; at < Z_length2; at++)
            Z_vals[Z_next2 + at] = Z_vals_before[Z_begin2 + at];
        Z_next1 += Z_length1;
        Z_next2 += Z_length2;
    }
    SPCC_FREE(Z1_crd_before);
    SPCC_FREE(Z2_crd_before);
    SPCC_FREE(Z3_pos_before);
    SPCC_FREE(Z3_crd_before);
    SPCC_FREE(Z4_crd_before);
    SPCC_FREE(Z_vals_before);
    SPCC_FREE(Z_order);
    SPCC_FREE(Z_from1);
    SPCC_FREE(Z_from2);
    *Z1_pos_out = Z1_pos;
    *Z1_crd_out = Z1_crd;
    *Z2_crd_out = Z2_crd;
    *Z3_pos_out = Z3_pos;
    *Z3_crd_out = Z3_crd;
    *Z4_crd_out = Z4_crd;
    *Z_vals_out = Z_vals;
    return 0;

fail:
    {
        void *left[] = {Z1_pos, Z1_crd, Z2_crd, Z3_pos, Z3_crd, Z4_crd, Z_vals, w1_pos, w1_crd,
            w2_crd, w3_crd, w4_crd, w_vals, w_order, w_other, w_place, w1_sorted, w2_sorted,
            w3_sorted, w4_sorted, w_sorted, Z_from1, Z_from2, Z_order, Z_key, Z_other, Z_place,
            Z1_crd_before, Z2_crd_before, Z3_pos_before, Z3_crd_before, Z4_crd_before,
            Z_vals_before};
        for (int at = 0; at < 33; at++)
            SPCC_FREE(left[at]);
    }
    *Z1_pos_out = NULL;
    *Z1_crd_out = NULL;
    *Z2_crd_out = NULL;
    *Z3_pos_out = NULL;
    *Z3_crd_out = NULL;
    *Z4_crd_out = NULL;
    *Z_vals_out = NULL;
    return 1;
}
