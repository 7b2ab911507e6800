/* factor.c - computes two factors of a product first, if a reduction is over these two alone.  All
 * of them, in the order of the cheapest contraction, are tried in network.c.
 *
 *     A(i,j) += B(i,k) * C(k,l) * D(l,j)        B(i,k) * C(k,l) alone uses k: w(l) += B(i,k) *
 *                                               C(k,l), below i
 *
 * Each pair of factors is tried.  The loops that it shares with the rest are either around both,
 * the outer ones, or modes of the workspace; each number of either is tried.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/contraction.h"
#include "compiler/plan/planner.h"

/* Of more factors only the cheapest contraction is tried (network.c).  Of fewer that is tried as a
 * whole, since the pairs are tried in all loops around them. */
enum { PAIRED_MAX = 5 };

static void add_factors(struct context *cx, const struct cin *e, enum op op, struct cin_list *list)
{
    for (int i = 0; i < e->args && e->kind == CIN_OP && e->op == op; i++)
        add_factors(cx, e->arg[i], op, list);
    if (e->kind != CIN_OP || e->op != op)
        vec_push(cx->arena, list, e);
}

struct cin_list plan_factors(struct context *cx, const struct cin *e, enum op op)
{
    struct cin_list list = {0};
    add_factors(cx, e, op, &list);
    return list;
}

struct cin_list plan_product(struct context *cx, const struct site *site)
{
    const struct cin *e = site->assign->arg[1];
    enum op op = e->op;
    if (site->assign->op == OP_NONE || e->kind != CIN_OP || !op_associative(op)
        || !op_commutative(op) || op == site->assign->op
        || !operator_distributes(cx, op, SIDE_LEFT, site->assign->op))
        return (struct cin_list){0};
    return plan_factors(cx, e, op);
}

/* Some of a product's factors, each by its number. */
typedef uint64_t group;

static bool is_pair(group g)
{
    group rest = g & (g - 1);
    return rest && !(rest & (rest - 1));
}

static group all_of(const struct cin_list *product)
{
    return product->n < NETWORK_MAX ? ((group)1 << product->n) - 1 : ~(group)0;
}

/* The factors that use the variable. */
static group users(const struct cin_list *product, const struct index_var *var)
{
    group g = 0;
    for (size_t i = 0; i < product->n; i++)
        if (cin_uses_var(product->at[i], var))
            g |= (group)1 << i;
    return g;
}

/* The loops that the group shares with the rest; false if the group has no reduction of its own, or
 * the rest no loop. */
static bool find_shared(struct context *cx, const struct site *site, const struct cin_list *product,
                        group g, struct var_list *shared)
{
    bool reduces = false, beside = false;
    for (size_t i = 0; i < site->loops.n; i++) {
        const struct index_var *var = site->loops.at[i];
        group by = users(product, var);
        bool here = by & g, there = by & ~g || cin_uses_var(site->assign->arg[0], var);
        reduces |= here && !there;
        beside |= there && !here;
        if (here && there)
            vec_push(cx->arena, shared, var);
    }
    return reduces && beside;
}

bool plan_has_factors(struct context *cx, const struct site *site)
{
    struct cin_list product = plan_product(cx, site);
    for (size_t i = 0; i < site->loops.n && product.n > 1 && product.n <= NETWORK_MAX; i++) {
        struct var_list shared = {0};
        group g = users(&product, site->loops.at[i]);
        if (find_shared(cx, site, &product, g, &shared))
            return true;
    }
    return false;
}

const struct cin *plan_multiply(struct context *cx, enum op op, const struct cin_list *factors)
{
    const struct cin *e = factors->at[0];
    for (size_t i = 1; i < factors->n; i++)
        e = cin_op(cx, op, (const struct cin *[]){e, factors->at[i]}, 2);
    return e;
}

static const struct cin *multiply(struct context *cx, enum op op, const struct cin_list *product,
                                  group g)
{
    struct cin_list some = {0};
    for (size_t i = 0; i < product->n; i++)
        if (g >> i & 1)
            vec_push(cx->arena, &some, product->at[i]);
    return plan_multiply(cx, op, &some);
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

/* Try each pair by itself; what is left is a product as well. */
static void try_pairs(struct site_search *s, const struct cin_list *product)
{
    for (group g = 1; g < all_of(product); g++) {
        struct var_list shared = {0};
        if (!is_pair(g) || !find_shared(s->cx, s->site, product, g, &shared))
            continue;
        const struct cin *e = multiply(s->cx, s->site->assign->arg[1]->op, product, g);
        for (size_t outer = 0; outer <= shared.n; outer++)
            try_group(s, e, &shared, outer);
        if (shared.n != 2)
            continue;
        struct var_list turned = {(const struct index_var *[]){shared.at[1], shared.at[0]}, 2, 2};
        try_group(s, e, &turned, 1);
    }
}

static bool is_paired(const struct cin_list *product)
{
    return product->n > 2 && product->n <= PAIRED_MAX;
}

void search_whole_product(struct site_search *s)
{
    if (!plan_has_factors(s->cx, s->site))
        return;
    struct cin_list product = plan_product(s->cx, s->site);
    search_contractions(s, &product, !is_paired(&product));
}

void search_pairs(struct site_search *s)
{
    if (!plan_has_factors(s->cx, s->site))
        return;
    struct cin_list product = plan_product(s->cx, s->site);
    if (is_paired(&product))
        try_pairs(s, &product);
}
