/* pagerank.c - how likely one is to be at a vertex after following edges at random for long:
 *
 *     share(i) = rank(i) / degree(i), 0 where there is no edge to follow
 *     next(j)  = what falls to everyone + 0.85 * sum over i of share(i) * A(i,j)
 *
 * The statements are compiled once and run in turn.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { ROUNDS = 50, STATEMENTS = 5 };

static const char *const statements[STATEMENTS] = {
    "degree(i) = A(i,j)",
    "lost = sum(i, select(degree(i) == 0, rank(i), 0))",
    "share(i) = select(degree(i) == 0, 0, rank(i) / degree(i))",
    "next(j) = (0.15 + 0.85 * lost) / n + 0.85 * sum(i, share(i) * A(i,j))",
    "rank(i) = next(i)",
};

enum { A, DEGREE, LOST, RANK, SHARE, NEXT, N, TENSORS };
static const char *const names[TENSORS] = {"A", "degree", "lost", "rank", "share", "next", "n"};

struct ranking {
    spcc_context *cx;
    struct graph graph;
    spcc_kernel *kernel[STATEMENTS];
    spcc_tensor *tensor[TENSORS];
};

static int make_tensors(struct ranking *r)
{
    double n = (double)r->graph.n, *even = malloc(sizeof *even * (size_t)(r->graph.n + 1));
    for (int64_t v = 0; even && v < r->graph.n; v++)
        even[v] = 1 / n;
    int failed =
        !even
        || spcc_tensor_dense(r->cx, SPCC_F64, 1, &r->graph.n, even, &r->tensor[RANK]) != SPCC_OK
        || spcc_tensor_scalar(r->cx, SPCC_F64, &n, &r->tensor[N]) != SPCC_OK
        || spcc_tensor_new(r->cx, NULL, SPCC_F64, 0, NULL, NULL, &r->tensor[LOST]) != SPCC_OK
        || spcc_tensor_new(r->cx, NULL, SPCC_F64, 1, NULL, NULL, &r->tensor[DEGREE]) != SPCC_OK
        || spcc_tensor_new(r->cx, NULL, SPCC_F64, 1, NULL, NULL, &r->tensor[SHARE]) != SPCC_OK
        || spcc_tensor_new(r->cx, NULL, SPCC_F64, 1, NULL, NULL, &r->tensor[NEXT]) != SPCC_OK;
    r->tensor[A] = r->graph.A;
    free(even);
    return failed;
}

static int compile(struct ranking *r)
{
    const spcc_declaration matrix = {.name = "A", .tensor = r->graph.A};
    int failed = 0;
    for (int s = 0; s < STATEMENTS && !failed; s++) {
        int uses_A = strchr(statements[s], 'A') != NULL;
        const spcc_compile_options options = {
            .size = sizeof options, .declarations = &matrix, .n_declarations = uses_A};
        failed = spcc_compile(r->cx, statements[s], &options, &r->kernel[s]) != SPCC_OK;
    }
    return failed;
}

/* The kernel's tensors come in its own order. */
static int run(struct ranking *r, const spcc_kernel *kernel)
{
    spcc_tensor *given[TENSORS] = {NULL};
    int n = spcc_kernel_tensors(kernel);
    for (int k = 0; k < n; k++)
        for (int t = 0; t < TENSORS; t++)
            if (strcmp(names[t], spcc_kernel_tensor_name(kernel, k)) == 0)
                given[k] = r->tensor[t];
    return spcc_run_array(r->cx, kernel, given, n) != SPCC_OK;
}

/* The largest difference from what plain C finds, and the vertex of the highest rank. */
static double compare(const struct ranking *r, int64_t *first)
{
    const double *rank = spcc_tensor_values(r->tensor[RANK]);
    double *expected = malloc(sizeof *expected * (size_t)(r->graph.n + 1)),
           worst = expected ? 0 : INFINITY;
    if (expected)
        plain_ranks(&r->graph, ROUNDS, expected);
    for (int64_t v = 0; expected && v < r->graph.n; v++) {
        worst = fmax(worst, fabs(rank[v] - expected[v]));
        *first = rank[v] > rank[*first] ? v : *first;
    }
    free(expected);
    return worst;
}

int main(int argc, char **argv)
{
    struct ranking r = {0};
    if (argc != 2) {
        fputs("usage: pagerank FILE\n", stderr);
        return 2;
    }
    int failed = spcc_context_new(NULL, &r.cx) != SPCC_OK || graph_read(r.cx, argv[1], 0, &r.graph)
                 || make_tensors(&r) || compile(&r) || run(&r, r.kernel[0]);
    for (int round = 0; round < ROUNDS && !failed; round++)
        for (int s = 1; s < STATEMENTS && !failed; s++)
            failed = run(&r, r.kernel[s]);
    if (failed) {
        fputs(spcc_message(r.cx), stderr);
    } else {
        int64_t first = 0;
        double worst = compare(&r, &first);
        printf("vertex %lld has the highest rank, %g; largest difference %g\n", (long long)first,
               ((const double *)spcc_tensor_values(r.tensor[RANK]))[first], worst);
        failed = !(worst < 1e-12);
    }
    for (int t = A + 1; t < TENSORS; t++)
        spcc_tensor_free(r.tensor[t]);
    for (int s = 0; s < STATEMENTS; s++)
        spcc_kernel_free(r.kernel[s]);
    graph_free(&r.graph);
    spcc_context_free(r.cx);
    return failed;
}
