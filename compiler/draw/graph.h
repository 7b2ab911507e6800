/* graph.h - the iteration graph as both drawings want it.
 *
 *     for(i)                      node 0                a path: y(i), of leaf 0, with a stop at
 *                                                       node 0
 *       for(j)                    node 1                        A(i,j), with stops at node 0 and
 *       node 1
 *         y(i) += A(i,j) * x(j)   leaf 0                        x(j), with a stop at node 1
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_DRAW_GRAPH_H
#define SPCC_DRAW_GRAPH_H

#include "compiler/base/vec.h"
#include "compiler/draw/draw.h"

/* A loop.  All of its leaves and their paths are [leaf, leaf_end) and [path, path_end). */
struct graph_node {
    const struct index_var *var;
    const char *label;  /* var, and what follows from it: "i1 → i" */
    const char *domain; /* "i1 ∈ A1 ∩ B1" */
    int parent, depth;  /* parent: -1: none */
    int leaf, leaf_end, path, path_end;
};

/* An assignment in the loop node; -1: in none. */
struct graph_leaf {
    const struct cin *assignment;
    int node, depth;
    int path, path_end;
};

/* An access: level l is resolved at node stop[l]; -1: at none, its coordinate being known from
 * elsewhere. */
struct graph_path {
    const struct cin *access;
    bool is_written;
    int leaf, hue; /* one hue a tensor */
    int *stop;
};

/* A variable of a relation: that of the node, or, where `node` is -1, one without a loop. */
struct graph_end {
    int node, var;
};

/* What a relation derives from what: "split(up, 4)". */
struct graph_link {
    struct graph_end from, to;
    const char *label;
};

struct graph {
    VEC(const struct index_var *) var; /* those of relations that have no loop */
    VEC(struct graph_link) link;       /* from parents to children */
    VEC(struct graph_node) node;       /* parents first */
    VEC(struct graph_leaf) leaf;       /* in the order in which they run */
    VEC(struct graph_path) path;       /* of one leaf after the other */
};

struct graph graph_of(struct context *cx, const struct cin_program *program,
                      const struct tree *tree);

/* "1 dense", "2 compressed" */
const char *graph_level(struct context *cx, const struct cin *access, int level);

#endif
