/* result.h - what the files share that store and assemble the result; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_RESULT_H
#define SPCC_LOWER_RESULT_H

#include "compiler/lower/kernel.h"

static inline const struct format *result_format(const struct kernel *k) { return k->result->tensor->format; }

/* The variable that a level stores. */
static inline const struct index_var *result_var(const struct kernel *k, int level)
{
    return k->result->index[result_format(k)->level[level].mode];
}

static inline struct level_code result_level(struct kernel *k, int level, const struct imp *parent)
{
    return kernel_level(k, k->result, level, parent, NULL);
}

/* The first level of a group, or, of none, the number of levels. */
static inline int result_group_first(const struct kernel *k, int g)
{
    return g < k->groups ? k->group[g].first : result_format(k)->levels;
}

/* ---- result_plan.c ---- */

/* The level that stores the variable, or -1. */
int result_level_of(const struct kernel *k, const struct index_var *var);

/* Does the statement store a component whenever it runs? */
bool result_always_stores(struct kernel *k, const struct bound_vars *bound, const struct cin *cin);
/* Do the loops reach every parent of the group whose first level this is, below the level `above` that the group before it
 * ends with? */
bool result_visits_all(struct kernel *k, const struct bound_vars *bound, const struct cin *cin, int above, int first);

/* ---- copied.c ---- */

/* The list that the whole statement copies, or NULL. */
const struct tensor_var *copied_list(struct kernel *k);

/* ---- result.c ---- */

/* How many positions the levels [first, end), which are not appended to, have below one parent. */
const struct imp *result_block_size(struct kernel *k, int first, int end);
/* The position of a level that is not appended to, below scope->result_position: where the coordinate is, or is put. */
const struct imp *result_place(struct kernel *k, const struct scope *scope, int level);
/* Make the arrays and open the groups. */
void result_open_arrays(struct kernel *k);

#endif
