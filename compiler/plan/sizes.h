/* sizes.h - how many values variables have, and how many children levels: what costs are made
 * of; private to the planner's costs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_SIZES_H
#define SPCC_PLAN_SIZES_H

#include "compiler/plan/planner.h"

/* A workspace while its where is visited: how often it is written in one run of its producer. */
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

/* How many values the variable has. */
struct cost sizes_of_var(struct sizes *s, const struct index_var *var);
/* ... that of a level of an access. */
struct cost sizes_of_level(struct sizes *s, const struct cin *access, int level);

/* How many nodes a level has below those of a parent: a coordinate is one, however often it comes,
 * unless it comes again anywhere. */
struct cost sizes_of_children(struct sizes *s, const struct cin *access, int level);

/* How many nodes a level of a workspace has in all, for so many entries. */
struct cost sizes_of_nodes(struct sizes *s, const struct cin *access, int level,
                           struct cost entries);

/* How many positions are walked along below those of a parent: where coordinates come more than
 * once, those of the levels below, which are children of one each. */
struct cost sizes_of_positions(struct sizes *s, const struct cin *access, int level);

/* What the operands store that the program asks for, stored(B(i,j)).  Whoever made a mask has gone
 * through it: once more adds no order to a plan, so that marking its rows and searching it for a
 * few of its components are weighed by numbers. */
struct cost sizes_of_masks(struct sizes *s);

/* What a run of the loop's body takes besides its steps: functions, and accesses that jump.
 * (step.c) */
double plan_extra_steps(struct sizes *s, const struct cin *body, const struct index_var *var);

#endif
