/* factor.c - computes two factors of a product first, if a reduction is over these two alone.
 *
 *     A(i,j) += B(i,k) * C(k,l) * D(l,j)        B(i,k) * C(k,l) alone uses k: w(l) += B(i,k) *
 *                                               C(k,l), below i
 *
 * Each pair of factors is tried.  The loops that it shares with the rest are either around both,
 * the outer ones, or modes of the workspace; each number of either is tried.  Longer chains are
 * taken apart pair by pair.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

enum { FACTORS_MAX = 5 };

struct product {
    const struct cin *factor[FACTORS_MAX];
    int n;
};

/* The factors of what the site reduces; n is 0 if it is no product of three or more. */
static struct product product_of(const struct site *site)
{
    struct product product = {.n = 0};
    const struct cin *e = site->assign->arg[1];
    enum op op = e->op;
    if (site->assign->op == OP_NONE || e->kind != CIN_OP || !op_associative(op)
        || !op_commutative(op) || op == site->assign->op
        || !op_distributes(op, SIDE_LEFT, site->assign->op))
        return product;
    for (; e->kind == CIN_OP && e->op == op && product.n < FACTORS_MAX; e = e->arg[0])
        product.factor[product.n++] = e->arg[1];
    if (product.n < 2 || product.n == FACTORS_MAX)
        return (struct product){.n = 0};
    product.factor[product.n++] = e;
    for (int i = 0; i < product.n / 2; i++) { /* as they were written */
        const struct cin *factor = product.factor[i];
        product.factor[i] = product.factor[product.n - 1 - i];
        product.factor[product.n - 1 - i] = factor;
    }
    return product;
}

static bool is_pair(int group)
{
    int rest = group & (group - 1);
    return rest && !(rest & (rest - 1));
}

static bool group_uses(const struct product *product, int group, const struct index_var *var)
{
    for (int i = 0; i < product->n; i++)
        if (group >> i & 1 && cin_uses_var(product->factor[i], var))
            return true;
    return false;
}

/* The loops that the group shares with the rest; false if the group has no reduction of its own. */
static bool find_shared(struct context *cx, const struct site *site, const struct product *product,
                        int group, struct var_list *shared)
{
    int rest = ((1 << product->n) - 1) & ~group;
    bool reduces = false, beside = false;
    for (size_t i = 0; i < site->loops.n; i++) {
        const struct index_var *var = site->loops.at[i];
        bool here = group_uses(product, group, var);
        bool there = group_uses(product, rest, var) || cin_uses_var(site->assign->arg[0], var);
        reduces |= here && !there;
        beside |= there && !here;
        if (here && there)
            vec_push(cx->arena, shared, var);
    }
    return reduces && beside;
}

bool plan_has_factors(struct context *cx, const struct site *site)
{
    struct product product = product_of(site);
    for (int group = 1; group < (1 << product.n) - 1; group++) {
        struct var_list shared = {0};
        if (is_pair(group) && find_shared(cx, site, &product, group, &shared))
            return true;
    }
    return false;
}

static const struct cin *multiply(struct context *cx, enum op op, const struct product *product,
                                  int group)
{
    const struct cin *e = NULL;
    for (int i = 0; i < product->n; i++)
        if (group >> i & 1)
            e = e ? cin_op(cx, op, (const struct cin *[]){e, product->factor[i]}, 2)
                  : product->factor[i];
    return e;
}

static void weigh_group(struct site_search *s, const struct draft *from, const struct cin *e,
                        const struct var_list *modes, const struct format *format)
{
    struct draft draft = draft_copy(from);
    draft_precompute(&draft, e, modes, format);
    search_weigh(s, &draft, true);
}

/* Does each of the first n loops that goes through a sparse level index a tensor together with a
 * loop before it?  If not, the two run over all pairs of their coordinates. */
static bool is_joined(struct context *cx, const struct site *site, const struct var_list *vars,
                      size_t n)
{
    struct cin_list all = cin_operands(cx, site->assign);
    vec_push(cx->arena, &all, site->assign->arg[0]);
    for (size_t k = 1; k < n; k++) {
        bool joined = false, restricted = false;
        for (size_t i = 0; i < all.n; i++) {
            restricted |= plan_goes_through(all.at[i], vars->at[k]);
            for (size_t before = 0; before < k && cin_uses_var(all.at[i], vars->at[k]); before++)
                joined |= cin_uses_var(all.at[i], vars->at[before]);
        }
        if (restricted && !joined)
            return false;
    }
    return true;
}

/* Try the first `outer` shared loops around both, and a workspace over the others. */
static void try_group(struct site_search *s, const struct cin *e, const struct var_list *shared,
                      size_t outer)
{
    struct context *cx = s->cx;
    struct draft draft = draft_new(cx, s->program);
    struct chain chain = site_chain(cx, s->site);
    struct var_list order = {0}, modes = {0};
    if (!is_joined(cx, s->site, shared, outer))
        return;
    if (shared->n > outer)
        modes = (struct var_list){shared->at + outer, shared->n - outer, shared->n - outer};
    for (size_t i = 0; i < outer; i++)
        if (var_list_has(&chain.loops, shared->at[i]))
            vec_push(cx->arena, &order, shared->at[i]);
    for (size_t i = 0; i < chain.loops.n; i++)
        if (!var_list_has(&order, chain.loops.at[i]))
            vec_push(cx->arena, &order, chain.loops.at[i]);
    bool same = var_list_equal(&order, &chain.loops);
    if (!same && plan_is_ordered(s->program, &order))
        return;
    draft_add(&draft, same ? NULL : plan_reorder(cx, &order));
    if (!draft.program)
        return;
    /* the rest multiplies the workspace, and probes it while it goes through another operand */
    weigh_group(s, &draft, e, &modes,
                modes.n > 1   ? plan_list(cx, modes.n)
                : modes.n < 1 ? plan_dense(cx, 0)
                              : plan_listed(cx, search_needs_order(s, &modes)));
}

void search_factors(struct site_search *s)
{
    struct product product = product_of(s->site);
    if (!product.n)
        return;
    for (int group = 1; group < (1 << product.n) - 1; group++) {
        struct var_list shared = {0};
        if (!is_pair(group) || !find_shared(s->cx, s->site, &product, group, &shared))
            continue;
        const struct cin *e = multiply(s->cx, s->site->assign->arg[1]->op, &product, group);
        for (size_t outer = 0; outer <= shared.n; outer++)
            try_group(s, e, &shared, outer);
        if (shared.n != 2)
            continue;
        struct var_list turned = {(const struct index_var *[]){shared.at[1], shared.at[0]}, 2, 2};
        try_group(s, e, &turned, 1);
    }
}
