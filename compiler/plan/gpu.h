/* gpu.h - what the files share that plan for a GPU; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_GPU_H
#define SPCC_PLAN_GPU_H

#include "compiler/base/gpu.h"
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Fewer columns do not deserve lanes of their own. */
enum { GPU_COLUMNS_LEAST = 8 };

/* ---- gpu_facts.c ---- */

/* Returns the node of the variable's loop; NULL: the loop has no effect. */
const struct tree_node *gpu_node(const struct draft *draft, const struct index_var *var);
struct tree_races gpu_races_of(const struct draft *draft, const struct tree_node *node);
/* Do the loop's iterations race? */
bool gpu_races(const struct draft *draft, const struct tree_node *node);
/* Does the loop go over all coordinates of a range? */
bool gpu_is_range(struct context *cx, const struct tree_node *node);
/* Returns the number of accesses that are contiguous along the variable. */
int gpu_contiguous(struct context *cx, const struct cin *s, const struct index_var *var);
/* Returns the loops nested directly inside this one, with it. */
struct chain gpu_chain(const struct draft *draft, const struct index_var *rows);
/* Returns the dense loop inside that indexes the result and along which most accesses are
 * contiguous; or NULL. */
const struct index_var *gpu_column(const struct draft *draft, const struct chain *chain);
/* Returns the largest power of two that is not more than n, 32 at most. */
int gpu_lanes_below(double n);
/* As many lanes as there are columns, or as a warp has. */
int gpu_lanes_of(const struct index_var *column);
/* Splits the loop so that the inner one has `lanes` iterations, and goes outside of the outer one.
 */
const struct index_var *gpu_split_lanes(struct draft *draft, const struct index_var *loop,
                                        int lanes);
/* Returns the mean number of positions below one position of the level above. */
double gpu_mean_length(const struct draft *draft, const struct lattice_iterator *along);
/* Is it known that no segment is much longer than the others; or that one is? */
bool gpu_is_even(const struct draft *draft, const struct lattice_iterator *along);
bool gpu_is_uneven(const struct draft *draft, const struct lattice_iterator *along);
/* Returns the loop over the positions that the first n loops go along. */
const struct index_var *gpu_positions(struct draft *draft, const struct chain *chain, size_t n);

/* ---- gpu_cut.c: rows that are cut; each gives how, or NULL: it is not possible ---- */

/* Cuts all loops into parts of equal work, wherever rows end, if something is added up along them
 * and the rows are not known to be even. */
const char *gpu_parts(struct draft *draft, const struct index_var *loop);
/* Cuts rows with columns into parts of equally many entries, if some rows are known to be much
 * longer than others. */
const char *gpu_cut_columns(struct draft *draft, const struct index_var *loop);

#endif
