/* graph.h - what the graph programs share: a graph from a file, and the same answers in plain C to
 * compare with.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <spcc.h>
#include <stdint.h>

/* A directed graph of n vertices. Edge e goes from at[2*e] to at[2*e+1]; the edges are sorted,
 * each is there once. */
struct graph {
    int64_t n, edges;
    int64_t *at;
    double *weight; /* of each edge, 1 to 10 */
    spcc_tensor *A; /* csr of bool: whether there is an edge from i to j */
    spcc_tensor *W; /* csr of f64 with the fill inf: how long it is */
};

/* From a matrix, whose stored components are edges, or a tensor of order 3, where they are edges of
 * several kinds, the first mode's. both_ways: each edge goes back, too.  Says what is wrong on
 * standard error. */
int graph_read(spcc_context *cx, const char *path, int both_ways, struct graph *graph);
void graph_free(struct graph *graph);

/* How many edges each vertex is away from the source; -1: it cannot be reached. */
void plain_levels(const struct graph *graph, int64_t source, int64_t *level);

/* The length of the shortest path from the source; infinity: there is none. */
void plain_distances(const struct graph *graph, int64_t source, double *distance);

/* Three vertices of a graph that goes both ways with an edge between each two. */
int64_t plain_triangles(const struct graph *graph);

/* The PageRank with a damping of 0.85 after so many rounds. */
void plain_ranks(const struct graph *graph, int rounds, double *rank);

#endif
