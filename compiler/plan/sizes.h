/* sizes.h - how many values variables have, and how many children levels: what costs are made
 * of; private to the planner's costs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_SIZES_H
#define SPCC_PLAN_SIZES_H

#include "compiler/plan/planner.h"

/* A workspace while its where is visited, with how often one run of its producer writes it, and how
 * many entries that leaves. */
struct made {
    const struct tensor_var *tensor;
    struct cost writes, entries;
};

/* What is known of sizes at a place in a program. */
struct sizes {
    struct context *cx;
    struct cost_symbols *symbols;
    const struct cin_program *program;
    VEC(struct made) made; /* the workspaces of the wheres around */
};

/* Returns how many values the variable has, or the variable that a level of an access stores. */
struct cost sizes_of_var(struct sizes *s, const struct index_var *var);
struct cost sizes_of_level(struct sizes *s, const struct cin *access, int level);

/* Returns how many nodes the level has below a node of its parents.  A coordinate that is stored
 * repeatedly counts once there. */
struct cost sizes_of_children(struct sizes *s, const struct cin *access, int level);

/* Returns how many nodes the level of a workspace has in all, if the workspace has this many
 * entries. */
struct cost sizes_of_nodes(struct sizes *s, const struct cin *access, int level,
                           struct cost entries);

/* Returns how many positions a walk below one parent takes.  If coordinates repeat, these are the
 * positions of the levels below, each of which has one child. */
struct cost sizes_of_positions(struct sizes *s, const struct cin *access, int level);

/* Returns what the operands store whose patterns the program asks for, stored(B(i,j)). Whoever made
 * a mask has gone through it, so one more pass adds nothing to a plan's order: whether a mask's
 * rows are marked, or it is searched for a few components, is decided by numbers. */
struct cost sizes_of_masks(struct sizes *s);

/* Returns what a run of the loop's body takes beyond its steps, for functions, and for accesses
 * that jump.  (step.c) */
double plan_extra_steps(struct sizes *s, const struct cin *body, const struct index_var *var);

#endif
