/* A(i,r) = T(i,k,l) * C(k,r) * D(l,r)
 *     A        f64   dd
 *     T        f64   (i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, i%2 : dense, j%2 : dense, k%2 : dense)
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i, k, l, r); convert(T(i,k,l), w)
 * made by spcc VERSION with
 *     spcc 'A(i,r) = T(i,k,l) * C(k,r) * D(l,r)' -f 'T:(i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, i%2 : dense, j%2 : dense, k%2 : dense)'
 *
 *   T1_dimension  size of mode 1 of T: the range of i
 *   T2_dimension  size of mode 2 of T: the range of k
 *   T3_dimension  size of mode 3 of T: the range of l
 *   T1_pos        T, level 1 (compressed): where each segment begins and ends
 *   T1_crd        T, level 1 (compressed): coordinates
 *   T2_crd        T, level 2 (singleton): coordinates
 *   T3_crd        T, level 3 (singleton): coordinates
 *   T_vals        T's values
 *   C2_dimension  size of mode 2 of C: the range of r
 *   C_vals        C's values
 *   D_vals        D's values
 *   A_vals        A's values
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
int evaluate(int32_t T1_dimension, int32_t T2_dimension, int32_t T3_dimension,
             const int32_t *restrict T1_pos, const int32_t *restrict T1_crd,
             const int32_t *restrict T2_crd, const int32_t *restrict T3_crd,
             const double *restrict T_vals, int32_t C2_dimension, const double *restrict C_vals,
             const double *restrict D_vals, double *restrict A_vals)
{
    int32_t *w1_pos = NULL;
    int32_t *w1_crd = NULL;
    int32_t *w2_crd = NULL;
    int32_t *w3_crd = NULL;
    double *w_vals = NULL;
    int32_t *w_order = NULL;
    int32_t *w_other = NULL;
    int64_t *w_place = NULL;
    int32_t *w1_sorted = NULL;
    int32_t *w2_sorted = NULL;
    int32_t *w3_sorted = NULL;
    double *w_sorted = NULL;
    void *grown;
    int status = 1;
    int32_t pT1, pT1_end;
    int32_t w_gathered = 0;
    int64_t w_radix;
    int32_t pw1, pw1_end;
    memset(A_vals, 0, (size_t)((int64_t)T1_dimension * C2_dimension) * sizeof(double));
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
    w3_crd = (int32_t *)allocate_array(w_capacity, sizeof(int32_t));
    if (!w3_crd)
        goto fail;
    w_vals = (double *)allocate_array(w_capacity, sizeof(double));
    if (!w_vals)
        goto fail;
    pT1 = T1_pos[0];
    pT1_end = T1_pos[1];
    while (pT1 < pT1_end) {
        int32_t ipo = T1_crd[pT1];
        int32_t pT1_next = pT1;
        while (pT1_next < pT1_end && T1_crd[pT1_next] == ipo)
            pT1_next++;
        int32_t pT2 = pT1;
        int32_t pT2_end = pT1_next;
        int32_t base_2 = ipo * 2;
        int32_t base = T1_dimension - base_2;
        while (pT2 < pT2_end) {
            int32_t kpo = T2_crd[pT2];
            int32_t pT2_next = pT2;
            while (pT2_next < pT2_end && T2_crd[pT2_next] == kpo)
                pT2_next++;
            int32_t base_4 = kpo * 2;
            int32_t base_3 = T2_dimension - base_4;
            for (int32_t pT3 = pT2; pT3 < pT2_next; pT3++) {
                int32_t lpo = T3_crd[pT3];
                int64_t base_5 = (int64_t)pT3 * 2;
                int32_t base_7 = lpo * 2;
                int32_t base_6 = T3_dimension - base_7;
                for (int32_t ipi = 0; ipi < (2 < base ? 2 : base); ipi++) {
                    int32_t ip = base_2 + ipi;
                    int64_t pT4 = base_5 + ipi;
                    int64_t base_8 = pT4 * 2;
                    for (int32_t kpi = 0; kpi < (2 < base_3 ? 2 : base_3); kpi++) {
                        int32_t kp = base_4 + kpi;
                        int64_t pT5 = base_8 + kpi;
                        int64_t T_base = pT5 * 2;
                        for (int32_t lpi = 0; lpi < (2 < base_6 ? 2 : base_6); lpi++) {
                            int32_t lp = base_7 + lpi;
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
                                grown = reallocate_array(w3_crd, w_capacity, sizeof(int32_t));
                                if (!grown)
                                    goto fail;
                                w3_crd = (int32_t *)grown;
                                grown = reallocate_array(w_vals, w_capacity, sizeof(double));
                                if (!grown)
                                    goto fail;
                                w_vals = (double *)grown;
                            }
                            w1_crd[nw] = ip;
                            w2_crd[nw] = kp;
                            w3_crd[nw] = lp;
                            w_vals[nw] = T_vals[T_base + lpi];
                            nw++;
                        }
                    }
                }
            }
            pT2 = pT2_next;
        }
        pT1 = pT1_next;
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
    sort_by_i32_i32(nw, w3_crd, 0, T3_dimension, w_radix, w_order, w_other, w_place);
    sort_by_i32_i32(nw, w2_crd, 0, T2_dimension, w_radix, w_order, w_other, w_place);
    sort_by_i32_i32(nw, w1_crd, 0, T1_dimension, w_radix, w_order, w_other, w_place);
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
    w3_sorted = (int32_t *)allocate_array(nw, sizeof(int32_t));
    if (!w3_sorted)
        goto fail;
    w_sorted = (double *)allocate_array(nw, sizeof(double));
    if (!w_sorted)
        goto fail;
    for (int32_t pw_2 = 0; pw_2 < nw; pw_2++) {
        int32_t w_from = w_order[pw_2];
        if (w_gathered > 0 && w1_crd[w_from] == w1_sorted[w_gathered - 1] && w2_crd[w_from]
            == w2_sorted[w_gathered - 1] && w3_crd[w_from] == w3_sorted[w_gathered - 1]) {
            w_sorted[w_gathered - 1] += w_vals[w_from];
        } else {
            w1_sorted[w_gathered] = w1_crd[w_from];
            w2_sorted[w_gathered] = w2_crd[w_from];
            w3_sorted[w_gathered] = w3_crd[w_from];
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
    SPCC_FREE(w3_crd);
    w3_crd = NULL;
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
        int32_t pw2 = pw1;
        int32_t pw2_end = pw1_next;
        int64_t A_base = (int64_t)i * C2_dimension;
        while (pw2 < pw2_end) {
            int32_t k = w2_sorted[pw2];
            int32_t pw2_next = pw2;
            while (pw2_next < pw2_end && w2_sorted[pw2_next] == k)
                pw2_next++;
            int64_t C_base = (int64_t)k * C2_dimension;
            if (pw2 < pw2_next) {
                int32_t r0 = 0;
                for (; r0 < C2_dimension - 31; r0 += 32) {
                    f64x4 A_vals0 = *(f64x4 *)(A_vals + A_base + r0);
                    f64x4 A_vals1 = *(f64x4 *)(A_vals + A_base + r0 + 4);
                    f64x4 A_vals2 = *(f64x4 *)(A_vals + A_base + r0 + 8);
                    f64x4 A_vals3 = *(f64x4 *)(A_vals + A_base + r0 + 12);
                    f64x4 A_vals4 = *(f64x4 *)(A_vals + A_base + r0 + 16);
                    f64x4 A_vals5 = *(f64x4 *)(A_vals + A_base + r0 + 20);
                    f64x4 A_vals6 = *(f64x4 *)(A_vals + A_base + r0 + 24);
                    f64x4 A_vals7 = *(f64x4 *)(A_vals + A_base + r0 + 28);
                    for (int32_t pw3 = pw2; pw3 < pw2_next; pw3++) {
                        int32_t l = w3_sorted[pw3];
                        double w_val = w_sorted[pw3];
                        int64_t D_base = (int64_t)l * C2_dimension;
                        A_vals0 += w_val * *(const f64x4 *)(C_vals + C_base + r0)
                            * *(const f64x4 *)(D_vals + D_base + r0);
                        A_vals1 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 4)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 4);
                        A_vals2 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 8)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 8);
                        A_vals3 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 12)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 12);
                        A_vals4 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 16)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 16);
                        A_vals5 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 20)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 20);
                        A_vals6 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 24)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 24);
                        A_vals7 += w_val * *(const f64x4 *)(C_vals + C_base + r0 + 28)
                            * *(const f64x4 *)(D_vals + D_base + r0 + 28);
                    }
                    *(f64x4 *)(A_vals + A_base + r0) = A_vals0;
                    *(f64x4 *)(A_vals + A_base + r0 + 4) = A_vals1;
                    *(f64x4 *)(A_vals + A_base + r0 + 8) = A_vals2;
                    *(f64x4 *)(A_vals + A_base + r0 + 12) = A_vals3;
                    *(f64x4 *)(A_vals + A_base + r0 + 16) = A_vals4;
                    *(f64x4 *)(A_vals + A_base + r0 + 20) = A_vals5;
                    *(f64x4 *)(A_vals + A_base + r0 + 24) = A_vals6;
                    *(f64x4 *)(A_vals + A_base + r0 + 28) = A_vals7;
                }
                for (; r0 < C2_dimension - 3; r0 += 4) {
                    f64x4 A_vals8 = *(f64x4 *)(A_vals + A_base + r0);
                    for (int32_t pw3 = pw2; pw3 < pw2_next; pw3++) {
                        int32_t l = w3_sorted[pw3];
                        double w_val = w_sorted[pw3];
                        int64_t D_base = (int64_t)l * C2_dimension;
                        A_vals8 += w_val * *(const f64x4 *)(C_vals + C_base + r0)
                            * *(const f64x4 *)(D_vals + D_base + r0);
                    }
                    *(f64x4 *)(A_vals + A_base + r0) = A_vals8;
                }
                if (r0 < C2_dimension) {
                    for (int32_t pw3 = pw2; pw3 < pw2_next; pw3++) {
                        int32_t l = w3_sorted[pw3];
                        double w_val = w_sorted[pw3];
                        int64_t D_base = (int64_t)l * C2_dimension;
                        for (int32_t r = r0; r < C2_dimension; r++)
                            A_vals[A_base + r] += w_val * C_vals[C_base + r] * D_vals[D_base + r];
                    }
                }
            }
            pw2 = pw2_next;
        }
        pw1 = pw1_next;
    }
    SPCC_FREE(w1_pos);
    w1_pos = NULL;
    SPCC_FREE(w1_sorted);
    w1_sorted = NULL;
    SPCC_FREE(w2_sorted);
    w2_sorted = NULL;
    SPCC_FREE(w3_sorted);
    w3_sorted = NULL;
    SPCC_FREE(w_sorted);
    w_sorted = NULL;
    return 0;

fail:
    SPCC_FREE(w1_pos);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w3_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w_order);
    SPCC_FREE(w_other);
    SPCC_FREE(w_place);
    SPCC_FREE(w1_sorted);
    SPCC_FREE(w2_sorted);
    SPCC_FREE(w3_sorted);
    SPCC_FREE(w_sorted);
    return status;
}
