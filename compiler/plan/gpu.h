/* gpu.h - what the files share that plan for a GPU; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_GPU_H
#define SPCC_PLAN_GPU_H

#include "compiler/base/gpu.h"
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Fewer columns are not worth lanes of their own. */
enum { GPU_COLUMNS_LEAST = 8 };

/* ---- gpu_facts.c ---- */

/* NULL: it has no effect. */
const struct tree_node *gpu_node(const struct draft *draft, const struct index_var *var);
struct tree_races gpu_races_of(const struct draft *draft, const struct tree_node *node);
/* Do its iterations race? */
bool gpu_races(const struct draft *draft, const struct tree_node *node);
/* Does the loop go over all coordinates of a range? */
bool gpu_is_range(struct context *cx, const struct tree_node *node);
/* In how many accesses the variable moves from one element to the next. */
int gpu_contiguous(struct context *cx, const struct cin *s, const struct index_var *var);
/* The loops that are directly nested from this one in. */
struct chain gpu_chain(const struct draft *draft, const struct index_var *rows);
/* The dense loop inside, of the result's, in which most accesses are contiguous; NULL: none. */
const struct index_var *gpu_column(const struct draft *draft, const struct chain *chain);
/* The power of two that is not more; 32 at most. */
int gpu_lanes_below(double n);
/* As many as there are columns, or as a warp has. */
int gpu_lanes_of(const struct index_var *column);
/* The loop of so many iterations, outside of what is left of it. */
const struct index_var *gpu_split_lanes(struct draft *draft, const struct index_var *loop,
                                        int lanes);
/* How many positions there are below one of the level above. */
double gpu_mean_length(const struct draft *draft, const struct lattice_iterator *along);
/* Is it known that none is much longer than others? */
bool gpu_is_even(const struct draft *draft, const struct lattice_iterator *along);
/* ... that one is? */
bool gpu_is_uneven(const struct draft *draft, const struct lattice_iterator *along);
/* The positions of what the first so many loops go along. */
const struct index_var *gpu_positions(struct draft *draft, const struct chain *chain, size_t n);

/* ---- gpu_cut.c: rows that are cut; each gives how, or NULL: it is not possible ---- */

/* Of all loops, in parts of as many each, wherever the rows end: what is added up along them,
 * unless the rows are even. */
const char *gpu_parts(struct draft *draft, const struct index_var *loop);
/* Of rows with columns, in parts of as many entries each, where some are known to be much longer
 * than others. */
const char *gpu_cut_columns(struct draft *draft, const struct index_var *loop);

#endif
