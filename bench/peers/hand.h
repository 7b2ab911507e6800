/* hand.h - what all kernels by hand share: the input and the result at hand, dense rows in
 * registers, sparse rows made in parts by several threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PEER_HAND_H
#define SPCC_PEER_HAND_H

#include <math.h>
#include <omp.h>

#include "peer.h"

/* Fewer entries are for one thread. */
enum { WORTHWHILE = 20000 };
/* Entries ahead: of streams, of gathered rows, of counters that are scattered to. */
enum { STREAM = 256, ROWS = 8, SCATTER = 16 };
enum { TILE = 32, LANES = 64 / (int)sizeof(value), MOST_THREADS = 256 };

typedef value lanes __attribute__((vector_size(64), aligned(sizeof(value)), may_alias));
typedef value four
    __attribute__((vector_size(4 * sizeof(value)), aligned(sizeof(value)), may_alias));

static bool is_parallel;
static int m, n;             /* of A */
static const int *pos, *crd; /* of its last level */
static const value *vals;
static int64_t stored;
static value *dense;         /* a dense result, */
static int64_t size;         /* and its components */
static int32_t *rpos, *rcrd; /* a result by compressed rows */
static int32_t *rrow;        /* and the rows, of lists */
static value *rvals;

/* ---- inputs and results ---- */

static bool take_matrix(void)
{
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 1, "pos"), crd = peer_level("A", 1, "crd");
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

static void take_result(const char *name)
{
    size = 1;
    for (int k = 0; k < peer_find(name)->order; k++)
        size *= peer_size(name, k);
    dense = peer_memory(size, sizeof *dense);
}

static bool prepare_vector(void) { return take_result("y"), take_matrix(); }

static void drop_rows(void)
{
    free(rpos);
    free(rcrd);
    free(rrow);
    free(rvals);
    rpos = rcrd = rrow = NULL;
    rvals = NULL;
}

static void new_rows(int64_t rows, int64_t most)
{
    drop_rows();
    rpos = peer_memory(rows + 1, sizeof *rpos);
    rcrd = peer_memory(most, sizeof *rcrd);
    rvals = peer_memory(most, sizeof *rvals);
    rpos[0] = 0;
}

static void finish(void)
{
    drop_rows();
    free(dense);
    dense = NULL;
}

static void give_dense(void) { peer_give_dense(dense, size); }

static void give_rows(void) { peer_give_rows(m, rpos, rcrd, rvals, false); }

static void give_columns(void) { peer_give_rows(n, rpos, rcrd, rvals, true); }

/* A list of coordinates, sorted or not. */
static void give_list(const int *row, const int *column, const value *all, int64_t entries)
{
    int32_t *at = peer_memory(2 * entries, sizeof *at);
    for (int64_t p = 0; p < entries; p++)
        at[2 * p] = row[p], at[2 * p + 1] = column[p];
    peer_give_sparse(2, at, all, entries);
    free(at);
}

/* ---- threads ---- */

static inline int count_parts(void) { return is_parallel ? omp_get_max_threads() : 1; }

/* Where part t of so many entries begins, at the first entry of a row. */
static inline int64_t part_of_list(const int *row, int64_t entries, int t, int parts)
{
    int64_t p = entries * t / parts;
    while (p > 0 && p < entries && row[p] == row[p - 1])
        p++;
    return p;
}

/* A copy of the dense result for every thread but the first, all of zeros. */
struct copies {
    value *of[MOST_THREADS];
    int n;
};

static inline struct copies copy_result(void)
{
    struct copies copies = {.of = {dense}, .n = count_parts()};
    for (int t = 1; t < copies.n; t++)
        copies.of[t] = peer_memory(size, sizeof *dense);
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < copies.n; t++)
        memset(copies.of[t], 0, (size_t)size * sizeof *dense);
    return copies;
}

static inline void sum_copies(struct copies *copies)
{
    for (int t = 1; t < copies->n; t++) {
        const value *other = copies->of[t];
#pragma omp parallel for simd schedule(static) if (is_parallel)
        for (int64_t k = 0; k < size; k++)
            dense[k] += other[k];
    }
    for (int t = 1; t < copies->n; t++)
        free(copies->of[t]);
}

/* ---- dense rows ---- */

static inline void fetch_row(const value *row, int width)
{
    for (int r = 0; r < width; r += LANES)
        __builtin_prefetch(row + r);
}

static inline void add_row(lanes *sum, value factor, const value *row, int width)
{
#pragma GCC unroll 8
    for (int k = 0; k < width / LANES; k++)
        sum[k] += factor * *(const lanes *)(row + k * LANES);
}

/* Not by memcpy, for which the sums would leave their registers. */
static inline void put_row(value *row, const lanes *sum, int width)
{
#pragma GCC unroll 8
    for (int k = 0; k < width / LANES; k++)
        *(lanes *)(row + k * LANES) = sum[k];
}

/* ---- sparse rows ---- */

/* Makes rows from first to last, whose entries begin at `at`; says where they end. */
typedef int64_t fill_rows(int first, int last, int64_t at);
/* How many entries the rows before this one have at most. */
typedef int64_t bound_rows(int row);

static inline int find_row(int rows, bound_rows *bound, int64_t entries)
{
    int low = 0, high = rows;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (bound(middle) < entries)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* No check for each entry: the bounds are the room.  Parts are made where their bounds begin, and
 * moved together. */
static inline void make_rows(int rows, bound_rows *bound, fill_rows *fill)
{
    int parts = count_parts(), cut[MOST_THREADS + 1] = {0};
    int64_t end[MOST_THREADS], most = bound(rows);
    new_rows(rows, most);
    for (int t = 1; t <= parts; t++)
        cut[t] = t == parts ? rows : find_row(rows, bound, most * t / parts);
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < parts; t++)
        end[t] = fill(cut[t], cut[t + 1], bound(cut[t]));
    for (int t = 1; t < parts; t++) {
        int64_t begin = bound(cut[t]), to = end[t - 1], count = end[t] - begin;
        memmove(rcrd + to, rcrd + begin, (size_t)count * sizeof *rcrd);
        memmove(rvals + to, rvals + begin, (size_t)count * sizeof *rvals);
        for (int i = cut[t]; i < cut[t + 1]; i++)
            rpos[i + 1] -= (int)(begin - to);
        end[t] = to + count;
    }
}

#endif
