/* hoist.c - what holds functions, and is computed again and again, is computed first.
 *
 *     forall(i) forall(j) y(i) += A(i,j) * exp(x(j))
 *                                                     precompute(exp(x(j)), w, {j,j,jp}, dense)
 *     forall(i) forall(j) (y(i) += A(i,j) / sqrt(t) where forall(k) t += B(j,k))
 *                                                     precompute(sqrt(t), w, {j,j,jp}, dense)
 *
 * The largest part of an expression that does not depend on all loops goes into a dense workspace
 * over those that it depends on, if that costs less: where few values are asked for it does not.
 * It may hold divisions instead of functions.  A scalar depends on what its producer reads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

struct hoisting {
    struct context *cx;
    const struct cin *statement;
    struct var_list loops; /* around the assignment */
    struct cin_list parts;
};

/* Adds what an expression reads, and what the producers of its scalars read. */
static void add_reads(const struct hoisting *h, const struct cin *e, struct cin_list *read)
{
    struct cin_list operands = cin_operands(h->cx, e), made = {0};
    for (size_t i = 0; i < operands.n; i++) {
        const struct cin *access = operands.at[i];
        bool is_scalar = access->tensor->temporary && access->indices == 0;
        if (cin_list_has(read, access))
            continue;
        cin_list_add(h->cx, read, access);
        made = is_scalar ? cin_assignments(h->cx, h->statement) : (struct cin_list){0};
        for (size_t k = 0; k < made.n; k++)
            if (made.at[k]->arg[0] == access)
                add_reads(h, made.at[k]->arg[1], read);
    }
}

/* Returns the loops that the expression depends on, in the order in which its first operand stores
 * them. */
static struct var_list modes_of(const struct hoisting *h, const struct cin *e)
{
    struct cin_list read = {0};
    struct var_list modes = {0};
    add_reads(h, e, &read);
    for (size_t i = 0; i < read.n; i++) {
        struct var_list stored = plan_storage_order(h->cx, read.at[i]);
        for (size_t k = 0; k < stored.n; k++)
            if (var_list_has(&h->loops, stored.at[k]) && !var_list_has(&modes, stored.at[k]))
                vec_push(h->cx->arena, &modes, stored.at[k]);
    }
    return modes;
}

/* Adds the parts that have a price and depend on some of the loops alone. */
static void add_parts(struct hoisting *h, const struct cin *e)
{
    if (!plan_has_price(h->cx, e))
        return;
    size_t used = modes_of(h, e).n;
    if (used > 0 && used < h->loops.n)
        cin_list_add(h->cx, &h->parts, e);
    for (int i = 0; i < e->args && used == h->loops.n; i++)
        add_parts(h, e->arg[i]);
}

static struct hoisting hoist_from(struct context *cx, const struct cin_program *program,
                                  const struct site *site)
{
    struct hoisting h = {.cx = cx,
                         .statement = program->statement,
                         .loops = plan_loops(cx, program->statement, site->assign)};
    add_parts(&h, site->assign->arg[1]);
    return h;
}

bool plan_repeats_functions(struct context *cx, const struct cin_program *program,
                            const struct site *site)
{
    return hoist_from(cx, program, site).parts.n > 0;
}

void search_functions(struct site_search *s)
{
    struct hoisting h = hoist_from(s->cx, s->program, s->site);
    for (size_t i = 0; i < h.parts.n; i++) {
        struct draft draft = draft_new(s->cx, s->program);
        struct var_list modes = modes_of(&h, h.parts.at[i]);
        draft_precompute(&draft, h.parts.at[i], &modes, plan_dense(s->cx, modes.n));
        search_weigh(s, &draft, false);
    }
}
