/* plain.c - the same answers without any tensor algebra, as simple as they can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "graph.h"

#include <math.h>
#include <stdlib.h>

void plain_levels(const struct graph *g, int64_t source, int64_t *level)
{
    int64_t found = 1;
    for (int64_t v = 0; v < g->n; v++)
        level[v] = v == source ? 0 : -1;
    for (int64_t step = 0; found > 0; step++) {
        found = 0;
        for (int64_t e = 0; e < g->edges; e++) {
            int64_t from = g->at[2 * e], to = g->at[2 * e + 1];
            if (level[from] == step && level[to] < 0) {
                level[to] = step + 1;
                found++;
            }
        }
    }
}

void plain_distances(const struct graph *g, int64_t source, double *distance)
{
    int changes = 1;
    for (int64_t v = 0; v < g->n; v++)
        distance[v] = v == source ? 0 : INFINITY;
    while (changes) {
        changes = 0;
        for (int64_t e = 0; e < g->edges; e++) {
            double longer = distance[g->at[2 * e]] + g->weight[e];
            if (longer < distance[g->at[2 * e + 1]]) {
                distance[g->at[2 * e + 1]] = longer;
                changes = 1;
            }
        }
    }
}

/* The edges are sorted, so that is where to look. */
static int is_edge(const struct graph *g, int64_t from, int64_t to)
{
    int64_t low = 0, high = g->edges;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int is_before =
            g->at[2 * middle] < from || (g->at[2 * middle] == from && g->at[2 * middle + 1] < to);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low < g->edges && g->at[2 * low] == from && g->at[2 * low + 1] == to;
}

int64_t plain_triangles(const struct graph *g)
{
    int64_t count = 0;
    for (int64_t e = 0; e < g->edges; e++) {
        int64_t a = g->at[2 * e], b = g->at[2 * e + 1];
        for (int64_t f = e; a > b && f >= 0 && g->at[2 * f] == a; f--)
            count += g->at[2 * f + 1] < b && is_edge(g, b, g->at[2 * f + 1]);
    }
    return count;
}

void plain_ranks(const struct graph *g, int rounds, double *rank)
{
    double *share = calloc((size_t)g->n + 1, sizeof *share),
           *degree = calloc((size_t)g->n + 1, sizeof *degree);
    for (int64_t e = 0; share && degree && e < g->edges; e++)
        degree[g->at[2 * e]] += 1;
    for (int64_t v = 0; v < g->n; v++)
        rank[v] = 1.0 / (double)g->n;
    while (share && degree && rounds-- > 0) {
        double lost = 0;
        for (int64_t v = 0; v < g->n; v++) {
            share[v] = degree[v] > 0 ? rank[v] / degree[v] : 0;
            lost += degree[v] > 0 ? 0 : rank[v];
        }
        for (int64_t v = 0; v < g->n; v++)
            rank[v] = (0.15 + 0.85 * lost) / (double)g->n;
        for (int64_t e = 0; e < g->edges; e++)
            rank[g->at[2 * e + 1]] += 0.85 * share[g->at[2 * e]];
    }
    free(share);
    free(degree);
}
