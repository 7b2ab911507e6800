/* grid.h - launches that host code makes for arrays: a step for each element, a scan, a sort.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_BASE_GRID_H
#define SPCC_LOWER_BASE_GRID_H

#include "compiler/lower/base/kernel.h"

/* A launch whose body is being made. */
struct grid {
    struct kernel *k;
    const struct imp *blocks; /* i32 */
    const struct imp_var *block, *thread;
    struct imp_var *element; /* of grid_each */
    const struct imp *n;
};

/* Launches a thread for each of n elements (i64). The code between the two calls is the thread's.
 * grid_each gives the number of its element (i64). */
const struct imp *grid_each(struct grid *g, struct kernel *k, const char *name,
                            const struct imp *n);
void grid_end_each(struct grid *g);

/* Replaces n numbers (i64) by the sums of those before each, and stores the sum of all behind them.
 * The array has to have grid_scan_room elements. */
void grid_scan(struct kernel *k, const struct imp_var *numbers, const struct imp *n);
const struct imp *grid_scan_room(struct kernel *k, const struct imp *n);

/* A key to sort by: a number for each entry, in [low, low + size) (i64). */
struct sort_key {
    const struct imp_var *number;
    const struct imp *low, *size;
};

/* Sorts the entries [0, n) (i64) by the keys, the most significant first; the sort is stable.
 * Gives a new array of this type with the entries' numbers in order, which begins at *at; the
 * caller frees it. */
const struct imp_var *grid_sort(struct kernel *k, const char *name, enum type type,
                                const struct imp *n, const struct sort_key *key, int keys,
                                const struct imp **at);

#endif
