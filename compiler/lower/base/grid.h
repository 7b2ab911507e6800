/* grid.h - what host code has the blocks of a GPU do with arrays: a step for each element, sums of
 * numbers before others, and sorting.
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

/* Each of n elements (i64) is a thread's, whose code is added between these: it gives the number of
 * the element (i64). */
const struct imp *grid_each(struct grid *g, struct kernel *k, const char *name,
                            const struct imp *n);
void grid_end_each(struct grid *g);

/* Each of n numbers (i64) becomes the sum of those before it, and the one behind them the sum of
 * all; the array has so much room. */
void grid_scan(struct kernel *k, const struct imp_var *numbers, const struct imp *n);
const struct imp *grid_scan_room(struct kernel *k, const struct imp *n);

/* What entries are sorted by: a number for each, in [low, low + size) (i64). */
struct sort_key {
    const struct imp_var *number;
    const struct imp *low, *size;
};

/* The entries [0, n) (i64) in the order of the keys, the first first, what is alike in the order
 * in which it is there: an array of their numbers, of this type and to be freed, that begins at
 * *at. */
const struct imp_var *grid_sort(struct kernel *k, const char *name, enum type type,
                                const struct imp *n, const struct sort_key *key, int keys,
                                const struct imp **at);

#endif
