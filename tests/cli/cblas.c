/* cblas.c - the two functions of a BLAS library that kernels call, as slow as they come.
 *
 * Each call is checked as the reference implementation checks it, and says on standard error what
 * it was asked for, so that tests see who has multiplied.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

static void check(const char *name, int order, int ta, int tb, int m, int n, int k, int lda,
                  int ldb, int ldc)
{
    int a_columns = ta == TRANS ? m : k, b_columns = tb == TRANS ? k : n;
    int legal = order == ROW_MAJOR && (ta == NO_TRANS || ta == TRANS)
                && (tb == NO_TRANS || tb == TRANS) && m >= 0 && n >= 0 && k >= 0 && lda > 0
                && ldb > 0 && ldc > 0 && lda >= a_columns && ldb >= b_columns && ldc >= n;
    fprintf(stderr, "%s %c%c %d %d %d\n", name, ta == TRANS ? 'T' : 'N', tb == TRANS ? 'T' : 'N', m,
            n, k);
    if (!legal) {
        fprintf(stderr, "%s: illegal arguments\n", name);
        abort();
    }
}

#define GEMM(NAME, T)                                                                       \
    void NAME(int order, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, \
              const T *b, int ldb, T beta, T *c, int ldc);                                  \
    void NAME(int order, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, \
              const T *b, int ldb, T beta, T *c, int ldc)                                   \
    {                                                                                       \
        check(#NAME, order, ta, tb, m, n, k, lda, ldb, ldc);                                \
        for (int i = 0; i < m; i++)                                                         \
            for (int j = 0; j < n; j++) {                                                   \
                T sum = 0;                                                                  \
                for (int x = 0; x < k; x++)                                                 \
                    sum += (ta == TRANS ? a[(size_t)x * (size_t)lda + (size_t)i]            \
                                        : a[(size_t)i * (size_t)lda + (size_t)x])           \
                           * (tb == TRANS ? b[(size_t)j * (size_t)ldb + (size_t)x]          \
                                          : b[(size_t)x * (size_t)ldb + (size_t)j]);        \
                T *at = &c[(size_t)i * (size_t)ldc + (size_t)j];                            \
                *at = beta * *at + alpha * sum;                                             \
            }                                                                               \
    }

GEMM(cblas_dgemm, double)
GEMM(cblas_sgemm, float)
