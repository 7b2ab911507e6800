/* distribute.c - whether a product with a sum had better be reduced as a sum of products, or the
 * other way round.
 *
 * (A(i,j) - m(j)) * x(j) is something wherever m is, though A stores little.  A(i,j) * x(j) and
 * m(j) * x(j) in loops of their own visit what A stores, and m once.  The directive distribute says
 * so, and what it makes of a reduction is planned like what a user has written out.  It changes the
 * rounding of floats by more than an order of terms does, so the planner takes it with the user's
 * consent alone.  Without it the user is told where it would be of another order.
 *
 * A power of a sum is a product of sums, which is one reduction: of the squares of all components
 * of U * V' the cheapest contraction is U'U by V'V.  There, too, terms may cancel.
 *
 * A * B + A * D takes two products of matrices, A * (B + D) one.  The directive factor says so, and
 * is weighed with the same consent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/distribute.h"

#include <math.h>

#include "compiler/base/text.h"
#include "compiler/plan/planner.h"

/* How many sums are distributed one after the other, and how many alternatives tried for each. */
enum { ROUNDS_MAX = 4, TRIED_MAX = 4 };
/* What is worth a note. */
static const double FAR_LESS = 0.01;

struct distributed {
    const struct schedule_call *call;
    const struct cin_program *program;
    struct plan_result plan; /* of that program */
    double cost;
};

static double cost_of(struct context *cx, const struct cin_program *given,
                      const struct cin_program *planned)
{
    bool is_whole;
    struct cost cost = plan_cost(plan_symbols(cx, given), planned, &is_whole);
    return plan_value(cost);
}

static bool reads_sparse(struct context *cx, const struct cin *assign)
{
    struct cin_list read = cin_operands(cx, assign);
    bool reads = false;
    for (size_t i = 0; i < read.n; i++)
        reads |= !format_is_dense(read.at[i]->tensor->format);
    return reads;
}

/* Adds the parts of the expression that make more than one term of the assignment's value. */
static void add_parts(struct context *cx, const struct cin *assign, const struct cin *e,
                      size_t most, struct cin_list *parts)
{
    if (e->kind != CIN_OP || parts->n >= most || distribute_terms(cx, assign, e).n < 2)
        return;
    cin_list_add(cx, parts, e);
    for (int i = 0; i < e->args; i++)
        add_parts(cx, assign, e->arg[i], most, parts);
}

static void add_distribution(struct context *cx, const struct cin *part, struct call_list *calls)
{
    const struct schedule_argument said = schedule_expression(part);
    vec_push(cx->arena, calls, schedule_make(cx, &schedule_distribute, &said, 1));
}

/* Powers, in the expression, of scalars that loops make. */
static void add_powers(struct context *cx, const struct cin *assign, const struct cin *e,
                       struct call_list *calls)
{
    if (distribute_power(assign->op, e) && e->arg[0]->kind == CIN_ACCESS
        && tensor_var_is_scalar(e->arg[0]->tensor) && e->arg[0]->tensor->temporary)
        add_distribution(cx, e, calls);
    for (int i = 0; i < e->args; i++)
        add_powers(cx, assign, e->arg[i], calls);
}

static void add_distributions(struct context *cx, const struct cin_program *program, size_t most,
                              struct call_list *calls)
{
    struct cin_list made = cin_assignments(cx, program->statement), parts = {0};
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->op != OP_NONE && reads_sparse(cx, made.at[i]))
            add_parts(cx, made.at[i], made.at[i]->arg[1], most, &parts);
    for (size_t i = 0; i < parts.n; i++)
        add_distribution(cx, parts.at[i], calls);
}

/* Returns the operator of a sum that the expression is, with signs perhaps; OP_NONE: it is none. */
static enum op sum_of(const struct cin *e)
{
    if (!e || e->kind != CIN_OP || e->args != 2)
        return OP_NONE;
    return e->op == OP_SUB                                  ? OP_ADD
           : op_associative(e->op) && op_commutative(e->op) ? e->op
                                                            : OP_NONE;
}

/* Sums in what is assigned that have terms with factors in common. */
static void add_factorings(struct context *cx, const struct cin_program *program,
                           const struct cin *e, const struct cin *around, size_t most,
                           struct call_list *calls)
{
    const struct schedule_argument said = schedule_expression(e);
    if (calls->n < most && sum_of(e) != OP_NONE && sum_of(e) != sum_of(around)) {
        const struct schedule_call *call = schedule_make(cx, &schedule_factor, &said, 1);
        if (plan_apply(cx, program, call))
            vec_push(cx->arena, calls, call);
    }
    for (int i = 0; i < e->args; i++)
        add_factorings(cx, program, e->arg[i], e, most, calls);
}

/* Returns the cheapest way to distribute or to factor something, planned; its program is NULL if
 * there is none. */
static struct distributed best_change(struct context *cx, const struct cin_program *program,
                                      bool distributes)
{
    struct distributed best = {.cost = INFINITY};
    struct cin_list made = cin_assignments(cx, program->statement), tried = {0};
    struct call_list calls = {0};
    add_distributions(cx, program, distributes ? TRIED_MAX : 1, &calls);
    for (size_t i = 0; i < made.n; i++)
        add_powers(cx, made.at[i], made.at[i]->arg[1], &calls);
    const size_t most = calls.n + TRIED_MAX;
    for (size_t i = 0; i < made.n && distributes; i++)
        add_factorings(cx, program, made.at[i]->arg[1], NULL, most, &calls);
    for (size_t i = 0; i < calls.n && !arena_is_half_spent(cx->arena); i++) {
        struct distributed d = {.call = calls.at[i]};
        d.program = plan_apply(cx, program, d.call);
        if (!d.program || cin_list_has(&tried, d.program->statement))
            continue;
        cin_list_add(cx, &tried, d.program->statement);
        d.plan = plan_program(cx, d.program, NULL);
        d.cost = cost_of(cx, d.program, d.plan.program);
        if (d.cost < best.cost)
            best = d;
    }
    return best;
}

static const char *joined(struct context *cx, const struct draft *draft, const char *schedule)
{
    const char *first = draft_print(draft);
    return *schedule ? arena_printf(cx->arena, "%s; %s", first, schedule) : first;
}

static void report_taken(struct context *cx, struct plan_report *report,
                         const struct plan_result *plan, double cost, double before)
{
    struct text *reasons = report_reasons(cx, report);
    report_way(reasons, true, cost, plan->schedule);
    text_printf(reasons, "\n    %8.1e  without it\n", before);
    vec_push(cx->arena, &report->alternative,
             ((struct plan_alternative){plan->schedule, cost, plan->program}));
    report->taken = plan->schedule;
    report->program = plan->program;
}

struct plan_result plan_algebra(struct context *cx, const struct cin_program *program,
                                bool distributes, struct plan_report *report)
{
    struct plan_result plan = plan_program(cx, program, report);
    struct draft draft = draft_new(cx, program);
    const double start = plan.program ? cost_of(cx, program, plan.program) : INFINITY;
    double cost = start;
    for (int round = 0; round < (distributes ? ROUNDS_MAX : 1); round++) {
        struct distributed best = best_change(cx, draft.program, distributes);
        if (!best.program || !plan_is_clearly_less(best.cost, cost))
            break;
        if (!distributes) {
            plan.times = best.cost < FAR_LESS * cost ? cost / best.cost : 0;
            return plan;
        }
        draft_add(&draft, best.call);
        plan = best.plan;
        plan.schedule = joined(cx, &draft, best.plan.schedule);
        cost = best.cost;
    }
    if (draft.calls.n && report)
        report_taken(cx, report, &plan, cost, start);
    return plan;
}
