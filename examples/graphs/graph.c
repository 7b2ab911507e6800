/* graph.c - a graph from a file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "graph.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }

/* The last two coordinates of every stored component, and the other way round. */
static int64_t *list_edges(const spcc_tensor *file, int both_ways, int64_t *edges)
{
    int order = spcc_tensor_order(file);
    int64_t n = spcc_tensor_stored(file);
    int64_t *all = malloc(sizeof *all * (size_t)(n * order + 1)),
            *at = malloc(sizeof *at * (size_t)(4 * n + 1));
    *edges = 0;
    for (int64_t e = 0, m = all && at ? spcc_tensor_unpack(file, all, NULL) : 0; e < m; e++) {
        const int64_t *edge = all + e * order + order - 2;
        at[2 * *edges] = edge[0];
        at[2 * *edges + 1] = edge[1];
        ++*edges;
        if (both_ways) {
            at[2 * *edges] = edge[1];
            at[2 * *edges + 1] = edge[0];
            ++*edges;
        }
    }
    free(all);
    return at;
}

/* Duplicates are made one by from_coords: of bool, true or true is true. */
static int make_tensors(spcc_context *cx, struct graph *g, int64_t *listed, int64_t n)
{
    const int64_t square[] = {g->n, g->n};
    const spcc_tensor_options far = {.size = sizeof far, .fill = "inf"};
    bool *there = malloc(sizeof *there * (size_t)(n + 1));
    if (there)
        memset(there, true, sizeof *there * (size_t)n);
    int failed =
        !listed || !there
        || spcc_tensor_from_coords(cx, "csr", SPCC_BOOL, 2, square, n, listed, there, NULL, &g->A)
               != SPCC_OK;
    free(there);
    if (failed)
        return 1;
    g->edges = spcc_tensor_stored(g->A);
    g->at = malloc(sizeof *g->at * (size_t)(2 * g->edges + 1));
    g->weight = malloc(sizeof *g->weight * (size_t)(g->edges + 1));
    if (!g->at || !g->weight)
        return 1;
    spcc_tensor_unpack(g->A, g->at, NULL);
    for (int64_t e = 0; e < g->edges; e++)
        g->weight[e] = 1 + (double)((7 * g->at[2 * e] + 3 * g->at[2 * e + 1]) % 10);
    return spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, square, g->edges, g->at, g->weight, &far,
                                   &g->W)
           != SPCC_OK;
}

int graph_read(spcc_context *cx, const char *path, int both_ways, struct graph *graph)
{
    spcc_tensor *file = NULL;
    memset(graph, 0, sizeof *graph);
    int failed = spcc_tensor_read(cx, path, "coo", SPCC_F64, NULL, &file) != SPCC_OK
                 || spcc_tensor_order(file) < 2;
    if (!failed) {
        int order = spcc_tensor_order(file);
        int64_t edges, *listed = list_edges(file, both_ways, &edges);
        graph->n =
            largest(spcc_tensor_dimension(file, order - 2), spcc_tensor_dimension(file, order - 1));
        failed = make_tensors(cx, graph, listed, edges);
        free(listed);
    }
    if (failed)
        fprintf(stderr, "%s: no graph\n%s", path, spcc_message(cx));
    spcc_tensor_free(file);
    return failed;
}

void graph_free(struct graph *graph)
{
    spcc_tensor_free(graph->A);
    spcc_tensor_free(graph->W);
    free(graph->at);
    free(graph->weight);
}
