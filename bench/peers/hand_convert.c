/* hand_convert.c - by hand: the same matrix or tensor in another format.
 *
 * Counters and targets that are scattered to are asked for before they are used.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

static const int *from_row, *from_column; /* of lists */

static bool take_list(void)
{
    m = peer_size("A", 0), n = peer_size("A", 1);
    from_row = peer_level("A", 0, "crd"), from_column = peer_level("A", 1, "crd");
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

static void copy_values(const int *from_crd)
{
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p < stored; p++) {
        rcrd[p] = from_crd[p];
        rvals[p] = vals[p];
    }
}

/* ---- by columns, and back ---- */

static inline int64_t ahead(int64_t p) { return p + SCATTER < stored ? p + SCATTER : p; }

static void count_each(int columns)
{
    memset(rpos, 0, ((size_t)columns + 1) * sizeof *rpos);
    for (int64_t p = 0; p < stored; p++) {
        __builtin_prefetch(rpos + crd[ahead(p)] + 1, 1);
        rpos[crd[p] + 1]++;
    }
    for (int j = 0; j < columns; j++)
        rpos[j + 1] += rpos[j];
}

static inline void put_entry(int64_t p, int i)
{
    int64_t near = ahead(p);
    __builtin_prefetch(rpos + crd[ahead(near)], 1);
    __builtin_prefetch(rcrd + rpos[crd[near]], 1);
    __builtin_prefetch(rvals + rpos[crd[near]], 1);
    int to = rpos[crd[p]]++;
    rcrd[to] = i;
    rvals[to] = vals[p];
}

static void move_back(int columns)
{
    memmove(rpos + 1, rpos, (size_t)columns * sizeof *rpos);
    rpos[0] = 0;
}

/* As many rows and columns as the one has columns and the other rows. */
static void transpose(int rows, int columns)
{
    new_rows(columns, stored);
    count_each(columns);
    for (int i = 0; i < rows; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++)
            put_entry(p, i);
    move_back(columns);
}

static void run_to_columns(void) { transpose(m, n); }

static void run_to_rows(void) { transpose(n, m); }

static void run_list_to_columns(void)
{
    crd = from_column;
    new_rows(n, stored);
    count_each(n);
    for (int64_t p = 0; p < stored; p++)
        put_entry(p, from_row[p]);
    move_back(n);
}

/* ---- rows and lists ---- */

/* Rows between one entry's and the next one's begin where the next one is. */
static void run_list_to_rows(void)
{
    new_rows(m, stored);
    copy_values(from_column);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p <= stored; p++) {
        int before = p > 0 ? from_row[p - 1] : -1, here = p < stored ? from_row[p] : m;
        for (int i = before + 1; i <= here; i++)
            rpos[i] = (int)p;
    }
}

static void run_to_list(void)
{
    new_rows(0, stored);
    rrow = peer_memory(stored, sizeof *rrow);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++)
            rrow[p] = i;
    copy_values(crd);
}

static void give_to_list(void) { give_list(rrow, rcrd, rvals, stored); }

/* Rows that have something: rrow says which. */
static void run_to_few_rows(void)
{
    int rows = 0;
    new_rows(m, stored);
    rrow = peer_memory(m, sizeof *rrow);
    for (int i = 0; i < m; i++) {
        rrow[rows] = i;
        rows += pos[i + 1] > pos[i];
        rpos[rows] = pos[i + 1];
    }
    size = rows;
    copy_values(crd);
}

static void give_few_rows(void)
{
    int32_t *row = peer_memory(stored, sizeof *row);
    for (int64_t r = 0; r < size; r++)
        for (int p = rpos[r]; p < rpos[r + 1]; p++)
            row[p] = rrow[r];
    give_list(row, rcrd, rvals, stored);
    free(row);
}

static void run_from_few_rows(void)
{
    const int *row_pos = peer_level("A", 0, "pos"), *row = peer_level("A", 0, "crd");
    int at = 0;
    new_rows(m, stored);
    for (int r = row_pos[0]; r < row_pos[1]; r++) {
        for (; at <= row[r]; at++)
            rpos[at] = pos[r];
    }
    for (; at <= m; at++)
        rpos[at] = (int)stored;
    copy_values(crd);
}
