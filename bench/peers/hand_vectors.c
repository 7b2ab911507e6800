/* hand_vectors.c - by hand: a matrix and a vector.
 *
 * Sums in several lanes, streams asked for ahead of time, diagonals in blocks that stay in the
 * first-level cache.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

/* ---- rows ---- */

static inline value dot_row(int begin, int end, const value *x)
{
    four t = {0};
    int p = begin;
    for (; p < end - 3; p += 4) {
        __builtin_prefetch(vals + p + STREAM);
        __builtin_prefetch(crd + p + STREAM);
        four gathered = {x[crd[p]], x[crd[p + 1]], x[crd[p + 2]], x[crd[p + 3]]};
        t += *(const four *)(vals + p) * gathered;
    }
    value sum = (t[0] + t[1]) + (t[2] + t[3]);
    for (; p < end; p++)
        sum += vals[p] * x[crd[p]];
    return sum;
}

static void run_spmv(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = dot_row(pos[i], pos[i + 1], x);
}

static void run_residual(void)
{
    const value *x = peer_values("x"), *b = peer_values("b");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = b[i] - dot_row(pos[i], pos[i + 1], x);
}

static void run_pagerank(void)
{
    const value *x = peer_values("x"), *b = peer_values("b");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = (value)0.85 * dot_row(pos[i], pos[i + 1], x) + (value)0.15 * b[i];
}

/* Rows that are there. */
static void run_few_rows(void)
{
    const int *row_pos = peer_level("A", 0, "pos"), *row = peer_level("A", 0, "crd");
    const value *x = peer_values("x");
    memset(dense, 0, (size_t)size * sizeof *dense);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int r = row_pos[0]; r < row_pos[1]; r++)
        dense[row[r]] = dot_row(pos[r], pos[r + 1], x);
}

/* Two sums; what is behind the last entry of a row has the coordinate -1. */
static void take_padded(void)
{
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 1, "width"), crd = peer_level("A", 1, "crd");
    vals = peer_values("A");
}

static bool prepare_padded(void) { return take_result("y"), take_padded(), true; }

static void run_padded(void)
{
    const value *x = peer_values("x");
    int64_t width = pos[0];
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        const int *row = crd + i * width;
        const value *entry = vals + i * width;
        value sum[2] = {0};
        int64_t p = 0;
        for (; p < width - 1 && row[p + 1] >= 0; p += 2) {
            __builtin_prefetch(entry + p + STREAM);
            __builtin_prefetch(row + p + STREAM);
            sum[0] += entry[p] * x[row[p]];
            sum[1] += entry[p + 1] * x[row[p + 1]];
        }
        if (p < width && row[p] >= 0)
            sum[0] += entry[p] * x[row[p]];
        dense[i] = sum[0] + sum[1];
    }
}

/* ---- columns, and lists ---- */

/* Into the entries of a column of A, or of a row of its transpose: each thread has a result of its
 * own, and they are summed. */
static void scatter(const value *x, int columns)
{
    struct copies copies = copy_result();
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < copies.n; t++) {
        value *y = copies.of[t];
        int end = (int)((int64_t)columns * (t + 1) / copies.n);
        for (int j = (int)((int64_t)columns * t / copies.n); j < end; j++) {
            value factor = x[j];
            for (int p = pos[j]; p < pos[j + 1]; p++) {
                __builtin_prefetch(vals + p + STREAM);
                __builtin_prefetch(crd + p + STREAM);
                y[crd[p]] += vals[p] * factor;
            }
        }
    }
    sum_copies(&copies);
}

static void run_columns(void) { scatter(peer_values("x"), n); }

static void run_rows_transposed(void) { scatter(peer_values("x"), m); }

static void run_columns_transposed(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int j = 0; j < n; j++)
        dense[j] = dot_row(pos[j], pos[j + 1], x);
}

static const int *list_row, *list_column;

static bool prepare_list(void)
{
    take_result("y");
    m = peer_size("A", 0), n = peer_size("A", 1);
    list_row = peer_level("A", 0, "crd"), list_column = peer_level("A", 1, "crd");
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

/* A row's sum stays in a register as long as the row goes on. */
static void run_list(void)
{
    const value *x = peer_values("x");
    int parts = count_parts();
    memset(dense, 0, (size_t)size * sizeof *dense);
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < parts; t++) {
        int64_t p = part_of_list(list_row, stored, t, parts);
        int64_t end = part_of_list(list_row, stored, t + 1, parts);
        while (p < end) {
            int row = list_row[p];
            value sum = 0;
            for (; p < end && list_row[p] == row; p++) {
                __builtin_prefetch(vals + p + STREAM);
                __builtin_prefetch(list_column + p + STREAM);
                sum += vals[p] * x[list_column[p]];
            }
            dense[row] = sum;
        }
    }
}

static void run_list_transposed(void)
{
    const value *x = peer_values("x");
    struct copies copies = copy_result();
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < copies.n; t++) {
        value *y = copies.of[t];
        int64_t end = stored * (t + 1) / copies.n;
        for (int64_t p = stored * t / copies.n; p < end; p++)
            y[list_column[p]] += vals[p] * x[list_row[p]];
    }
    sum_copies(&copies);
}

/* ---- blocks and diagonals ---- */

/* Blocks of 4 x 4, a vector for an inner column: four rows of y in one register. */
static void run_blocks(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int b = 0; b < m / 4; b++) {
        four sum[4] = {{0}};
        for (int p = pos[b]; p < pos[b + 1]; p++) {
            const value *block = vals + (int64_t)p * 16;
            four part = *(const four *)(x + (int64_t)crd[p] * 4);
            for (int i = 0; i < 4; i++)
                sum[i] += *(const four *)(block + 4 * i) * part;
        }
        for (int i = 0; i < 4; i++)
            dense[4 * b + i] = (sum[i][0] + sum[i][1]) + (sum[i][2] + sum[i][3]);
    }
}

static bool prepare_blocks(void) { return prepare_vector() && m % 4 == 0 && n % 4 == 0; }

static bool prepare_diagonals(void)
{
    take_result("y");
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 0, "pos"), crd = peer_level("A", 0, "crd");
    vals = peer_values("A");
    return true;
}

/* Rows in blocks that stay in the first-level cache, the diagonals inside. */
static void run_diagonals(void)
{
    enum { BLOCK = 1024 };
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int b = 0; b < m; b += BLOCK) {
        int end = b + BLOCK < m ? b + BLOCK : m;
        memset(dense + b, 0, (size_t)(end - b) * sizeof *dense);
        for (int p = pos[0]; p < pos[1]; p++) {
            int d = crd[p], first = b > -d ? b : -d, last = end < n - d ? end : n - d;
            const value *diagonal = vals + (int64_t)p * m;
            for (int i = first; i < last; i++)
                dense[i] += diagonal[i] * x[i + d];
        }
    }
}

/* ---- another sum ---- */

/* Four minima, because one waits for its own result. */
static void run_min_plus(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        value least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
        int p = pos[i], end = pos[i + 1];
        for (; p < end - 3; p += 4)
            for (int k = 0; k < 4; k++) {
                value sum = vals[p + k] + x[crd[p + k]];
                least[k] = sum < least[k] ? sum : least[k];
            }
        for (; p < end; p++) {
            value sum = vals[p] + x[crd[p]];
            least[0] = sum < least[0] ? sum : least[0];
        }
        least[0] = least[0] < least[1] ? least[0] : least[1];
        least[2] = least[2] < least[3] ? least[2] : least[3];
        dense[i] = least[0] < least[2] ? least[0] : least[2];
    }
}
