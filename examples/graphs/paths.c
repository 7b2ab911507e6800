/* paths.c - the shortest paths from one vertex, by Bellman and Ford, with the semiring (min, +):
 *
 *     d(j) = min of d(j) and, over i, before(i) + W(i,j)
 *
 * until nothing changes.  W's fill is infinity, so that where there is no edge nothing is done.
 * Each statement is compiled when it is first evaluated; the context has it from then on.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

enum { SOURCE = 0 };

/* A vector of a result's own array. */
static spcc_tensor *borrow(spcc_context *cx, double *values, int64_t n)
{
    const spcc_tensor_options options = {.size = sizeof options, .writable = true};
    spcc_tensor *made = NULL;
    spcc_tensor_borrow(cx, NULL, SPCC_F64, 1, &n, NULL, 0, values, n, &options, &made);
    return made;
}

/* The rounds it took; -1 if something fails. */
static int relax(spcc_context *cx, const struct graph *g, double *d, double *before)
{
    spcc_tensor *changed = NULL;
    bool goes_on = true;
    int rounds = 0;
    spcc_binding b[] = {{"d", borrow(cx, d, g->n)},
                        {"before", borrow(cx, before, g->n)},
                        {"W", g->W},
                        {"changed", NULL}};
    int failed = !b[0].tensor || !b[1].tensor
                 || spcc_tensor_new(cx, NULL, SPCC_BOOL, 0, NULL, NULL, &changed) != SPCC_OK;
    b[3].tensor = changed;
    for (; !failed && goes_on; rounds++) {
        const spcc_binding copy[] = {b[0], b[1]}, look[] = {b[0], b[1], b[3]};
        failed = spcc_eval(cx, "before(i) = d(i)", copy, 2) != SPCC_OK
                 || spcc_eval(cx, "d(j) min= min(i, before(i) + W(i,j))", b, 3) != SPCC_OK
                 || spcc_eval(cx, "changed = any(i, d(i) != before(i))", look, 3) != SPCC_OK;
        goes_on = !failed && *(const bool *)spcc_tensor_values(changed);
    }
    spcc_tensor_free(b[0].tensor);
    spcc_tensor_free(b[1].tensor);
    spcc_tensor_free(changed);
    return failed ? -1 : rounds;
}

int main(int argc, char **argv)
{
    spcc_context *cx = NULL;
    struct graph g = {0};
    int64_t wrong = 0, reached = 0;
    int rounds = -1;
    if (argc != 2) {
        fputs("usage: paths FILE\n", stderr);
        return 2;
    }
    int failed = spcc_context_new(NULL, &cx) != SPCC_OK || graph_read(cx, argv[1], 0, &g);
    double *d = malloc(sizeof *d * (size_t)(g.n + 1)),
           *other = malloc(sizeof *other * (size_t)(g.n + 1));
    if (!failed && d && other) {
        for (int64_t v = 0; v < g.n; v++)
            d[v] = v == SOURCE ? 0 : INFINITY;
        rounds = relax(cx, &g, d, other);
    }
    if (rounds >= 0) {
        plain_distances(&g, SOURCE, other);
        for (int64_t v = 0; v < g.n; v++) {
            wrong += d[v] != other[v];
            reached += d[v] < INFINITY;
        }
        printf("%lld of %lld vertices reached in %d rounds, %lld wrong\n", (long long)reached,
               (long long)g.n, rounds, (long long)wrong);
    } else {
        fputs(spcc_message(cx), stderr);
    }
    free(d);
    free(other);
    graph_free(&g);
    spcc_context_free(cx);
    return rounds < 0 || wrong > 0;
}
