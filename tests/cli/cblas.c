/* cblas.c - the four functions of a BLAS library that kernels call, as slow as they come.
 *
 * Each call is checked as the reference implementation checks it, and says on standard error what
 * it was asked for, so that tests see who has multiplied.
 *
 * SPDX-License-Identifier: MIT
 */
#include <complex.h>
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

/* A scalar is given as SCALAR, which VALUE makes a number of. */
#define GEMM(NAME, T, SCALAR, VALUE, ARRAY)                                                    \
    void NAME(int order, int ta, int tb, int m, int n, int k, SCALAR alpha, const ARRAY *a_at, \
              int lda, const ARRAY *b_at, int ldb, SCALAR beta, ARRAY *c_at, int ldc);         \
    void NAME(int order, int ta, int tb, int m, int n, int k, SCALAR alpha, const ARRAY *a_at, \
              int lda, const ARRAY *b_at, int ldb, SCALAR beta, ARRAY *c_at, int ldc)          \
    {                                                                                          \
        const T *a = a_at, *b = b_at;                                                          \
        T *c = c_at;                                                                           \
        check(#NAME, order, ta, tb, m, n, k, lda, ldb, ldc);                                   \
        for (int i = 0; i < m; i++)                                                            \
            for (int j = 0; j < n; j++) {                                                      \
                T sum = 0;                                                                     \
                for (int x = 0; x < k; x++)                                                    \
                    sum += (ta == TRANS ? a[(size_t)x * (size_t)lda + (size_t)i]               \
                                        : a[(size_t)i * (size_t)lda + (size_t)x])              \
                           * (tb == TRANS ? b[(size_t)j * (size_t)ldb + (size_t)x]             \
                                          : b[(size_t)x * (size_t)ldb + (size_t)j]);           \
                T *at = &c[(size_t)i * (size_t)ldc + (size_t)j];                               \
                *at = VALUE(T, beta) * *at + VALUE(T, alpha) * sum;                            \
            }                                                                                  \
    }

#define BY_VALUE(T, scalar)   (scalar)
#define BY_ADDRESS(T, scalar) (*(const T *)(scalar))

GEMM(cblas_dgemm, double, double, BY_VALUE, double)
GEMM(cblas_sgemm, float, float, BY_VALUE, float)
GEMM(cblas_cgemm, float _Complex, const void *, BY_ADDRESS, void)
GEMM(cblas_zgemm, double _Complex, const void *, BY_ADDRESS, void)
