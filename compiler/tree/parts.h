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

/* Can the result be assembled by counting: by two runs of the statement, whatever the order of
 * its loops? */
bool tree_counts(struct context *cx, const struct tree *tree);

/* Do the levels [0, end) of the target tell the loop's coordinate? */
bool tree_tells(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                const struct cin *target, int end);

/* Does the loop only add up one component? */
bool tree_reduces(const struct tree_node *forall, const struct cin *assign);

/* A diagnostic of parallelize, at the loop in the directive. */
struct diag *tree_refuse_parallel(struct context *cx, const struct cin_tag *tag, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* The loops with units around one, from the inside out; NULL: there are none. */
struct unit_nest {
    const struct cin_tag *tag;
    const struct unit_nest *outer;
};

/* May the forall with this tag, of a GPU, stand in the nest?  false after a diagnostic. */
bool tree_check_unit(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, const struct unit_nest *around);

/* Do the iterations of a GPU's loop come to each component of what is assigned one after the other,
 * so that parts of it need no copies?  false after a diagnostic. */
bool tree_check_begun(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin_tag *tag, const struct cin *assign);

/* Can the rows that teams of the loop make be made there?  false after a diagnostic. */
bool tree_check_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, bool is_inner);

/* Can what the where makes be where the schedule says?  false after a diagnostic. */
bool tree_check_places(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct unit_nest *around);

/* Does the list that the result copies lie in the order of the slots of its first level? */
bool tree_has_sorted_slots(const struct tree *tree);

/* Has the level a place for every coordinate, and nothing else? */
bool tree_is_plain(const struct level_type *type);

/* A new obstacle with a tensor, or with one access to it; its diagnostic can take notes and a
 * remedy. */
struct tree_infeasible *infeasible_new(struct context *cx, enum diag_code code,
                                       const struct tensor_var *tensor, const struct cin *access,
                                       const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The tree for this result, of those that are built together. */
const struct tree *tree_of_result(const struct tree *tree, const struct tensor_var *result);

/* The program's statement, its dense workspaces with flags where it shows in what is stored which
 * of their components were written. */
const struct cin *workspace_mark(struct context *cx, const struct cin_program *program);

/* The tensor in the place of another, in all accesses. */
const struct cin *workspace_replace(struct context *cx, const struct cin *in,
                                    const struct tensor_var *from, const struct tensor_var *to);

/* About so many lines of code keep a temporary (open it, put its entries in order, clear it), and
 * put a component into it. */
struct workspace_lines {
    int kept, put;
};
struct workspace_lines workspace_lines(const struct tensor_var *temporary);

/* Is the consumer of the where without effect while the scalar is not written? */
bool tree_needs_scalar(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct tensor_var *temporary);

/* The operand whose pattern the result has, if it is stored as that is; no operand: there is
 * none. */
struct pattern pattern_find(struct context *cx, const struct tree *tree);

/* Do the loops come to the result's first levels in Morton order, if they are in it? */
bool tree_comes_in_turns(const struct tree *tree);

/* Set the tree's assembly; the obstacle if there is none, or NULL. */
const struct tree_infeasible *assembly_find(struct context *cx, struct tree *tree);

/* Must the coordinates of var come in order, because levels are appended to? */
bool assembly_needs_order(const struct tree *tree, const struct index_var *var);

/* Is what is assigned the sum of what is assigned for shares of the access's component? */
bool tree_adds_up(struct context *cx, const struct cin *assign, const struct cin *access);

/* The first obstacle in the tree, the result's assembly apart; or NULL. */
const struct tree_infeasible *infeasible_find(struct context *cx, const struct tree *tree);

#endif
