/* Z(i,j) = 2 * X(i,j)
 *     Z        f64   (i,j) -> (i/16 : compressed(nonunique, morton, pos=u64), j/16 : singleton, i%16 : compressed(nonunique, pos=u64, crd=u8), j%16 : singleton(crd=u8))
 *     X        f64   ds
 * schedule: split(i, io, ii, down, 16); split(j, jo, ji, down, 16); reorder(io, ii, jo, ji); collect(Z, w)
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

#include "helpers/min_i64.c"
#include "helpers/shl_i64.c"
#include "helpers/shr_i64.c"
#include "helpers/allocate_array.c"
#include "helpers/min_i32.c"
#include "helpers/sort_run_i64.c"
#include "helpers/sort_merge_i64.c"
#include "helpers/sort_runs_i64.c"
#include "helpers/sort_width.c"
#include "helpers/sort_places.c"
#include "helpers/sort_digits.c"
#include "helpers/sort_by_i64.c"

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
    int32_t *w1_crd = NULL, *w2_crd = NULL;
    uint8_t *w3_crd = NULL, *w4_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_order = NULL, *w_turns = NULL, *w_other = NULL, *w_place = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL;
    uint8_t *w3_sorted = NULL, *w4_sorted = NULL;
    double *w_sorted = NULL;
    int64_t pZ2 = 0;
    int64_t nZ2 = 0;
    int64_t pZ4 = 0;
    int64_t w_bits, w_numbers, Z2_capacity, Z4_capacity, pw1, pw1_end;
    int32_t io_size = X1_dimension / 16 + (X1_dimension % 16 > 0);
    int32_t jo_size = X2_dimension / 16 + (X2_dimension % 16 > 0);
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
    w3_crd = (uint8_t *)allocate_array(X2_pos[X1_dimension], sizeof(uint8_t));
    if (!w3_crd)
        goto fail;
    w4_crd = (uint8_t *)allocate_array(X2_pos[X1_dimension], sizeof(uint8_t));
    if (!w4_crd)
        goto fail;
    w_vals = (double *)allocate_array(X2_pos[X1_dimension], sizeof(double));
    if (!w_vals)
        goto fail;
    for (int32_t io = 0; io < io_size; io++) {
        int32_t base = io * 16;
        for (int32_t ii = 0; ii < min_i32(16, X1_dimension - io * 16); ii++) {
            int32_t i = base + ii;
            int32_t pX2 = X2_pos[i];
            int32_t pX2_end = X2_pos[i + 1];
            for (int32_t pX2_2 = pX2; pX2_2 < pX2_end; pX2_2++) {
                int32_t jo = X2_crd[pX2_2] / 16;
                int32_t j = X2_crd[pX2_2];
                int32_t ji = j - jo * 16;
                w1_crd[nw] = io;
                w2_crd[nw] = jo;
                w3_crd[nw] = (uint8_t)ii;
                w4_crd[nw] = (uint8_t)ji;
                w_vals[nw] = 2.0 * X_vals[pX2_2];
                nw++;
            }
        }
    }
    w_bits = (((int64_t)io_size - 1) | ((int64_t)jo_size - 1)) & 2147483647;
    w_bits = (w_bits | shl_i64(w_bits, 16)) & 140733193453567;
    w_bits = (w_bits | shl_i64(w_bits, 8)) & 35748417275625727;
    w_bits = (w_bits | shl_i64(w_bits, 4)) & 508641840267726607;
    w_bits = (w_bits | shl_i64(w_bits, 2)) & 1383505805528216371;
    w_bits = (w_bits | shl_i64(w_bits, 1)) & 1537228672809129301;
    w_numbers = w_bits * 3 + 1;
    w_order = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_turns = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_other = (int64_t *)allocate_array(nw, sizeof(int64_t));
    w_place = (int64_t *)allocate_array(4096, sizeof(int64_t));
    if (!w_order || !w_turns || !w_other || !w_place)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    if (w_numbers > 1) {
        for (int64_t pw = 0; pw < nw; pw++) {
            int64_t w_bits_2 = (int64_t)w1_crd[pw] & 2147483647;
            w_bits_2 = (w_bits_2 | shl_i64(w_bits_2, 16)) & 140733193453567;
            w_bits_2 = (w_bits_2 | shl_i64(w_bits_2, 8)) & 35748417275625727;
            w_bits_2 = (w_bits_2 | shl_i64(w_bits_2, 4)) & 508641840267726607;
            w_bits_2 = (w_bits_2 | shl_i64(w_bits_2, 2)) & 1383505805528216371;
            w_bits_2 = (w_bits_2 | shl_i64(w_bits_2, 1)) & 1537228672809129301;
            int64_t w_bits_3 = (int64_t)w2_crd[pw] & 2147483647;
            w_bits_3 = (w_bits_3 | shl_i64(w_bits_3, 16)) & 140733193453567;
            w_bits_3 = (w_bits_3 | shl_i64(w_bits_3, 8)) & 35748417275625727;
            w_bits_3 = (w_bits_3 | shl_i64(w_bits_3, 4)) & 508641840267726607;
            w_bits_3 = (w_bits_3 | shl_i64(w_bits_3, 2)) & 1383505805528216371;
            w_bits_3 = (w_bits_3 | shl_i64(w_bits_3, 1)) & 1537228672809129301;
            w_turns[pw] = shl_i64(w_bits_2, 1) | w_bits_3;
        }
        sort_by_i64(0, nw, w_turns, 0, w_numbers, w_order, w_other, w_place);
    }
    SPCC_FREE(w_other); w_other = NULL;
    SPCC_FREE(w_place); w_place = NULL;
    SPCC_FREE(w_turns); w_turns = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w1_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w1_sorted[pw] = w1_crd[w_order[pw]];
    SPCC_FREE(w1_crd); w1_crd = NULL;
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w2_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w2_sorted[pw] = w2_crd[w_order[pw]];
    SPCC_FREE(w2_crd); w2_crd = NULL;
    w3_sorted = (uint8_t *)allocate_array(nw, sizeof(uint8_t));
    if (!w3_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w3_sorted[pw] = w3_crd[w_order[pw]];
    SPCC_FREE(w3_crd); w3_crd = NULL;
    w4_sorted = (uint8_t *)allocate_array(nw, sizeof(uint8_t));
    if (!w4_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w4_sorted[pw] = w4_crd[w_order[pw]];
    SPCC_FREE(w4_crd); w4_crd = NULL;
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w_sorted)
        goto fail;
    for (int64_t pw = 0; pw < nw; pw++)
        w_sorted[pw] = w_vals[w_order[pw]];
    SPCC_FREE(w_vals); w_vals = NULL;
    SPCC_FREE(w_order); w_order = NULL;
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
        int32_t jco = w2_sorted[pw1];
        int64_t pw2_next = pw1;
        while (pw2_next < pw1_end && w1_sorted[pw2_next] == ico && w2_sorted[pw2_next] == jco)
            pw2_next++;
        int64_t pZ4_begin = pZ4;
        int64_t pw3 = pw1;
        int64_t pw3_end = pw2_next;
        for (int64_t pw4 = pw3; pw4 < pw3_end; pw4++) {
            int32_t ici = w3_sorted[pw4];
            int32_t jci = w4_sorted[pw4];
            Z_vals[pZ4] = w_sorted[pw4];
            Z3_crd[pZ4] = (uint8_t)ici;
            Z4_crd[pZ4] = (uint8_t)jci;
            pZ4++;
        }
        if (pZ4_begin < pZ4) {
            Z1_crd[pZ2] = ico;
            Z2_crd[pZ2] = jco;
            Z3_pos[pZ2 + 1] = (uint64_t)pZ4;
            pZ2++;
        }
        pw1 = pw2_next;
    }
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w4_sorted);
    SPCC_FREE(w_sorted);
    Z1_pos[1] = (uint64_t)pZ2;
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
            w2_crd, w3_crd, w4_crd, w_vals, w_order, w_turns, w_other, w_place, w1_sorted,
            w2_sorted, w3_sorted, w4_sorted, w_sorted};
        for (int at = 0; at < 22; at++)
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
