/* orders.c - the orders of a site's loops that are weighed.
 *
 * The loops follow each subset of the accesses whose order matters; the others are searched, or
 * converted.  The loops that none of the subset asks for are where they suit dense accesses, or
 * last, along what the others are converted into.  Of few loops each order is weighed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

/* What bounds them: each subset of this many accesses, and all orders of this many loops. */
enum { CONSTRAINTS_MAX = 5, PERMUTED_MAX = 3 };

bool search_constrains(const struct cin *access, bool written)
{
    return written ? !access->tensor->temporary && format_assembled(access->tensor->format) > 0
                   : plan_has_iterated(access, 1);
}

/* Adds the order of the site's fixed loops and then of these loops. */
static void add_order(struct site_search *s, struct order_list *orders, const struct var_list *run)
{
    struct context *cx = s->cx;
    struct var_list order = {0};
    for (size_t i = 0; i < s->site->fixed; i++)
        vec_push(cx->arena, &order, s->site->loops.at[i]);
    for (size_t i = 0; i < run->n; i++)
        vec_push(cx->arena, &order, run->at[i]);
    for (size_t i = 0; i < orders->n; i++)
        if (var_list_equal(&orders->at[i], &order))
            return;
    vec_push(cx->arena, orders, order);
}

static void swap(struct var_list *list, size_t a, size_t b)
{
    const struct index_var *var = list->at[a];
    list->at[a] = list->at[b];
    list->at[b] = var;
}

/* Adds every order of the loops from the one at this place on. */
static void permute(struct site_search *s, struct order_list *orders, struct var_list loops,
                    size_t at)
{
    if (at == loops.n) {
        add_order(s, orders, &loops);
        return;
    }
    for (size_t i = at; i < loops.n; i++) {
        swap(&loops, at, i);
        permute(s, orders, loops, at + 1);
        swap(&loops, at, i);
    }
}

/* Returns the order with those of its loops last that none of the accesses asks for: they go along
 * what the other accesses are converted into. */
static struct var_list others_last(struct site_search *s, const struct var_list *order,
                                   const struct cin_list *accesses, unsigned skipped)
{
    struct var_list first = {0}, last = {0};
    for (size_t i = 0; i < order->n; i++) {
        bool asked = false;
        for (size_t k = 0; k < accesses->n; k++)
            asked |= !(skipped >> k & 1) && cin_uses_var(accesses->at[k], order->at[i]);
        vec_push(s->cx->arena, asked ? &first : &last, order->at[i]);
    }
    for (size_t i = 0; i < last.n; i++)
        vec_push(s->cx->arena, &first, last.at[i]);
    return first;
}

struct order_list search_orders(struct site_search *s)
{
    struct context *cx = s->cx;
    struct order_list orders = {0};
    struct chain chain = site_chain(cx, s->site);
    if (plan_is_ordered(s->program, &chain.loops) || chain.loops.n < 2) {
        add_order(s, &orders, &chain.loops);
        return orders;
    }
    struct cin_list made = cin_assignments(cx, chain.body), read = cin_operands(cx, chain.body),
                    asking = {0};
    bool *skip = arena_array(cx->arena, bool, made.n + read.n);
    size_t constraint[CONSTRAINTS_MAX], constraints = 0;
    for (size_t i = 0; i < made.n + read.n && constraints < CONSTRAINTS_MAX; i++) {
        const struct cin *access = i < made.n ? made.at[i]->arg[0] : read.at[i - made.n];
        if (!search_constrains(access, i < made.n))
            continue;
        constraint[constraints++] = i;
        vec_push(cx->arena, &asking, access);
    }
    for (unsigned some = 0; some < 1u << constraints; some++) {
        for (size_t i = 0; i < constraints; i++)
            skip[constraint[i]] = some >> i & 1;
        struct var_list order = plan_order(cx, s->program, &chain, skip),
                        last = others_last(s, &order, &asking, some);
        add_order(s, &orders, &order);
        add_order(s, &orders, &last);
    }
    if (chain.loops.n <= PERMUTED_MAX)
        permute(s, &orders, chain.loops, 0);
    return orders;
}
