/* hand.c - the kernels that generated code is measured against, written by hand.
 *
 * The best forms that were found by experiment for long vectors: sums in several lanes, rows of a
 * dense result in registers, and the same with prefetching.  Coordinates are read ahead of time up
 * to AHEAD places, so that their arrays are that much longer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench/hand.h"

typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double v8 __attribute__((vector_size(64), aligned(8), may_alias));

static inline const v8 *at8(const double *x) { return (const v8 *)x; }

static inline void prefetch_row(const double *x)
{
    for (int r = 0; r < 32; r += 8)
        __builtin_prefetch(x + r);
}

/* ---- y = A x ---- */

void hand_spmv_scalars(int m, const int *restrict pos, const int *restrict crd,
                       const double *restrict vals, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
        int p = pos[i], end = pos[i + 1];
        for (; p < end - 3; p += 4) {
            t0 += vals[p] * x[crd[p]];
            t1 += vals[p + 1] * x[crd[p + 1]];
            t2 += vals[p + 2] * x[crd[p + 2]];
            t3 += vals[p + 3] * x[crd[p + 3]];
        }
        for (; p < end; p++)
            t0 += vals[p] * x[crd[p]];
        y[i] = (t0 + t1) + (t2 + t3);
    }
}

void hand_spmv_lanes(int m, const int *restrict pos, const int *restrict crd,
                     const double *restrict vals, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        v4 t = {0};
        int p = pos[i], end = pos[i + 1];
        for (; p < end - 3; p += 4) {
            v4 gathered = {x[crd[p]], x[crd[p + 1]], x[crd[p + 2]], x[crd[p + 3]]};
            t += *(const v4 *)(vals + p) * gathered;
        }
        double sum = (t[0] + t[1]) + (t[2] + t[3]);
        for (; p < end; p++)
            sum += vals[p] * x[crd[p]];
        y[i] = sum;
    }
}

/* ---- Y = A X ---- */

void hand_spmm_plain(int m, int n, const int *restrict pos, const int *restrict crd,
                     const double *restrict vals, const double *restrict x, double *restrict y)
{
    for (long i = 0; i < (long)m * n; i++)
        y[i] = 0;
    for (int i = 0; i < m; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++)
            for (int r = 0; r < n; r++)
                y[(long)i * n + r] += vals[p] * x[(long)crd[p] * n + r];
}

static inline void spmm_row(long n, int begin, int end, const int *restrict crd,
                            const double *restrict vals, const double *restrict x,
                            double *restrict y, int ahead)
{
    v8 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
    for (int p = begin; p < end; p++) {
        const double *row = x + crd[p] * n;
        if (ahead)
            prefetch_row(x + crd[p + ahead] * n);
        a0 += vals[p] * *at8(row);
        a1 += vals[p] * *at8(row + 8);
        a2 += vals[p] * *at8(row + 16);
        a3 += vals[p] * *at8(row + 24);
    }
    *(v8 *)y = a0;
    *(v8 *)(y + 8) = a1;
    *(v8 *)(y + 16) = a2;
    *(v8 *)(y + 24) = a3;
}

void hand_spmm_tiles(int m, int n, const int *restrict pos, const int *restrict crd,
                     const double *restrict vals, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; i++)
        for (int r = 0; r < n - 31; r += 32)
            spmm_row(n, pos[i], pos[i + 1], crd, vals, x + r, y + (long)i * n + r, 0);
}

void hand_spmm_prefetch(int m, int n, const int *restrict pos, const int *restrict crd,
                        const double *restrict vals, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; i++)
        for (int r = 0; r < n - 31; r += 32)
            spmm_row(n, pos[i], pos[i + 1], crd, vals, x + r, y + (long)i * n + r, HAND_AHEAD);
}

/* ---- Y(i,r) = A(i,k,l) B(k,r) C(l,r) ---- */

void hand_mttkrp_plain(int m, int n, const int *restrict pos2, const int *restrict crd2,
                       const int *restrict pos3, const int *restrict crd3,
                       const double *restrict vals, const double *restrict b,
                       const double *restrict c, double *restrict y)
{
    for (long i = 0; i < (long)m * n; i++)
        y[i] = 0;
    for (int i = 0; i < m; i++)
        for (int p = pos2[i]; p < pos2[i + 1]; p++)
            for (int q = pos3[p]; q < pos3[p + 1]; q++)
                for (int r = 0; r < n; r++)
                    y[(long)i * n + r] +=
                        vals[q] * b[(long)crd2[p] * n + r] * c[(long)crd3[q] * n + r];
}

void hand_mttkrp_tiles(int m, int n, const int *restrict pos2, const int *restrict crd2,
                       const int *restrict pos3, const int *restrict crd3,
                       const double *restrict vals, const double *restrict b,
                       const double *restrict c, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        for (int r = 0; r < n - 31; r += 32) {
            v8 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
            for (int p = pos2[i]; p < pos2[i + 1]; p++) {
                const double *bk = b + (long)crd2[p] * n + r;
                for (int q = pos3[p]; q < pos3[p + 1]; q++) {
                    const double *cl = c + (long)crd3[q] * n + r;
                    a0 += vals[q] * *at8(bk) * *at8(cl);
                    a1 += vals[q] * *at8(bk + 8) * *at8(cl + 8);
                    a2 += vals[q] * *at8(bk + 16) * *at8(cl + 16);
                    a3 += vals[q] * *at8(bk + 24) * *at8(cl + 24);
                }
            }
            double *row = y + (long)i * n + r;
            *(v8 *)row = a0;
            *(v8 *)(row + 8) = a1;
            *(v8 *)(row + 16) = a2;
            *(v8 *)(row + 24) = a3;
        }
    }
}

/* With the sum over l first, in a workspace that is four registers: another loop structure, for
 * comparison. */
void hand_mttkrp_workspace(int m, int n, const int *restrict pos2, const int *restrict crd2,
                           const int *restrict pos3, const int *restrict crd3,
                           const double *restrict vals, const double *restrict b,
                           const double *restrict c, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        for (int r = 0; r < n - 31; r += 32) {
            v8 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
            for (int p = pos2[i]; p < pos2[i + 1]; p++) {
                v8 w0 = {0}, w1 = {0}, w2 = {0}, w3 = {0};
                const double *bk = b + (long)crd2[p] * n + r;
                for (int q = pos3[p]; q < pos3[p + 1]; q++) {
                    const double *cl = c + (long)crd3[q] * n + r;
                    w0 += vals[q] * *at8(cl);
                    w1 += vals[q] * *at8(cl + 8);
                    w2 += vals[q] * *at8(cl + 16);
                    w3 += vals[q] * *at8(cl + 24);
                }
                a0 += w0 * *at8(bk);
                a1 += w1 * *at8(bk + 8);
                a2 += w2 * *at8(bk + 16);
                a3 += w3 * *at8(bk + 24);
            }
            double *row = y + (long)i * n + r;
            *(v8 *)row = a0;
            *(v8 *)(row + 8) = a1;
            *(v8 *)(row + 16) = a2;
            *(v8 *)(row + 24) = a3;
        }
    }
}
