/* hoist.c - what holds functions, and is computed again and again, is computed first.
 *
 *     forall(i) forall(j) y(i) += A(i,j) * exp(x(j))
 *                                                     precompute(exp(x(j)), w, {j,j,jp}, dense)
 *
 * The largest part of an expression that does not depend on all loops goes into a dense workspace
 * over those that it depends on, if that costs less: where few values are asked for it does not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

static bool reads_scalar(const struct cin *cin, void *data)
{
    (void)data;
    return cin->kind == CIN_ACCESS && cin->tensor->temporary && cin->indices == 0;
}

/* The parts with functions that depend on some of the loops alone.  A scalar may depend on all. */
static void add_parts(struct context *cx, const struct cin *e, const struct var_list *loops,
                      struct cin_list *parts)
{
    size_t used = 0;
    if (!plan_has_function(e))
        return;
    for (size_t i = 0; i < loops->n; i++)
        used += cin_uses_var(e, loops->at[i]);
    bool all = used == loops->n || cin_any(e, reads_scalar, NULL);
    if (used > 0 && !all)
        cin_list_add(cx, parts, e);
    for (int i = 0; i < e->args && all; i++)
        add_parts(cx, e->arg[i], loops, parts);
}

static struct cin_list parts_of(struct context *cx, const struct cin_program *program,
                                const struct site *site)
{
    struct var_list loops = plan_loops(cx, program->statement, site->assign);
    struct cin_list parts = {0};
    add_parts(cx, site->assign->arg[1], &loops, &parts);
    return parts;
}

bool plan_repeats_functions(struct context *cx, const struct cin_program *program,
                            const struct site *site)
{
    return parts_of(cx, program, site).n > 0;
}

/* The loops that the part depends on, as its first operand stores them. */
static struct var_list modes_of(struct context *cx, const struct cin *part,
                                const struct var_list *loops)
{
    struct cin_list read = cin_operands(cx, part);
    struct var_list modes = {0};
    for (size_t i = 0; i < read.n; i++) {
        struct var_list stored = plan_storage_order(cx, read.at[i]);
        for (size_t k = 0; k < stored.n; k++)
            if (var_list_has(loops, stored.at[k]) && !var_list_has(&modes, stored.at[k]))
                vec_push(cx->arena, &modes, stored.at[k]);
    }
    return modes;
}

void search_functions(struct site_search *s)
{
    struct cin_list parts = parts_of(s->cx, s->program, s->site);
    struct var_list loops = plan_loops(s->cx, s->program->statement, s->site->assign);
    for (size_t i = 0; i < parts.n; i++) {
        struct draft draft = draft_new(s->cx, s->program);
        struct var_list modes = modes_of(s->cx, parts.at[i], &loops);
        draft_precompute(&draft, parts.at[i], &modes, plan_dense(s->cx, modes.n));
        search_weigh(s, &draft, false);
    }
}
