/* tree.h - the tree of loops: what every loop of a program is, once its formats are unfolded.
 *
 * A node is one statement where certain variables are known.  A forall has its lattice, and a node for its body at each of
 * the lattice's points; where, sequence and multi have nodes for the statements in them.  The same statement in the same
 * surroundings is one node, however often it stands in the program, or in the next one that is asked about: nodes are kept
 * in the context.
 *
 * Who wants to know of a loop what it iterates, searches for, visits or stores asks the tree: the planner's costs, the
 * lowering, the dumps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TREE_TREE_H
#define SPCC_TREE_TREE_H

#include "compiler/lattice/lattice.h"

struct tree_node {
    const struct cin *statement;
    struct around around;
    const struct lattice *lattice; /* of a forall; else NULL */
    /* Of a forall: its body at each point of the lattice, in their order; the points of a flat lattice have the same.
     * Else each arg that is a statement. */
    const struct tree_node **child;
    int children;
    const struct tree_node *whole; /* of a forall: its body where every operand is there */
    bool in_order;                 /* a forall's coordinates ascend */
    bool distinct;                 /* ... and none comes twice */
    int lines;                     /* about so many lines of code, with what is in it */
};

struct tree {
    const struct cin_program *program; /* simplified */
    const struct cin *result;          /* the access that is assigned to, also where nothing is left of it */
    const struct tree_node *root;
};

/* The tree of an unfolded program. */
const struct tree *tree_build(struct context *cx, const struct cin_program *program);

/* The first forall of the variable, where all operands of the loops around it are there; NULL: there is none. */
const struct tree_node *tree_find(const struct tree_node *node, const struct index_var *var);

/* ---- what is stored ---- */

/* Is every component that the assignments have stored, whatever is there? */
bool tree_stores_all(const struct tree_node *node);

/* Can the result be assembled by counting: by two runs of the statement, whatever the order of its loops? */
bool tree_counts(const struct tree *tree);

#endif
