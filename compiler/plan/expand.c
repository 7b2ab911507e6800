/* expand.c - expands scalar temporaries into workspaces, so that the loops of their producers need
 * not follow the consumer's order.
 *
 *     forall(i) (y(i) = b(i) - t where forall(j) t += A(i,j) * x(j))
 *     (forall(i) y(i) = b(i) - w(i) where forall(j) forall(i) w(i) += A(i,j) * x(j))
 *                                                                      A by columns
 *
 * A dense result can be accumulated into without the workspace: sequence(w).  So can a workspace
 * for a row of a sparse result, where else the temporary's would be merged with the other operands:
 *
 *     forall(j) (C(i,j) = t + B(i,j) where forall(k) t += A(i,k) * A(k,j))
 *     (forall(j) C(i,j) = w(j) where (forall(j) w(j) = B(i,j) ;
 *                                     forall(k) forall(j) w(j) += A(i,k) * A(k,j)))
 *
 * Each temporary of a site is tried by itself, and all together, over 1, 2, ... of the innermost
 * loops that the producers depend on.  A temporary that an alternative has made is not expanded
 * further: other alternatives have more modes from the start.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Of more temporaries the plan goes on with the expansion of all of them alone: that of one leaves
 * the others as they are, and all that could be done with them would be weighed once for each. */
enum { ALONE_MAX = 4 };

/* A scalar and the loops that it can be expanded over. */
struct expansion {
    const struct cin *t;
    struct var_list needed;
};
struct expansions {
    struct expansion *at;
    size_t n, capacity;
};

/* Does the loop run over its whole dimension? */
static bool is_full(const struct tree *tree, const struct index_var *var)
{
    const struct tree_node *loop = tree_find(tree->root, var);
    return loop && !loop->lattice->infeasible && lattice_is_everywhere(loop->lattice);
}

/* Returns the innermost loops of the expansion, n at most. */
static struct var_list innermost(const struct expansion *e, size_t n)
{
    n = n < e->needed.n ? n : e->needed.n;
    return (struct var_list){e->needed.at + e->needed.n - n, n, n};
}

/* Computes the temporaries over their n innermost modes in workspaces; `one` is the format of those
 * of one mode. */
static struct draft expand(const struct draft *from, const struct expansions *all, size_t n,
                           const struct format *one)
{
    struct draft draft = draft_copy(from);
    for (size_t i = 0; i < all->n; i++) {
        struct var_list modes = innermost(&all->at[i], n);
        draft_precompute(&draft, all->at[i].t, &modes,
                         modes.n > 1 ? plan_list(from->cx, modes.n) : one);
    }
    return draft;
}

static struct draft expand_dense(const struct draft *from, const struct expansions *all, size_t n)
{
    struct draft draft = draft_copy(from);
    for (size_t i = 0; i < all->n; i++) {
        struct var_list modes = innermost(&all->at[i], n);
        draft_precompute(&draft, all->at[i].t, &modes, plan_dense(from->cx, modes.n));
    }
    return draft;
}

/* Do the loops over all modes of the workspaces run over whole dimensions? */
static bool all_full(struct site_search *s, const struct draft *draft, const struct expansions *all,
                     size_t n)
{
    const struct tree *tree = draft->program ? plan_tree(s->cx, draft->program) : NULL;
    if (!tree)
        return false;
    for (size_t i = 0; i < all->n; i++) {
        struct var_list modes = innermost(&all->at[i], n);
        for (size_t k = 0; k < modes.n; k++)
            if (!is_full(tree, modes.at[k]))
                return false;
    }
    return true;
}

/* Dense storage does not tell which components were written.  Is the result the same without
 * knowing it: is it dense, or stored everywhere even if the workspaces hold nothing but fills? */
static bool asks_no_pattern(struct site_search *s, const struct draft *draft)
{
    if (format_is_dense(draft->program->result->format))
        return true;
    const struct cin_program *unfolded = plan_unfold(s->cx, draft->program);
    struct cin_program filled = *unfolded;
    struct cin_list read = cin_operands(s->cx, filled.statement), absent = {0};
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i]->tensor->temporary && read.at[i]->indices > 0)
            vec_push(s->cx->arena, &absent, read.at[i]);
    filled.statement = cin_with_fills(s->cx, filled.statement, &absent);
    return tree_stores_all(tree_build(s->cx, &filled)->root);
}

static void try_expansion(struct site_search *s, const struct draft *from,
                          const struct expansions *all, size_t n, bool goes_on)
{
    struct var_list modes = innermost(&all->at[0], n);
    bool wide = plan_is_wide(s->cx, modes.at[0]);
    struct context *cx = s->cx;
    const struct format *listed = plan_row(cx, true);
    struct draft draft = expand(from, all, n, wide && !cx->cuda ? plan_list(cx, 1) : listed);
    bool dense = !draft.program || (all_full(s, &draft, all, n) && asks_no_pattern(s, &draft));
    if (dense) {
        draft = expand_dense(from, all, n);
    } else if (all->n == 1 && !search_needs_order(s, &modes)) {
        struct draft loose = expand(from, all, n, wide ? plan_table(cx) : plan_listed(cx, false));
        search_weigh(s, &loose, goes_on);
    }
    search_weigh(s, &draft, goes_on);
    if (!dense && search_fits(s, &modes)) { /* it has flags where a sparse result asks */
        struct draft marked = expand_dense(from, all, n);
        search_weigh(s, &marked, goes_on);
    }
    struct draft direct = draft_copy(&draft);
    draft_sequence(&direct, s->program);
    search_weigh(s, &direct, goes_on);
}

/* Is the site's result, which is more than a copy of one temporary, assembled in rows along this
 * loop, which all temporaries depend on? */
static bool has_row(const struct site_search *s, const struct expansions *all,
                    const struct index_var *row)
{
    const struct cin *assign = s->site->assign;
    const struct tensor_var *to = assign->arg[0]->tensor;
    bool has = !to->temporary && !format_is_dense(to->format) && assign->arg[1] != all->at[0].t
               && !plan_is_wide(s->cx, row);
    for (size_t i = 0; i < all->n; i++)
        has &= innermost(&all->at[i], 1).at[0] == row;
    return has;
}

static void expand_row(struct draft *draft, const struct cin *e, const struct var_list *loops,
                       bool ordered)
{
    const struct var_list row = {loops->at + loops->n - 1, 1, 1};
    draft_precompute(draft, e, &row, plan_row(draft->cx, ordered));
}

/* Computes a row of the result into a workspace, expands the temporaries there, and accumulates
 * into that workspace. */
static void try_whole_row(struct site_search *s, const struct draft *from,
                          const struct expansions *all)
{
    const struct site site = search_site(s, from);
    struct draft draft = draft_copy(from);
    if (site.loops.n == 0 || !has_row(s, all, site.loops.at[site.loops.n - 1]))
        return;
    expand_row(&draft, site.assign->arg[1], &site.loops, true);
    const struct cin_program *whole = draft.program;
    struct site_list sites = {0};
    if (whole)
        sites = plan_sites(s->cx, whole);
    for (size_t i = 0; i < sites.n; i++)
        for (size_t t = 0; t < all->n; t++)
            if (sites.at[i].loops.n > 0
                && cin_uses_tensor(sites.at[i].assign->arg[1], all->at[t].t->tensor))
                expand_row(&draft, all->at[t].t, &sites.at[i].loops, false);
    draft_sequence(&draft, whole);
    search_weigh(s, &draft, true);
}

static void try_expansions(struct site_search *s, const struct draft *from,
                           const struct expansions *all, bool goes_on)
{
    size_t most = 0;
    for (size_t i = 0; i < all->n; i++)
        most = all->at[i].needed.n > most ? all->at[i].needed.n : most;
    for (size_t n = 1; n <= most && !arena_is_half_spent(s->cx->arena); n++)
        try_expansion(s, from, all, n, goes_on);
}

/* Returns the site's loops in the order that suits the consumer alone. */
static struct draft order_consumer(struct site_search *s)
{
    struct draft draft = draft_new(s->cx, s->program);
    struct chain chain = site_chain(s->cx, s->site);
    chain.body = s->site->assign;
    if (plan_is_ordered(s->program, &chain.loops) || chain.loops.n < 2)
        return draft;
    struct var_list order = plan_order(s->cx, s->program, &chain, NULL);
    draft_add(&draft, var_list_equal(&order, &chain.loops) ? NULL : plan_reorder(s->cx, &order));
    return draft;
}

/* Returns the scalar that the where makes, and the site's loops that its producer depends on. */
static struct expansion expansion_of(struct site_search *s, const struct site *site,
                                     const struct cin *where)
{
    struct expansion e = {NULL, {0}};
    struct cin_list made = cin_assignments(s->cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->indices == 0
            && cin_uses_tensor(where->arg[0], made.at[i]->arg[0]->tensor))
            e.t = made.at[i]->arg[0];
    for (size_t i = 0; i < site->loops.n; i++)
        if (cin_uses_var(where->arg[1], site->loops.at[i]))
            vec_push(s->cx->arena, &e.needed, site->loops.at[i]);
    return e;
}

void search_expansions(struct site_search *s)
{
    struct draft from = order_consumer(s);
    struct expansions all = {0};
    const struct cin *assign = s->site->assign;
    bool copies = assign->arg[0]->tensor->temporary && assign->arg[1]->kind == CIN_ACCESS
                  && assign->arg[1]->indices == 0;
    if (!from.program || copies) /* an expansion leaves such copies */
        return;
    struct site site = search_site(s, &from);
    for (size_t i = 0; i < s->site->where.n; i++) {
        struct expansion e = expansion_of(s, &site, s->site->where.at[i]);
        if (s->site->depth.at[i] > 0 && e.t && e.needed.n > 0
            && cin_uses_tensor(s->planner->given->statement, e.t->tensor))
            vec_push(s->cx->arena, &all, e);
    }
    for (size_t i = 0; i < all.n; i++) {
        struct expansions one = {&all.at[i], 1, 1};
        try_expansions(s, &from, &one, all.n <= ALONE_MAX);
        if (all.n <= ALONE_MAX)
            try_whole_row(s, &from, &one);
    }
    if (all.n > 1) {
        try_expansions(s, &from, &all, true);
        try_whole_row(s, &from, &all);
    }
}
