/* best.c - the best of what the planner weighed, for those who measure which it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/plan/planner.h"

double plan_value(struct cost cost) { return cost.impossible ? INFINITY : cost_value(cost); }

/* What the planner uses. */
static const struct schedule_type *const directives[] = {
    &schedule_reorder,
    &schedule_precompute,
    &schedule_convert,
    &schedule_collect,
    &schedule_sequence,
    &schedule_split,
    &schedule_collapse,
    &schedule_skew,
    &schedule_share,
    &schedule_parallelize,
    &schedule_pos,
    &schedule_blas,
    NULL,
};

bool plan_fits(struct context *cx, const struct cin_program *program, const char *schedule)
{
    size_t mistakes = cx->diags.n;
    bool fits = plan_is_whole(cx, schedule_apply(cx, directives, program, schedule));
    cx->diags.n = mistakes;
    return fits;
}

/* Compares by cost, the cheaper first; of two that cost the same the shorter. */
static int cheaper_first(const void *a, const void *b)
{
    const struct plan_alternative *p = a, *q = b;
    size_t n = strlen(p->schedule), m = strlen(q->schedule);
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return n != m ? (n < m ? -1 : 1) : strcmp(p->schedule, q->schedule);
}

/* Is it a program that none of the others is? */
static bool is_new(const struct plan_alternative *one, const struct plan_alternative *others, int n)
{
    for (int i = 0; i < n; i++)
        if (others[i].program->statement == one->program->statement)
            return false;
    return true;
}

/* Returns the plan with its cost. */
static struct plan_alternative costed(struct context *cx, const struct cin_program *program,
                                      const struct plan_report *report)
{
    bool is_whole;
    struct cost_symbols *symbols = plan_symbols(cx, program);
    struct cost cost = plan_cost(symbols, report->program, &is_whole);
    return (struct plan_alternative){report->taken, plan_value(cost), report->program};
}

int plan_best(struct context *cx, const struct cin_program *program,
              const struct plan_report *report, double most, struct plan_alternative *best, int n)
{
    size_t all = report->alternative.n;
    struct plan_alternative *sorted = arena_array(cx->arena, struct plan_alternative, all + 1);
    for (size_t i = 0; i < all; i++)
        sorted[i + 1] = report->alternative.at[i];
    qsort(sorted + 1, all, sizeof *sorted, cheaper_first);
    sorted[0] = costed(cx, program, report);
    int found = 0;
    for (size_t i = 0; i <= all && found < n; i++) {
        bool is_cheap = i == 0 || sorted[i].cost <= most * sorted[0].cost;
        if (is_cheap && plan_is_whole(cx, sorted[i].program) && is_new(&sorted[i], best, found))
            best[found++] = sorted[i];
    }
    return found;
}
