/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (i/64 : dense, j/64 : dense, i%64 : compressed(nonunique), j%64 : singleton)
 *     x        f64   d
 * schedule: convert(A(i,j), w)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csb(64)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A3_pos        A, level 3 (compressed): where each segment begins and ends
 *   A3_crd        A, level 3 (compressed): coordinates
 *   A4_crd        A, level 4 (singleton): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
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

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifndef SPCC_HAS_mod_i64
#define SPCC_HAS_mod_i64
/* What is left of a / b, and 0 where b is 0. */
static inline int64_t mod_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? 0 : a % b;
}
#endif

#ifndef SPCC_HAS_div_i64
#define SPCC_HAS_div_i64
/* a / b, and 0 where b is 0. */
static inline int64_t div_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
#endif

#ifndef SPCC_HAS_allocate_array
#define SPCC_HAS_allocate_array
/* Room for n elements of size bytes; NULL if there is none. */
static inline void *allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_MALLOC(n > 0 ? (size_t)n * size : size);
}
#endif

#ifndef SPCC_HAS_reallocate_array
#define SPCC_HAS_reallocate_array
/* Room for n elements of size bytes that holds what array held; NULL if there is none. */
static inline void *reallocate_array(void *array, int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_REALLOC(array, n > 0 ? (size_t)n * size : size);
}
#endif

#ifndef SPCC_HAS_max_i64
#define SPCC_HAS_max_i64
static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
#endif

#ifndef SPCC_HAS_sort_by_i32_i32
#define SPCC_HAS_sort_by_i32_i32
static inline void sort_by_i32_i32(int64_t n, const int32_t *restrict key, int64_t low,
                                   int64_t dimension, int64_t radix, int32_t *restrict order,
                                   int32_t *restrict other, int64_t *restrict place)
{
    int64_t unit = 1;
    int64_t rest = dimension - 1;
    while (rest > 0) {
        memset(place, 0, (size_t)(radix + 1) * sizeof(int64_t));
        for (int64_t p = 0; p < n; p++)
            place[mod_i64(div_i64(key[order[p]] - low, unit), radix) + 1]++;
        for (int64_t d = 0; d < radix; d++)
            place[d + 1] += place[d];
        for (int64_t p = 0; p < n; p++) {
            int64_t digit = mod_i64(div_i64(key[order[p]] - low, unit), radix);
            other[place[digit]] = order[p];
            place[digit]++;
        }
        for (int64_t p = 0; p < n; p++)
            order[p] = other[p];
        rest = div_i64(rest, radix);
        if (rest > 0)
            unit *= radix;
    }
}
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A3_pos,
             const int32_t *restrict A3_crd, const int32_t *restrict A4_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    int32_t *w1_pos = NULL;
    int32_t *w1_crd = NULL;
    int32_t *w2_crd = NULL;
    double *w_vals = NULL;
    int32_t *w_order = NULL;
    int32_t *w_other = NULL;
    int64_t *w_place = NULL;
    int32_t *w1_sorted = NULL;
    int32_t *w2_sorted = NULL;
    double *w_sorted = NULL;
    void *grown;
    int status = 1;
    int32_t w_gathered = 0;
    int64_t w_radix;
    int32_t pw1, pw1_end;
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    int32_t nw = 0;
    int32_t w_capacity = 16;
    w1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!w1_pos)
        goto fail;
    w1_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    w2_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    if (!w2_crd)
        goto fail;
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w_vals)
        goto fail;
    for (int32_t ipo = 0; ipo < A1_dimension / 64 + (A1_dimension % 64 > 0); ipo++) {
        int32_t base = ipo * 64;
        for (int32_t jpo = 0; jpo < A2_dimension / 64 + (A2_dimension % 64 > 0); jpo++) {
            int64_t pA2 = (int64_t)ipo * (A2_dimension / 64 + (A2_dimension % 64 > 0)) + jpo;
            int32_t pA3 = A3_pos[pA2];
            int32_t pA3_end = A3_pos[pA2 + 1];
            int32_t base_2 = jpo * 64;
            while (pA3 < pA3_end) {
                int32_t ipi = A3_crd[pA3];
                int32_t pA3_next = pA3;
                while (pA3_next < pA3_end && A3_crd[pA3_next] == ipi)
                    pA3_next++;
                int32_t ip = base + ipi;
                for (int32_t pA4 = pA3; pA4 < pA3_next; pA4++) {
                    int32_t jpi = A4_crd[pA4];
                    int32_t jp = base_2 + jpi;
                    if (nw == w_capacity) {
                        if (w_capacity == 2147483647) {
                            status = 2;
                            goto fail;
                        }
                        w_capacity = w_capacity > 1073741823 ? 2147483647 : 2 * w_capacity;
                        grown = reallocate_array(w1_crd, w_capacity, sizeof(int32_t));
                        if (!grown)
                            goto fail;
                        w1_crd = (int32_t *)grown;
                        grown = reallocate_array(w2_crd, w_capacity, sizeof(int32_t));
                        if (!grown)
                            goto fail;
                        w2_crd = (int32_t *)grown;
                        grown = reallocate_array(w_vals, w_capacity, sizeof(double));
                        if (!grown)
                            goto fail;
                        w_vals = (double *)grown;
                    }
                    w1_crd[nw] = ip;
                    w2_crd[nw] = jp;
                    w_vals[nw] = A_vals[pA4];
                    nw++;
                }
                pA3 = pA3_next;
            }
        }
    }
    w_order = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w_order)
        goto fail;
    w_radix = max_i64(256, nw);
    w_other = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w_other)
        goto fail;
    w_place = (int64_t *)allocate_array(w_radix + 1, sizeof(int64_t));
    if (!w_place)
        goto fail;
    for (int32_t pw = 0; pw < nw; pw++)
        w_order[pw] = pw;
    sort_by_i32_i32(nw, w2_crd, 0, A2_dimension, w_radix, w_order, w_other, w_place);
    sort_by_i32_i32(nw, w1_crd, 0, A1_dimension, w_radix, w_order, w_other, w_place);
    SPCC_FREE(w_other);
    w_other = NULL;
    SPCC_FREE(w_place);
    w_place = NULL;
    w1_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w1_sorted)
        goto fail;
    w2_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w2_sorted)
        goto fail;
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w_sorted)
        goto fail;
    for (int32_t pw_2 = 0; pw_2 < nw; pw_2++) {
        int32_t w_from = w_order[pw_2];
        if (w_gathered > 0 && w1_crd[w_from] == w1_sorted[w_gathered - 1] && w2_crd[w_from]
            == w2_sorted[w_gathered - 1]) {
            w_sorted[w_gathered - 1] += w_vals[w_from];
        } else {
            w1_sorted[w_gathered] = w1_crd[w_from];
            w2_sorted[w_gathered] = w2_crd[w_from];
            w_sorted[w_gathered] = w_vals[w_from];
            w_gathered++;
        }
    }
    nw = w_gathered;
    SPCC_FREE(w_order);
    w_order = NULL;
    SPCC_FREE(w1_crd);
    w1_crd = NULL;
    SPCC_FREE(w2_crd);
    w2_crd = NULL;
    SPCC_FREE(w_vals);
    w_vals = NULL;
    w1_pos[0] = 0;
    w1_pos[1] = nw;
    pw1 = w1_pos[0];
    pw1_end = w1_pos[1];
    while (pw1 < pw1_end) {
        int32_t i = w1_sorted[pw1];
        int32_t pw1_next = pw1;
        while (pw1_next < pw1_end && w1_sorted[pw1_next] == i)
            pw1_next++;
        double y_val = 0.0;
        int32_t pw2 = pw1;
        f64x4 y_val0 = {0};
        for (; pw2 < pw1_next - 3; pw2 += 4)
            y_val0 += *(f64x4 *)(w_sorted + pw2)
                * (f64x4){x_vals[w2_sorted[pw2]], x_vals[w2_sorted[pw2 + 1]],
                x_vals[w2_sorted[pw2 + 2]], x_vals[w2_sorted[pw2 + 3]]};
        y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        for (; pw2 < pw1_next; pw2++) {
            int32_t j = w2_sorted[pw2];
            y_val += w_sorted[pw2] * x_vals[j];
        }
        y_vals[i] = y_val;
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    w1_pos = NULL;
    SPCC_FREE(w1_sorted);
    w1_sorted = NULL;
    SPCC_FREE(w2_sorted);
    w2_sorted = NULL;
    SPCC_FREE(w_sorted);
    w_sorted = NULL;
    return 0;

fail:
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w_order);
    SPCC_FREE(w_other);
    SPCC_FREE(w_place);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w_sorted);
    return status;
}
