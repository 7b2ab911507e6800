/* factor.c - computes two factors of a product first, if a reduction is over these two alone.  All
 * of them, in the order of the cheapest contraction, are tried in network.c.
 *
 *     A(i,j) += B(i,k) * C(k,l) * D(l,j)        B(i,k) * C(k,l) alone uses k: w(l) += B(i,k) *
 *                                               C(k,l), below i
 *
 * Each pair of factors is tried.  The loops that it shares with the rest are either around both,
 * the outer ones, or modes of the workspace; each number of either is tried.
 *
 * Where what is left has no loop of its own, as in A(i,j) * B(i,k) * C(k,j), there are no fewer
 * products with a workspace than without.  But they are scattered, and not merged with what is
 * left.  Which is cheaper numbers tell, and no order does: it is tried where all are known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/contraction.h"
#include "compiler/plan/planner.h"

/* Of more factors only the cheapest contraction is tried (network.c).  Of fewer that is tried as a
 * whole, since the pairs are tried in all loops around them. */
enum { PAIRED_MAX = 5 };

const struct cin *plan_reduced(const struct site *site)
{
    const struct cin *kept = cin_kept(site->assign),
                     *e = kept ? kept->arg[0] : site->assign->arg[1];
    bool negates = e->kind == CIN_OP && e->op == OP_NEG && e->arg[0]->type == e->type;
    return negates && site->assign->op == OP_ADD ? e->arg[0] : e;
}

/* Returns the factors of what the site reduces; none if it is no product over which the reduction
 * distributes. */
static struct cin_list product_of(struct context *cx, const struct site *site)
{
    const struct cin *e = plan_reduced(site);
    enum op op = e->op;
    if (site->assign->op == OP_NONE || e->kind != CIN_OP || !op_associative(op)
        || !op_commutative(op) || op == site->assign->op
        || !operator_distributes(cx, op, SIDE_LEFT, site->assign->op))
        return (struct cin_list){0};
    return cin_chain(cx, e, op, NULL);
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

/* Returns the factors that use the variable. */
static group users(const struct cin_list *product, const struct index_var *var)
{
    group g = 0;
    for (size_t i = 0; i < product->n; i++)
        if (cin_uses_var(product->at[i], var))
            g |= (group)1 << i;
    return g;
}

/* What a group of factors has to do with the rest. */
struct share {
    struct var_list shared; /* the loops of both */
    bool reduces;           /* it has a reduction of its own */
    bool beside, meets;     /* the rest has a loop of its own; ... any loop */
};

static struct share find_share(struct context *cx, const struct site *site,
                               const struct cin_list *product, group g)
{
    struct share s = {0};
    for (size_t i = 0; i < site->loops.n; i++) {
        const struct index_var *var = site->loops.at[i];
        group by = users(product, var);
        bool here = by & g, there = by & ~g || cin_uses_var(site->assign->arg[0], var);
        s.reduces |= here && !there;
        s.beside |= there && !here;
        s.meets |= (by & ~g) != 0;
        if (here && there)
            vec_push(cx->arena, &s.shared, var);
    }
    return s;
}

/* Has a group a reduction of its own, and the rest a loop: of its own, or any? */
static bool has_group(struct context *cx, const struct site *site, bool beside)
{
    struct cin_list product = product_of(cx, site);
    bool has = false;
    for (size_t i = 0; i < site->loops.n && product.n > 1 && product.n <= NETWORK_MAX && !has;
         i++) {
        struct share s = find_share(cx, site, &product, users(&product, site->loops.at[i]));
        has = s.reduces && (beside ? s.beside : s.meets);
    }
    return has;
}

bool plan_has_factors(struct context *cx, const struct site *site)
{
    return has_group(cx, site, false);
}

const struct cin *plan_multiply(struct context *cx, enum op op, const struct cin_list *factors)
{
    const struct cin *e = factors->at[0];
    for (size_t i = 1; i < factors->n; i++)
        e = cin_op(cx, op, (const struct cin *[]){e, factors->at[i]}, 2);
    return e;
}

static const struct cin *multiply_group(struct context *cx, enum op op,
                                        const struct cin_list *product, group g)
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

/* Tries the first `outer` shared loops around both, and a workspace over the others. */
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

/* Tries each pair by itself, if the rest has a loop that the pair need not be in; what is left is a
 * product as well. */
static void try_pairs(struct site_search *s, const struct cin_list *product)
{
    for (group g = 1; g < all_of(product); g++) {
        if (!is_pair(g))
            continue;
        const struct share share = find_share(s->cx, s->site, product, g);
        const struct var_list shared = share.shared;
        if (!share.reduces || !share.beside)
            continue;
        const struct cin *e = multiply_group(s->cx, plan_reduced(s->site)->op, product, g);
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

/* Are there real numbers for all that the site costs? */
static bool has_numbers(const struct site_search *s)
{
    return cost_is_known(s->planner->symbols, s->weighed.at[0].cost);
}

void search_whole_product(struct site_search *s)
{
    if (!has_group(s->cx, s->site, !has_numbers(s)))
        return;
    struct cin_list product = product_of(s->cx, s->site);
    search_contractions(s, &product, !is_paired(&product));
}

void search_pairs(struct site_search *s)
{
    struct cin_list product = product_of(s->cx, s->site);
    if (!is_paired(&product) || !plan_has_factors(s->cx, s->site))
        return;
    try_pairs(s, &product);
    if (has_numbers(s))
        search_trees(s, &product);
}
