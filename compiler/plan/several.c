/* several.c - the plan of a program of several results: which of its statements share loops.
 *
 * Each statement is planned by itself.  Then each pair of statements is tried in common loops over
 * the variables that both have: in the order of either's loops, all of them or the outer ones
 * alone. The cheapest pair is taken if the whole gets cheaper, and the search starts over.  Common
 * loops stay as they are.  They are not taken if threads could share the loops apart and not
 * these.  Where loops get another order than apart, or lose one that they get apart, the whole has
 * to be clearly cheaper.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/planner.h"

/* The plan of a part.  It does not depend on the other parts. */
struct planned {
    const struct cin *part;
    struct draft draft;
};

struct several {
    struct context *cx;
    struct cost_symbols *symbols;
    struct plan_report *report;
    struct plan_report parts; /* of parts: their alternatives are no schedules of the program */
    VEC(struct planned) planned;
    int serial;      /* results that one thread computes while the statements are apart */
    double now;      /* the cost of the program as it is; infinite if that cannot be lowered */
    size_t reorders; /* directives of that program that give loops another order */
};

/* ---- a part by itself ---- */

static struct draft plan_part(struct several *s, const struct cin_program *part)
{
    for (size_t i = 0; i < s->planned.n; i++)
        if (s->planned.at[i].part == part->statement)
            return s->planned.at[i].draft;
    struct draft draft = plan_one(s->cx, part, s->report ? &s->parts : NULL);
    vec_push(s->cx->arena, &s->planned, ((struct planned){part->statement, draft}));
    return draft;
}

/* Returns the draft with a plan for each part of one result. */
static struct draft complete(struct several *s, const struct draft *draft)
{
    struct draft done = draft_copy(draft);
    for (int r = 0; done.program && r <= done.program->others; r++) {
        const struct cin_program *part = cin_part(s->cx, done.program, r);
        struct draft plan = draft_new(s->cx, part);
        if (part->others == 0)
            plan = plan_part(s, part);
        for (size_t i = 0; i < plan.calls.n; i++)
            draft_add(&done, plan.calls.at[i]);
    }
    return done;
}

static struct cost cost_of(struct several *s, const struct draft *draft)
{
    bool is_whole;
    struct cost cost = plan_cost(s->symbols, draft->program, &is_whole);
    cost.impossible |= !is_whole;
    return cost;
}

/* Returns how many of the directives give loops another order. */
static size_t reorders_of(const struct draft *draft)
{
    size_t n = 0;
    for (size_t i = 0; i < draft->calls.n; i++)
        n += draft->calls.at[i]->type == &schedule_reorder;
    return n;
}

/* Returns the loops around a whole part, outermost first. */
static struct var_list loops_of(struct context *cx, const struct cin *part)
{
    return part->kind == CIN_FORALL ? plan_chain(cx, part).loops : (struct var_list){0};
}

/* Returns, for each of these loops in turn, one of the others with the same range, up to the first
 * that has none. */
static struct var_list matched(struct context *cx, const struct var_list *these,
                               const struct var_list *others)
{
    struct var_list found = {0};
    for (size_t i = 0; i < these->n && found.n == i; i++)
        for (size_t k = 0; k < others->n && found.n == i; k++)
            if (index_var_origin(others->at[k]) == index_var_origin(these->at[i])
                && !var_list_has(&found, others->at[k]))
                vec_push(cx->arena, &found, others->at[k]);
    return found;
}

/* Puts the first loops outside the others.  Returns whether that changes the order. */
static bool order_first(struct draft *draft, const struct var_list *loops,
                        const struct var_list *first)
{
    struct var_list ordered = {0};
    for (size_t i = 0; i < first->n; i++)
        vec_push(draft->cx->arena, &ordered, first->at[i]);
    for (size_t i = 0; i < loops->n; i++)
        if (!var_list_has(first, loops->at[i]))
            vec_push(draft->cx->arena, &ordered, loops->at[i]);
    bool reorders = !var_list_equal(&ordered, loops);
    if (reorders)
        draft_add(draft, plan_reorder(draft->cx, &ordered));
    return reorders;
}

/* Returns the draft with n outer loops of two parts in common, in the order of the first's or, if
 * the second leads, of the second's.  *reorders: the loops of the other change their order. */
static struct draft share_loops(const struct draft *draft, const struct var_list *one,
                                const struct var_list *other, size_t n, bool second_leads,
                                bool *reorders)
{
    struct draft shared = draft_copy(draft);
    struct var_list found =
        second_leads ? matched(draft->cx, other, one) : matched(draft->cx, one, other);
    const struct var_list *leads = second_leads ? other : one;
    found.n = found.n < n ? found.n : n;
    *reorders = order_first(&shared, second_leads ? one : other, &found);
    for (size_t i = 0; i < found.n; i++) {
        const struct schedule_argument argument[] = {
            schedule_loop(second_leads ? found.at[i] : leads->at[i]),
            schedule_loop(second_leads ? leads->at[i] : found.at[i])};
        draft_add(&shared, schedule_make(draft->cx, &schedule_share, argument, 2));
    }
    if (found.n < n)
        shared.program = NULL;
    return shared;
}

struct candidate {
    struct draft draft, done;
    double value;
};

/* Does it have more results that one thread computes? */
static bool is_more_serial(struct several *s, const struct draft *done)
{
    return plan_serial_results(s->cx, done->program) > s->serial;
}

static void weigh(struct several *s, const struct draft *draft, bool reorders,
                  struct candidate *best)
{
    if (!draft->program || arena_is_half_spent(s->cx->arena))
        return;
    struct draft done = complete(s, draft);
    struct cost cost = cost_of(s, &done);
    double value = cost_value(cost);
    report_add(s->report, &done, plan_value(cost));
    reorders |= reorders_of(&done) < s->reorders;
    bool worth = reorders ? plan_is_clearly_less(value, s->now) : value < s->now;
    if (!cost.impossible && worth && (!best->done.program || value < best->value)
        && !is_more_serial(s, &done))
        *best = (struct candidate){*draft, done, value};
}

/* Returns the best way to put two more parts into common loops. */
static struct candidate best_pair(struct several *s, const struct draft *draft)
{
    struct candidate best = {0};
    int results = draft->program->others + 1;
    for (int a = 0; a < results; a++)
        for (int b = a + 1; b < results; b++) {
            const struct cin *first = cin_part(s->cx, draft->program, a)->statement,
                             *second = cin_part(s->cx, draft->program, b)->statement;
            struct var_list one = loops_of(s->cx, first), other = loops_of(s->cx, second);
            if (first == second)
                continue;
            for (size_t n = one.n < other.n ? one.n : other.n; n > 0; n--)
                for (int leads = 0; leads < 2; leads++) {
                    bool reorders;
                    struct draft shared = share_loops(draft, &one, &other, n, leads, &reorders);
                    weigh(s, &shared, reorders, &best);
                }
        }
    return best;
}

static void give_reasons(struct several *s, const struct draft *draft, double shared, double apart,
                         bool is_taken)
{
    struct text *reasons = s->report ? report_reasons(s->cx, &s->parts) : NULL;
    if (!reasons)
        return;
    text_add(reasons, "  statements in common loops\n");
    report_way(reasons, is_taken, shared, draft_print(draft));
    text_add(reasons, "\n");
    report_way(reasons, !is_taken, apart, "apart");
    text_add(reasons, "\n");
}

struct draft plan_several(struct context *cx, const struct cin_program *program,
                          struct plan_report *report)
{
    struct several s = {.cx = cx, .symbols = plan_symbols(cx, program), .report = report};
    struct draft draft = draft_new(cx, program);
    draft_order(&draft);
    struct draft start = draft_new(cx, program), done = complete(&s, &start);
    struct cost cost = cost_of(&s, &done);
    double value = cost_value(cost);
    s.serial = done.program ? plan_serial_results(cx, done.program) : 0;
    report_add(report, &done, plan_value(cost));
    for (int round = 0; round < program->others; round++) {
        s.now = cost.impossible ? INFINITY : value;
        s.reorders = reorders_of(&done);
        struct candidate best = best_pair(&s, &draft);
        bool is_taken = best.done.program && (cost.impossible || plan_is_less(best.value, value));
        if (best.done.program)
            give_reasons(&s, &best.draft, best.value, value, is_taken);
        if (!is_taken)
            break;
        draft = best.draft;
        done = best.done;
        value = best.value;
        cost.impossible = false;
    }
    if (report)
        report->reasons = s.parts.reasons;
    return done;
}
