/* triangles.c - how many triangles a graph has:
 *
 *     t = sum over i, j, k of L(i,j) and L(j,k) and L(i,k)
 *
 * where L has each edge once, from the larger vertex to the smaller.  L is of bool and t of i64:
 * the product is and, and the sum counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

static spcc_tensor *lower_triangle(spcc_context *cx, const struct graph *g)
{
    const int64_t square[] = {g->n, g->n};
    int64_t *at = malloc(sizeof *at * (size_t)(2 * g->edges + 1)), n = 0;
    bool *there = malloc(sizeof *there * (size_t)(g->edges + 1));
    spcc_tensor *made = NULL;
    for (int64_t e = 0; at && there && e < g->edges; e++) {
        if (g->at[2 * e] > g->at[2 * e + 1]) {
            at[2 * n] = g->at[2 * e];
            at[2 * n + 1] = g->at[2 * e + 1];
            there[n++] = true;
        }
    }
    if (at && there)
        spcc_tensor_from_coords(cx, "csr", SPCC_BOOL, 2, square, n, at, there, NULL, &made);
    free(at);
    free(there);
    return made;
}

int main(int argc, char **argv)
{
    spcc_context *cx = NULL;
    spcc_tensor *L = NULL, *t = NULL;
    struct graph g = {0};
    int64_t count = -1, expected = 0;
    if (argc != 2) {
        fputs("usage: triangles FILE\n", stderr);
        return 2;
    }
    int failed =
        spcc_context_new(NULL, &cx) != SPCC_OK || graph_read(cx, argv[1], 1, &g)
        || !(L = lower_triangle(cx, &g))
        || spcc_tensor_new(cx, NULL, SPCC_I64, 0, NULL, NULL, &t) != SPCC_OK
        || spcc_eval(cx, "t = L(i,j) * L(j,k) * L(i,k)", (spcc_binding[]){{"t", t}, {"L", L}}, 2)
               != SPCC_OK;
    if (failed) {
        fputs(spcc_message(cx), stderr);
    } else {
        count = *(const int64_t *)spcc_tensor_values(t);
        expected = plain_triangles(&g);
        printf("%lld triangles: %s\n", (long long)count, count == expected ? "right" : "wrong");
    }
    spcc_tensor_free(L);
    spcc_tensor_free(t);
    graph_free(&g);
    spcc_context_free(cx);
    return failed || count != expected;
}
