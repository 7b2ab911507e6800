/* bfs.c - breadth-first search, step by step with the semiring (or, and) and a mask:
 *
 *     next(j) = or over i of frontier(i) and A(i,j), and not seen(j)
 *     seen(j) = seen(j) or next(j)
 *
 * Both are compiled once.  frontier and next are sparse: a step looks at the edges of the frontier
 * only.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

enum { SOURCE = 0 };

struct search {
    spcc_context *cx;
    struct graph graph;
    spcc_kernel *step, *see;
    spcc_tensor *frontier, *next, *seen;
    int64_t *level;
};

/* A sparse vector that is true at these vertices. */
static spcc_tensor *vertices(struct search *s, int64_t n, const int64_t *vertex)
{
    bool *there = malloc(sizeof *there * (size_t)(n + 1));
    spcc_tensor *made = NULL;
    for (int64_t k = 0; there && k < n; k++)
        there[k] = true;
    if (there)
        spcc_tensor_from_coords(s->cx, "sparse", SPCC_BOOL, 1, &s->graph.n, n, vertex, there, NULL,
                                &made);
    free(there);
    return made;
}

/* The pattern of next is where a true might be: those that are seen already are there, as false.
 * The true ones are the new frontier; returns how many, -1 if something fails. */
static int64_t advance(struct search *s, int64_t level)
{
    int64_t stored = spcc_tensor_stored(s->next), n = 0;
    int64_t *vertex = malloc(sizeof *vertex * (size_t)(stored + 1));
    const bool *is_new = spcc_tensor_values(s->next);
    if (vertex)
        spcc_tensor_unpack(s->next, vertex, NULL);
    for (int64_t k = 0; vertex && k < stored; k++) {
        if (is_new[k]) {
            s->level[vertex[k]] = level;
            vertex[n++] = vertex[k];
        }
    }
    spcc_tensor_free(s->frontier);
    s->frontier = vertex ? vertices(s, n, vertex) : NULL;
    free(vertex);
    return s->frontier ? n : -1;
}

static int prepare(struct search *s, const char *path)
{
    const int64_t source[] = {SOURCE};
    if (spcc_context_new(NULL, &s->cx) != SPCC_OK || graph_read(s->cx, path, 0, &s->graph))
        return 1;
    s->level = malloc(sizeof *s->level * (size_t)s->graph.n);
    for (int64_t v = 0; s->level && v < s->graph.n; v++)
        s->level[v] = v == SOURCE ? 0 : -1;
    s->frontier = vertices(s, 1, source);
    const spcc_declaration types[] = {
        {.name = "A", .tensor = s->graph.A},
        {.name = "frontier", .tensor = s->frontier},
        {.name = "seen", .type = "bool"},
        {.name = "next", .format = "sparse", .type = "bool"},
    };
    const spcc_compile_options step = {
        .size = sizeof step, .declarations = types, .n_declarations = 4};
    const spcc_compile_options see = {
        .size = sizeof see, .declarations = types + 2, .n_declarations = 2};
    return !s->level || !s->frontier
           || spcc_compile(s->cx, "next(j) = and(any(i, and(frontier(i), A(i,j))), not(seen(j)))",
                           &step, &s->step)
                  != SPCC_OK
           || spcc_compile(s->cx, "seen(j) |= next(j)", &see, &s->see) != SPCC_OK
           || spcc_tensor_new(s->cx, "sparse", SPCC_BOOL, 1, &s->graph.n, NULL, &s->next) != SPCC_OK
           || spcc_tensor_new(s->cx, NULL, SPCC_BOOL, 1, &s->graph.n, NULL, &s->seen) != SPCC_OK
           || spcc_run(s->cx, s->see, s->seen, s->frontier) != SPCC_OK;
}

/* The number of steps; -1 if something fails. The kernel's tensors are taken in its own order. */
static int64_t search(struct search *s)
{
    int64_t found = 1, steps = 0;
    while (found > 0) {
        spcc_tensor *tensors[4];
        for (int k = 0; k < spcc_kernel_tensors(s->step); k++) {
            char first = spcc_kernel_tensor_name(s->step, k)[0];
            tensors[k] = first == 'n'   ? s->next
                         : first == 'f' ? s->frontier
                         : first == 'A' ? s->graph.A
                                        : s->seen;
        }
        if (spcc_run_array(s->cx, s->step, tensors, 4) != SPCC_OK
            || spcc_run(s->cx, s->see, s->seen, s->next) != SPCC_OK)
            return -1;
        found = advance(s, ++steps);
    }
    return found < 0 ? -1 : steps;
}

/* Vertices whose level is not what plain C finds. */
static int64_t compare(const struct search *s, int64_t *reached)
{
    int64_t wrong = 0, *level = malloc(sizeof *level * (size_t)s->graph.n);
    if (!level)
        return 1;
    plain_levels(&s->graph, SOURCE, level);
    for (int64_t v = 0; v < s->graph.n; v++) {
        wrong += level[v] != s->level[v];
        *reached += level[v] >= 0;
    }
    free(level);
    return wrong;
}

int main(int argc, char **argv)
{
    struct search s = {0};
    int64_t reached = 0, wrong = 0;
    int failed = argc != 2 || prepare(&s, argv[1]);
    int64_t steps = failed ? -1 : search(&s);
    if (steps < 0) {
        fputs(argc != 2 ? "usage: bfs FILE\n" : spcc_message(s.cx), stderr);
    } else {
        wrong = compare(&s, &reached);
        printf("%lld of %lld vertices reached in %lld steps, %lld wrong\n", (long long)reached,
               (long long)s.graph.n, (long long)steps, (long long)wrong);
    }
    spcc_tensor_free(s.frontier);
    spcc_tensor_free(s.next);
    spcc_tensor_free(s.seen);
    spcc_kernel_free(s.step);
    spcc_kernel_free(s.see);
    graph_free(&s.graph);
    spcc_context_free(s.cx);
    free(s.level);
    return steps < 0 || wrong > 0;
}
