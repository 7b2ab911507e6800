/* linear.c - conversions take steps in proportion to what they read and write.
 *
 *     linear [WORDS] [--max N] [--share N] [--turn N] [--verbose]
 *
 * --max: so many may be other than linear.  --share: only one conversion in so many; --turn:
 * another one.
 *
 * A step is a statement, an iteration, a load, a store, or an element that memory is asked for.
 *
 * Each conversion of conversions.h is interpreted on three tensors, each twice the size of the one
 * before in every mode, with entries in proportion to the size; the interpreter counts steps.  Were
 * they quadratic, those for each element of the arrays would be four times as many in the third run
 * as in the first.  Some rise there is where the elements that take most steps become more of all.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/conversions.h"
#include "tests/conformance/runner.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

enum { RUNS = 3 };

/* So many steps for an element are proportional whatever the rise: hardly more than it takes to
 * copy it. */
static const double most_rise = 3, few_steps = 4;

struct cost {
    double steps, elements;
};

struct subject {
    struct context *cx;
    struct pipeline pipeline;
    struct tensor *tensor[2];
    const char *trouble;
};

static const int64_t sizes[] = {0, 512, 32, 10}; /* of the first run, by order */

/* ---- tensors ---- */

static struct tensor *pack(struct subject *s, const struct format *format, int64_t size)
{
    struct rng rng = {(uint64_t)size};
    struct coords coords;
    struct rt_error error;
    struct tensor *tensor = NULL;
    int64_t dimension[ORDER_MAX], at[ORDER_MAX];
    for (int m = 0; m < format->order; m++)
        dimension[m] = size;
    coords_init(&coords, format->order, dimension, TYPE_F64);
    bool fits = true;
    for (int64_t e = 0; e < 4 * size && fits; e++) {
        double value = 1;
        for (int m = 0; m < format->order; m++)
            at[m] = rng_below(&rng, (int)size);
        fits = coords_add(&coords, at, &value);
    }
    if (!fits
        || tensor_pack(&coords, format, value_zero(TYPE_F64), 1, "A", &tensor, &error) != RT_OK)
        s->trouble = "the operand cannot be packed";
    coords_free(&coords);
    return tensor;
}

static double elements_of_tensor(const struct tensor *t)
{
    double n = (double)t->nvals;
    for (int l = 0; l < t->format->levels; l++)
        for (int a = 0; a < LEVEL_ARRAYS; a++)
            n += (double)t->level[l].length[a];
    for (int m = 0; m < t->order; m++)
        n += (double)t->dimension[m];
    return n;
}

/* In the arrays of the operand and the result, with what the kernel has assembled. */
static double elements_of(const struct subject *s, const struct imp_argument *argument)
{
    const struct imp_function *f = s->pipeline.imperative;
    double n = elements_of_tensor(s->tensor[0]) + elements_of_tensor(s->tensor[1]);
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            n += (double)argument[i].length;
    return n;
}

/* ---- a run ---- */

static struct cost interpret(struct subject *s)
{
    const struct imp_function *f = s->pipeline.imperative;
    struct imp_argument *argument = arena_array(s->cx->arena, struct imp_argument, f->params);
    for (int i = 0; i < f->params; i++)
        argument[i] = trial_argument(s->tensor, &f->param[i]);
    struct imp_run run = imp_interpret(s->cx, f, argument, NULL);
    struct imp_counts n = run.counts;
    double steps = (double)(n.statements + n.iterations + n.loads + n.stores + n.elements);
    struct cost cost = {steps, elements_of(s, argument)};
    if (run.fault || run.status != STATUS_OK)
        s->trouble = run.fault ? run.fault : "the kernel failed";
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            free(argument[i].data);
    return cost;
}

static struct cost run_size(struct subject *s, int64_t size)
{
    struct cost cost = {0, 1};
    struct rt_error error;
    const struct format *to = s->pipeline.tensor[0]->format, *from = s->pipeline.tensor[1]->format;
    s->tensor[0] = NULL;
    s->tensor[1] = pack(s, from, size);
    if (s->tensor[1]
        && tensor_new_empty(to, TYPE_F64, s->tensor[1]->dimension, value_zero(TYPE_F64), "y",
                            &s->tensor[0], &error)
               != RT_OK)
        s->trouble = "no result";
    if (!s->trouble)
        cost = interpret(s);
    tensor_free(s->tensor[0]);
    tensor_free(s->tensor[1]);
    return cost;
}

static bool compile(struct subject *s, const struct conversion *c)
{
    const struct tin_declaration tensors[] = {{"y", c->to, NULL, NULL}, {"A", c->from, NULL, NULL}};
    struct pipeline_request request = {.expression = conversion_statement(c->order), .plain = true};
    request.declared = (struct tin_declarations){
        .tensor = tensors, .tensors = 2, .defaults = {TYPE_I32, TYPE_I32}};
    return pipeline_run(s->cx, &request, STAGE_IMPERATIVE, &s->pipeline);
}

struct totals {
    int linear, refused, wrong;
};

static void measure(struct subject *s, int item, struct totals *totals, bool verbose)
{
    struct conversion c = conversion_number(item);
    struct cost cost[RUNS];
    if (!compile(s, &c)) {
        totals->refused++;
        return;
    }
    for (int run = 0; run < RUNS && !s->trouble; run++)
        cost[run] = run_size(s, sizes[c.order] << run);
    double rise = s->trouble ? 0
                             : cost[RUNS - 1].steps / cost[RUNS - 1].elements
                                   / (cost[0].steps / cost[0].elements);
    double per_element = s->trouble ? 0 : cost[RUNS - 1].steps / cost[RUNS - 1].elements;
    bool linear = !s->trouble && (rise <= most_rise || per_element <= few_steps);
    totals->linear += linear;
    totals->wrong += !linear;
    if (s->trouble)
        printf("from %s to %s: %s\n", c.from, c.to, s->trouble);
    else if (!linear || verbose)
        printf("from %s to %s: %.0f, %.0f, %.0f steps for %.0f, %.0f, %.0f elements, %.2f times as "
               "many for each\n",
               c.from, c.to, cost[0].steps, cost[1].steps, cost[2].steps, cost[0].elements,
               cost[1].elements, cost[2].elements, rise);
}

static void measure_in_context(int item, struct totals *totals, bool verbose)
{
    struct subject s = {.cx = context_new()};
    if (!s.cx)
        return;
    if (context_protect(s.cx)) {
        measure(&s, item, totals, verbose);
    } else {
        totals->wrong++;
        printf("conversion %d: %s\n", item, s.cx->bug ? s.cx->bug : "no memory");
    }
    context_free(s.cx);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    const char *only = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    bool verbose = argc > 1 && strcmp(argv[argc - 1], "--verbose") == 0;
    int most = 0, share = 0, turn = 0;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--max") == 0)
            most = (int)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--share") == 0)
            share = (int)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--turn") == 0)
            turn = (int)strtol(argv[i + 1], NULL, 10);
    }
    char text[256];
    for (int item = 0; item < conversions_count(); item++) {
        conversion_print(item, text, sizeof text);
        if ((!only || strstr(text, only)) && runner_draws(item, share, turn))
            measure_in_context(item, &totals, verbose);
    }
    printf("%d linear, %d not, %d refused\n", totals.linear, totals.wrong, totals.refused);
    return totals.wrong > most || totals.linear == 0;
}
