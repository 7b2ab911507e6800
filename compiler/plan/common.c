/* common.c - functions of the same values in several assignments are computed once.
 *
 *     forall(i) (forall(j) S(i,j) = exp(H(i,j)) / t where forall(l) t += exp(H(i,l)))
 *     forall(i) ((forall(j) S(i,j) = w(j) / t where forall(l) t += w(l))
 *                where forall(lp) w(lp) = exp(H(i,lp)))
 *
 * Two parts with functions are the same if one is the other with other names for the variables of
 * the loops that are around it alone.  Each goes into a workspace over those, and one workspace
 * serves both: precompute, precompute, reuse.  That is taken if it costs less.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "schedules/alike.h"

/* So many parts of a program are compared with each other. */
enum { COMPARED_PARTS = 32 };

/* A part of what is assigned, and the loops around it. */
struct use {
    const struct cin *assign, *part;
    struct var_list loops;
};
struct use_list {
    struct use *at;
    size_t n, capacity;
};

/* Adds all parts with functions, larger ones first. */
static void add_uses(struct context *cx, const struct use *whole, struct use_list *uses)
{
    if (uses->n == COMPARED_PARTS || !plan_has_function(whole->part))
        return;
    vec_push(cx->arena, uses, *whole);
    for (int i = 0; i < whole->part->args; i++) {
        struct use inner = *whole;
        inner.part = whole->part->arg[i];
        add_uses(cx, &inner, uses);
    }
}

static struct use_list uses_of(struct context *cx, const struct cin_program *program)
{
    struct cin_list made = cin_assignments(cx, program->statement);
    struct use_list uses = {0};
    for (size_t i = 0; i < made.n; i++) {
        struct use whole = {.assign = made.at[i], .part = made.at[i]->arg[1]};
        if (plan_has_function(whole.part))
            whole.loops = plan_loops(cx, program->statement, made.at[i]);
        add_uses(cx, &whole, &uses);
    }
    return uses;
}

/* Returns the assignment inside those of its loops that the other is not in. */
static const struct cin *own_loops(struct context *cx, const struct use *of,
                                   const struct use *other)
{
    const struct cin *nest = of->assign;
    for (size_t i = of->loops.n; i-- > 0;)
        if (!var_list_has(&other->loops, of->loops.at[i]))
            nest = cin_forall(cx, of->loops.at[i], nest);
    return nest;
}

/* Returns a workspace that the program has and had not before; NULL: there is none. */
static const struct tensor_var *made_since(struct context *cx, const struct cin_program *before,
                                           const struct cin_program *program)
{
    struct cin_list made = {0};
    if (program)
        made = cin_assignments(cx, program->statement);
    for (size_t i = 0; i < made.n; i++)
        if (!cin_uses_tensor(before->statement, made.at[i]->arg[0]->tensor))
            return made.at[i]->arg[0]->tensor;
    return NULL;
}

/* Computes the part into a workspace over these variables, unless that is all that its assignment
 * does; gives the workspace, or NULL. */
static const struct tensor_var *keep_value(struct draft *draft, const struct use *use,
                                           const struct var_list *modes)
{
    const struct cin_program *before = draft->program;
    const struct tensor_var *target = use->assign->arg[0]->tensor;
    if (use->part == use->assign->arg[1] && use->assign->op == OP_NONE && target->temporary)
        return target;
    draft_precompute(draft, use->part, modes, plan_dense(draft->cx, modes->n));
    return made_since(draft->cx, before, draft->program);
}

/* Keeps what two uses have in common, if they have: else the draft is of no use. */
static struct draft shared(const struct draft *draft, const struct use *use,
                           const struct use *other)
{
    struct context *cx = draft->cx;
    struct draft result = draft_copy(draft);
    struct alike same = {.cx = cx, .loops = {own_loops(cx, use, other), own_loops(cx, other, use)}};
    struct var_list modes[2] = {{0}, {0}};
    if (use->assign == other->assign || !alike(&same, use->part, other->part))
        return (struct draft){0};
    for (size_t i = 0; i < same.var[0].n; i++)
        for (int k = 0; k < 2; k++)
            vec_push(cx->arena, &modes[k], same.var[k].at[i]);
    const struct tensor_var *w = keep_value(&result, use, &modes[0]), *w2 = NULL;
    if (w)
        w2 = keep_value(&result, other, &modes[1]);
    const struct schedule_call *reuse = w2 ? schedule_reusing(cx, result.program, w2, w) : NULL;
    draft_add(&result, reuse);
    return reuse ? result : (struct draft){0};
}

static double cost_of(const struct draft *draft, struct cost_symbols *symbols)
{
    struct draft done = draft_copy(draft);
    draft_order(&done);
    struct cost cost = draft_legalized_cost(&done, symbols);
    return cost.impossible ? INFINITY : cost_value(cost);
}

/* Returns the first pair of uses, the largest first, that is cheaper to keep; its program is NULL
 * if there is none. */
static struct draft share_one(const struct draft *draft, struct cost_symbols *symbols)
{
    struct use_list uses = uses_of(draft->cx, draft->program);
    double now = 0; /* the draft's cost, once it is asked for */
    for (size_t i = 0; i < uses.n; i++)
        for (size_t k = i + 1; k < uses.n; k++) {
            struct draft one = shared(draft, &uses.at[i], &uses.at[k]);
            if (one.program && now == 0)
                now = cost_of(draft, symbols);
            if (one.program && plan_is_less(cost_of(&one, symbols), now))
                return one;
        }
    return (struct draft){0};
}

void draft_share_functions(struct draft *draft, struct cost_symbols *symbols)
{
    struct draft better = *draft;
    while (better.program && !draft->cx->cuda && !arena_is_half_spent(draft->cx->arena)) {
        *draft = better;
        better = share_one(draft, symbols);
    }
}
