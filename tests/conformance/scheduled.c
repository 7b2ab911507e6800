/* scheduled.c - scheduled loops over sparse levels take steps in proportion to what is stored.
 *
 *     scheduled [WORDS] [--verbose]
 *
 * A step is a statement, an iteration, a load or a store, as the interpreter counts them.  Each row
 * is run on operands of two sizes, the second four times as large in every mode and with four times
 * as many entries.  A loop over the whole dimension of a row would make sixteen times as many
 * steps.  Rows without a schedule are planned: what a reduction takes where nothing is stored is
 * one step a row.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/runner.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

/* Tensors beyond y are operands, of this format if it names one. */
struct row {
    const char *statement, *y, *a, *b, *schedule;
};

static const struct row rows[] = {
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d", "split(j, j0, j1, down, 16)"},
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d", "split(j, j0, j1, up, 16)"},
    {"y(i) = A(i,j) * B(j)", "d", "dcsr", "d",
     "split(j, j0, j1, down, 16); split(j1, j2, j3, down, 4)"},
    {"y(i) = A(i,j) * B(j)", "d", "coo", "d",
     "split(i, i0, i1, down, 16); split(j, j0, j1, down, 16)"},
    {"y(i) = A(i,j) * B(i,j)", "d", "csr", "csr", "split(j, j0, j1, down, 16)"},
    {"y(i) = A(i,j) + B(i,j)", "d", "csr", "dcsr", "split(j, j0, j1, down, 16)"},
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d", "skew(j, i, d)"},
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d",
     "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 64)"},
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d",
     "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, up, 64)"},
    {"y(i) = A(i,j) * B(j)", "d", "csr", "d", "pos(j, p, A); split(p, p0, p1, down, 4)"},
    {"y(i) = A(i,j) * B(j)", "d", "dcsr", "d", "collapse(i, j, f); pos(f, p, A)"},
    {"y(i) = A(i,j) * B(j)", "d", "coo", "d",
     "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 16); split(p1, p2, p3, down, 4)"},
    {"y(i) = A(i,j) * B(i,j)", "d", "csr", "csr", "collapse(i, j, f); pos(f, p, A)"},
    {"y(i,j) = A(i,j)", "bcsr(4,4)", "csr", NULL,
     "split(i, io, ii, down, 4); precompute(A(i,j), w, {ii,ic,ip}, {j,jc,jp}, "
     "(x,y)->(y/4:bytemap,x:dense,y%4:dense)); split(jc, jco, jci, down, 4); "
     "reorder(jco, ic, jci)"},
    {"y(i) = max(j, A(i,j))", "d", "csr", NULL, NULL},
    {"y(i) = max(j, A(i,j))", "d", "dcsr", NULL, NULL},
    {"y(i) = max(j, A(i,j))", "d", "csc", NULL, NULL},
    {"y(i) = max(j, A(i,j))", "d", "coo", NULL, NULL},
    {"y(i) = max(j, A(i,j))", "d", "dh", NULL, NULL},
    {"y(i) = min(j, A(i,j) * B(i,j))", "d", "csr", "coo", NULL},
    {"y(i) = max(j, A(i,j) + B(i,j))", "d", "csr", "csr", NULL},
    {"y(i) = sum(j, A(i,j) + 1)", "d", "coo", NULL, NULL},
    {"y(i) = prod(j, A(i,j) + 2)", "d", "csr", NULL, NULL},
    {"y = max(i, j, A(i,j))", "", "dcsr", NULL, NULL},
};

enum { SIZE = 256, GROWTH = 4 };

struct subject {
    struct context *cx;
    struct pipeline pipeline;
    struct tensor *tensor[3];
    const char *trouble;
};

static struct tensor *pack(struct subject *s, const struct tensor_var *var, int64_t size)
{
    struct rng rng = {(uint64_t)size};
    struct coords coords;
    struct rt_error error;
    struct tensor *tensor = NULL;
    int64_t dimension[ORDER_MAX], at[ORDER_MAX];
    for (int m = 0; m < var->order; m++)
        dimension[m] = size;
    coords_init(&coords, var->order, dimension, TYPE_F64);
    for (int64_t e = 0; e < 4 * size; e++) {
        double value = 1;
        for (int m = 0; m < var->order; m++)
            at[m] = rng_below(&rng, (int)size);
        if (!coords_add(&coords, at, &value))
            s->trouble = "no memory";
    }
    if (tensor_pack(&coords, var->format, value_zero(TYPE_F64), 1, "A", &tensor, &error) != RT_OK)
        s->trouble = "an operand cannot be packed";
    coords_free(&coords);
    return tensor;
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
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            free(argument[i].data);
    return (double)(run.counts.statements + run.counts.iterations + run.counts.loads
                    + run.counts.stores);
}

static double run_size(struct subject *s, int64_t size)
{
    struct rt_error error;
    int64_t dimension[ORDER_MAX];
    double steps = 0;
    for (int m = 0; m < ORDER_MAX; m++)
        dimension[m] = size;
    for (int rank = 1; rank < s->pipeline.tensors; rank++)
        s->tensor[rank] = pack(s, s->pipeline.tensor[rank], size);
    if (tensor_new_empty(s->pipeline.tensor[0]->format, TYPE_F64, dimension, value_zero(TYPE_F64),
                         "y", &s->tensor[0], &error)
        != RT_OK)
        s->trouble = "no result";
    if (!s->trouble)
        steps = interpret(s);
    for (int rank = 0; rank < s->pipeline.tensors; rank++)
        tensor_free(s->tensor[rank]);
    return steps;
}

static bool compile(struct subject *s, const struct row *row)
{
    const struct tin_declaration tensors[] = {
        {"y", row->y, NULL, NULL}, {"A", row->a, NULL, NULL}, {"B", row->b, NULL, NULL}};
    struct pipeline_request request = {.check_passes = true,
                                       .expression = row->statement,
                                       .plain = true,
                                       .schedule = row->schedule,
                                       .no_plan = row->schedule != NULL};
    request.declared = (struct tin_declarations){
        .tensor = tensors, .tensors = row->b ? 3 : 2, .defaults = {TYPE_I32, TYPE_I32}};
    return pipeline_run(s->cx, &request, STAGE_IMPERATIVE, &s->pipeline);
}

static const char *schedule_name(const struct row *row)
{
    return row->schedule ? row->schedule : "the planner's schedule";
}

/* Is the row as it should be? */
static bool measure(struct subject *s, const struct row *row, bool verbose)
{
    if (!compile(s, row))
        s->trouble = diag_render(s->cx);
    double few = s->trouble ? 1 : run_size(s, SIZE),
           many = s->trouble ? 0 : run_size(s, SIZE * GROWTH);
    bool linear = !s->trouble && many <= 1.5 * GROWTH * few;
    if (!linear || verbose)
        printf("%s with %s: %s%.0f and %.0f steps, %.2f times as many\n", row->statement,
               schedule_name(row), s->trouble ? s->trouble : "", few, many, many / few);
    return linear;
}

static bool measure_in_context(const struct row *row, bool verbose)
{
    struct subject s = {.cx = context_new()};
    bool right = s.cx && context_protect(s.cx) && measure(&s, row, verbose);
    if (s.cx && s.cx->bug)
        printf("%s: %s\n", schedule_name(row), s.cx->bug);
    context_free(s.cx);
    return right;
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    bool verbose = argc > 1 && strcmp(argv[argc - 1], "--verbose") == 0;
    int right = 0, wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (only && !strstr(schedule_name(&rows[i]), only))
            continue;
        bool linear = measure_in_context(&rows[i], verbose);
        right += linear;
        wrong += !linear;
    }
    printf("%d linear, %d not\n", right, wrong);
    return wrong > 0 || right == 0;
}
