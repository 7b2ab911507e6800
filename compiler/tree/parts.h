/* parts.h - what the files of the tree share; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TREE_PARTS_H
#define SPCC_TREE_PARTS_H

#include "compiler/tree/tree.h"

static inline const struct index_var *result_var(const struct tree *tree, int level)
{
    return access_level_var(tree->result, level);
}

/* Can the result be assembled by counting, in two runs of the statement, whatever the order of its
 * loops? */
bool tree_counts(struct context *cx, const struct tree *tree);

/* Do the target's levels [0, end) determine the loop's coordinate? */
bool tree_tells(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                const struct cin *target, int end);

/* Does the assignment only reduce into one component that is fixed around the loop? */
bool tree_reduces(const struct tree_node *forall, const struct cin *assign);

/* Returns a diagnostic of parallelize, which points at the loop in the directive. */
struct diag *tree_refuse_parallel(struct context *cx, const struct cin_tag *tag, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* The loops with units around a loop, innermost first; NULL: none. */
struct unit_nest {
    const struct cin_tag *tag;
    const struct unit_nest *outer;
};

/* May the forall with this tag, of a GPU's unit, stand in the nest?  False after a diagnostic. */
bool tree_check_unit(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, const struct unit_nest *around);

/* Do the iterations of a loop on a GPU come to each assigned component one after the other, so that
 * parts of the loop need no copies of the array?  False after a diagnostic. */
bool tree_check_begun(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin_tag *tag, const struct cin *assign);

/* Can teams of the loop make their tables of rows in it?  False after a diagnostic. */
bool tree_check_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, bool is_inner);

/* Can the workspaces of the where be where the schedule puts them?  False after a diagnostic. */
bool tree_check_places(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct unit_nest *around);

/* Is the list that the result is copied from in the order of the slots of the result's first
 * level? */
bool tree_has_sorted_slots(const struct tree *tree);

/* Has the level a place for every coordinate, and no arrays? */
bool tree_is_plain(const struct level_type *type);

/* Returns a new obstacle with a tensor, or with one access to it.  Its diagnostic can get notes and
 * a remedy. */
struct tree_infeasible *infeasible_new(struct context *cx, enum diag_code code,
                                       const struct tensor_var *tensor, const struct cin *access,
                                       const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns the tree of this result, among those that are built together. */
const struct tree *tree_of_result(const struct tree *tree, const struct tensor_var *result);

/* Returns the program's statement, with flags for the dense workspaces of which it matters to what
 * is stored which components were written. */
const struct cin *workspace_mark(struct context *cx, const struct cin_program *program);

/* Returns the statement with one tensor replaced by another in all accesses. */
const struct cin *workspace_replace(struct context *cx, const struct cin *in,
                                    const struct tensor_var *from, const struct tensor_var *to);

/* Estimates of the lines of code that keep a temporary (open it, order its entries, clear it), and
 * that put a component into it. */
struct workspace_lines {
    int kept, put;
};
struct workspace_lines workspace_lines(const struct tensor_var *temporary);

/* Has the consumer of the where no effect while the scalar is not written? */
bool tree_needs_scalar(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct tensor_var *temporary);

/* Returns the operand whose pattern the result has, if the result is stored like it; the operand is
 * NULL if there is none. */
struct pattern pattern_find(struct context *cx, const struct tree *tree);

/* Do the loops come to the result's first levels in Morton order, if these have it? */
bool tree_comes_in_turns(const struct tree *tree);

/* Sets the tree's assembly.  Gives the obstacle if there is none, else NULL. */
const struct tree_infeasible *assembly_find(struct context *cx, struct tree *tree);

/* Must the coordinates of var ascend, because levels are appended to? */
bool assembly_needs_order(const struct tree *tree, const struct index_var *var);

/* Is the assigned value the sum of the values for shares of the access's component? */
bool tree_adds_up(struct context *cx, const struct cin *assign, const struct cin *access);

/* Returns the first obstacle in the tree, apart from the result's assembly; or NULL. */
const struct tree_infeasible *infeasible_find(struct context *cx, const struct tree *tree);

#endif
