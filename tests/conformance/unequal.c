/* unequal.c - an intersection of a short operand and long ones takes as long as the short one.
 *
 *     unequal [--verbose]
 *
 * A step is a statement, an iteration, a load or a store, as the interpreter counts them.  In each
 * row of A there are a few entries, in those of the others many; then these have 64 times as many.
 * Were they gone through, so many would be the steps; sought in, there is a logarithm of that. The
 * sum is compared with one over coordinates, also where duplicates are gone through in any case.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/rng.h"
#include "tests/support/trial.h"

struct row {
    const char *statement, *format[3];
    bool through; /* of a list with duplicates: these are gone through */
};

static const struct row rows[] = {
    {"y = A(j) * B(j)", {"s", "s"}, false},
    {"y = B(j) * A(j)", {"s", "s"}, false},
    {"y = B(j) * A(j) * C(j)", {"s", "s", "s"}, false},
    {"y = B(j) * C(j) * A(j)", {"s", "s", "s"}, false},
    {"y = A(i,j) * B(i,j)", {"csr", "csr"}, false},
    {"y = B(i,j) * A(i,j)", {"dcsr", "csr"}, false},
    {"y = A(i,j) * B(i,j)", {"ell", "ell"}, false},
    {"y = A(i,j) * B(i,j) * C(i,j)", {"csr", "ell", "dcsr"}, false},
    {"y = A(i,j) * B(i,j)", {"coo", "coo"}, true},
    {"y = A(i,j) * B(i,j)", {"coo", "csr"}, false},
    {"y = A(i,j) * B(j)", {"csr", "s"}, false},
};

enum { ROWS = 3, FEW = 6, MANY = 256, GROWTH = 64, OPERANDS = 4 };

struct subject {
    struct context *cx;
    struct pipeline pipeline;
    struct tensor *tensor[OPERANDS];
    const char *trouble;
};

/* The coordinate of entry e of n in a row: some of everything is everywhere. */
static int64_t coordinate(struct rng *rng, int64_t e, int64_t n, int64_t size)
{
    return e * (size / n) + rng_below(rng, (int)(size / n));
}

static struct tensor *pack(struct subject *s, const struct tensor_var *var, int64_t entries,
                           int64_t size, double *component)
{
    struct rng rng = {(uint64_t)var->rank};
    struct coords coords;
    struct rt_error error;
    struct tensor *tensor = NULL;
    int64_t dimension[] = {ROWS, size}, at[2];
    double value = 3;
    coords_init(&coords, var->order, dimension + 2 - var->order, TYPE_F64);
    for (at[0] = 0; at[0] < (var->order == 2 ? ROWS : 1); at[0]++)
        for (int64_t e = 0; e < entries; e++) {
            at[1] = coordinate(&rng, e, entries, size);
            if (!coords_add(&coords, at + 2 - var->order, &value))
                s->trouble = "no memory";
            for (int64_t i = at[0]; i < (var->order == 2 ? at[0] + 1 : ROWS); i++)
                component[i * size + at[1]] *= value;
        }
    if (tensor_pack(&coords, var->format, value_zero(TYPE_F64), 1, "A", &tensor, &error) != RT_OK)
        s->trouble = "an operand cannot be packed";
    coords_free(&coords);
    return tensor;
}

/* The sum over the rows of what all operands have; of one row, if all are vectors. */
static double expected(const struct subject *s, const double *component, int64_t size)
{
    double sum = 0, all = 1;
    int order = 1;
    for (int rank = 1; rank < s->pipeline.tensors; rank++) {
        all *= 3;
        order = s->pipeline.tensor[rank]->order > order ? s->pipeline.tensor[rank]->order : order;
    }
    for (int64_t at = 0; at < (order == 2 ? ROWS : 1) * size; at++)
        sum += component[at] == all ? all : 0;
    return sum;
}

static double interpret(struct subject *s)
{
    const struct imp_function *f = s->pipeline.imperative;
    struct imp_argument *argument = arena_array(s->cx->arena, struct imp_argument, f->params);
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(s->tensor, &f->param[i]);
    struct imp_run run = imp_interpret(s->cx, f, argument, NULL);
    if (run.fault || run.status != STATUS_OK)
        s->trouble = run.fault ? run.fault : "the kernel failed";
    return (double)(run.counts.statements + run.counts.iterations + run.counts.loads
                    + run.counts.stores);
}

static double run_size(struct subject *s, int64_t entries)
{
    struct rt_error error;
    int64_t size = 2 * entries;
    double steps = 0, *component = arena_array(s->cx->arena, double, (size_t)(ROWS * size));
    for (int64_t i = 0; i < ROWS * size; i++)
        component[i] = 1;
    for (int rank = 1; rank < s->pipeline.tensors; rank++) {
        const struct tensor_var *var = s->pipeline.tensor[rank];
        s->tensor[rank] =
            pack(s, var, strcmp(var->name, "A") == 0 ? FEW : entries, size, component);
    }
    if (tensor_new_empty(s->pipeline.tensor[0]->format, TYPE_F64, &size, value_zero(TYPE_F64), "y",
                         &s->tensor[0], &error)
        != RT_OK)
        s->trouble = "no result";
    if (!s->trouble)
        steps = interpret(s);
    if (!s->trouble && *(const double *)s->tensor[0]->vals != expected(s, component, size))
        s->trouble = "the sum is wrong";
    for (int rank = 0; rank < s->pipeline.tensors; rank++)
        tensor_free(s->tensor[rank]);
    return steps;
}

static bool compile(struct subject *s, const struct row *row)
{
    const struct tin_declaration tensors[] = {{"A", row->format[0], NULL, NULL},
                                              {"B", row->format[1], NULL, NULL},
                                              {"C", row->format[2], NULL, NULL}};
    struct pipeline_request request = {
        .expression = row->statement, .no_plan = true, .check_passes = true};
    request.declared = (struct tin_declarations){
        .tensor = tensors, .tensors = row->format[2] ? 3 : 2, .defaults = {TYPE_I32, TYPE_I32}};
    return pipeline_run(s->cx, &request, STAGE_IMPERATIVE, &s->pipeline);
}

static bool measure(struct subject *s, const struct row *row, bool verbose)
{
    if (!compile(s, row))
        s->trouble = diag_render(s->cx);
    double few = s->trouble ? 0 : run_size(s, MANY),
           many = s->trouble ? 0 : run_size(s, MANY * GROWTH);
    bool right = !s->trouble && (row->through || many <= 3 * few);
    if (!right || verbose)
        printf("%s: %s%.0f and %.0f steps\n", row->statement, s->trouble ? s->trouble : "", few,
               many);
    return right;
}

static bool measure_in_context(const struct row *row, bool verbose)
{
    struct subject s = {.cx = context_new()};
    bool right = s.cx && context_protect(s.cx) && measure(&s, row, verbose);
    if (s.cx && s.cx->bug)
        printf("%s: %s\n", row->statement, s.cx->bug);
    context_free(s.cx);
    return right;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    int right = 0, wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_right = measure_in_context(&rows[i], verbose);
        right += is_right;
        wrong += !is_right;
    }
    printf("%d as it should be, %d not\n", right, wrong);
    return wrong > 0 || right == 0;
}
