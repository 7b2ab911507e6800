/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: reorder(j,i); precompute(A(i,j), w, {j,j,jp}, {i,i,ip}, csr); reorder(ip, jp)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' -s 'reorder(j,i)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
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

#include "helpers/allocate_array.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict x_vals, double *restrict y_vals)
{
    int32_t *w2_pos = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int32_t *w2_next = NULL;
    int status = 1;
    int64_t pw2_count = 0;
    int32_t pA2_last = A2_pos[A1_dimension];
    w2_next = (int32_t *)allocate_array(A2_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    memset(w2_next, 0, (size_t)A2_dimension * sizeof(int32_t));
    for (int32_t pA2 = A2_pos[0]; pA2 < A2_pos[A1_dimension]; pA2++) {
        int32_t jp = A2_crd[pA2];
        w2_next[jp]++;
    }
    w2_pos = (int32_t *)allocate_array((int64_t)A2_dimension + 1, sizeof(int32_t));
    if (!w2_pos)
        goto fail;
    w2_pos[0] = 0;
    for (int64_t pw2_parent = 0; pw2_parent < A2_dimension; pw2_parent++) {
        int64_t pw2_children = w2_next[pw2_parent];
        w2_next[pw2_parent] = (int32_t)pw2_count;
        pw2_count += pw2_children;
        w2_pos[pw2_parent + 1] = (int32_t)pw2_count;
    }
    if (pw2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    w2_crd = (int32_t *)allocate_array(pw2_count, sizeof(int32_t));
    w_vals = (double *)allocate_array(pw2_count, sizeof(double));
    if (!w2_crd || !w_vals)
        goto fail;
    for (int32_t ip = 0; ip < A1_dimension; ip++) {
        int32_t pA2_ahead = A2_pos[ip + 1] <= pA2_last - 48 ? 48 : 0;
        if ((int64_t)A2_dimension > 32768) {
            for (int32_t pA2 = A2_pos[ip]; pA2 < A2_pos[ip + 1]; pA2++) {
                int64_t w2_crd_next = A2_crd[pA2 + pA2_ahead];
                int32_t w2_crd_target = w2_next[w2_crd_next];
                __builtin_prefetch(w2_crd + w2_crd_target);
                __builtin_prefetch(w_vals + w2_crd_target);
                int32_t jp = A2_crd[pA2];
                int64_t w_parent = jp;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = ip;
                w_vals[pw2] = A_vals[pA2];
            }
        } else {
            int32_t pA2 = A2_pos[ip];
            int32_t pA2_end = A2_pos[ip + 1];
            for (; pA2 < pA2_end - 3; pA2 += 4) {
                int32_t jp = A2_crd[pA2];
                int32_t jp_2 = A2_crd[pA2 + 1];
                int32_t jp_3 = A2_crd[pA2 + 2];
                int32_t jp_4 = A2_crd[pA2 + 3];
                double A_vals_here = A_vals[pA2];
                double A_vals_here_2 = A_vals[pA2 + 1];
                double A_vals_here_3 = A_vals[pA2 + 2];
                double A_vals_here_4 = A_vals[pA2 + 3];
                int64_t w_parent = jp;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = ip;
                w_vals[pw2] = A_vals_here;
                int64_t w_parent_2 = jp_2;
                int32_t pw2_2 = w2_next[w_parent_2];
                w2_next[w_parent_2]++;
                w2_crd[pw2_2] = ip;
                w_vals[pw2_2] = A_vals_here_2;
                int64_t w_parent_3 = jp_3;
                int32_t pw2_3 = w2_next[w_parent_3];
                w2_next[w_parent_3]++;
                w2_crd[pw2_3] = ip;
                w_vals[pw2_3] = A_vals_here_3;
                int64_t w_parent_4 = jp_4;
                int32_t pw2_4 = w2_next[w_parent_4];
                w2_next[w_parent_4]++;
                w2_crd[pw2_4] = ip;
                w_vals[pw2_4] = A_vals_here_4;
            }
            for (; pA2 < pA2_end; pA2++) {
                int32_t jp = A2_crd[pA2];
                double A_vals_here = A_vals[pA2];
                int64_t w_parent = jp;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = ip;
                w_vals[pw2] = A_vals_here;
            }
        }
    }
    SPCC_FREE(w2_next);
    memset(y_vals, 0, (size_t)A1_dimension * sizeof(double));
    for (int32_t j = 0; j < A2_dimension; j++) {
        double x_val = x_vals[j];
        int32_t pw2 = w2_pos[j];
        int32_t pw2_end = w2_pos[j + 1];
        for (; pw2 < pw2_end - 3; pw2 += 4) {
            int32_t to = w2_crd[pw2];
            int32_t to0 = w2_crd[pw2 + 1];
            int32_t to1 = w2_crd[pw2 + 2];
            int32_t to2 = w2_crd[pw2 + 3];
            f64x4 here = (f64x4){y_vals[to], y_vals[to0], y_vals[to1], y_vals[to2]};
            here += *(f64x4 *)(w_vals + pw2) * x_val;
            y_vals[to] = here[0];
            y_vals[to0] = here[1];
            y_vals[to1] = here[2];
            y_vals[to2] = here[3];
        }
        #pragma GCC unroll 1
        for (; pw2 < pw2_end; pw2++) {
            int32_t i = w2_crd[pw2];
            y_vals[i] += w_vals[pw2] * x_val;
        }
    }
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    SPCC_FREE(w2_next);
    return status;
}
