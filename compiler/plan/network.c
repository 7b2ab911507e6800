/* network.c - the cheapest contraction of a site's product, as directives.
 *
 *     s += A(a,b) * A(b,c) * A(c,d) * A(d,e)       precompute(A(a,b), w, {b,b,bp}, dense)
 *                                                  precompute(w(b) * A(b,c), w2, {c,c,cp}, dense)
 *                                                  precompute(w2(c) * A(c,d), w3, {d,d,dp}, dense)
 *
 * Each step but the last is a precompute: of the factors that it takes, which may be workspaces of
 * steps before, into a workspace over the variables that something else uses.  What makes the same
 * as an earlier step is precomputed and then told to reuse that one's workspace.  Alternatives are
 * weighed as whole programs are: a loop around all steps, so that the workspaces that depend on its
 * variable have a mode less; a step that is left to the next one, whose loops then are around the
 * factors of both.  The loops around the site are around all steps that have them; others are
 * outside.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/contraction.h"
#include "compiler/plan/planner.h"
#include "compiler/target.h"

/* Of this many factors at most there is another contraction for each loop that may be around it. */
enum { AGAIN_MAX = 8 };

struct plan_network {
    struct site_search *search;
    enum op op;
    const struct cin_list *product;
    struct var_list loops; /* those of the site that may change places */
    struct var_list order; /* ... in the order that suits the factors */
    struct var_list vars;  /* ... first, and then those of the loops around them */
    struct network network;
};

/* A contraction, and how its steps become directives. */
struct way {
    struct contraction contraction;
    const struct index_var *around; /* the loop around all steps; NULL: none is */
    uint64_t joined;                /* the steps that are left to the next */
    bool rows;                      /* sparse workspaces of several modes have rows */
};

/* ---- the network ---- */

/* Returns the variables of an expression. */
static var_set vars_of(const struct plan_network *n, const struct cin *e)
{
    var_set vars = 0;
    for (size_t i = 0; i < n->vars.n; i++)
        if (cin_uses_var(e, n->vars.at[i]))
            vars |= (var_set)1 << i;
    return vars;
}

/* Returns how many components an expression is expected to have: an operand those that it stores
 * below the loops that stay, another expression all, unless its operands are sparse. */
static double entries_of(const struct plan_network *n, const struct cin *e)
{
    const struct site_search *s = n->search;
    struct cin_list read = cin_operands(s->cx, e);
    double points = network_points(&n->network, vars_of(n, e)), entries = 0;
    for (size_t i = 0; i < read.n; i++) {
        const struct cin *access = read.at[i];
        double stored = plan_stored(s->planner->symbols, s->program, access), all = 1;
        for (int k = 0; k < access->indices; k++)
            all *= plan_values(s->planner->symbols, s->program, access->index[k]);
        entries += points * (stored < all ? stored / all : 1);
    }
    return read.n && entries < points ? (entries > 1 ? entries : 1) : points;
}

/* Are the expressions the same but for the names of the network's variables? */
static bool is_like(const struct plan_network *n, const struct cin *a, const struct cin *b)
{
    bool like = a->kind == b->kind && a->op == b->op && a->type == b->type && a->tensor == b->tensor
                && a->indices == b->indices && a->args == b->args
                && (a->kind != CIN_LITERAL || a == b);
    for (int k = 0; k < a->indices && like; k++)
        like = a->index[k] == b->index[k]
               || (var_list_has(&n->vars, a->index[k]) && var_list_has(&n->vars, b->index[k]));
    for (int k = 0; k < a->args && like; k++)
        like = is_like(n, a->arg[k], b->arg[k]);
    return like;
}

/* Returns the variables with which all operands of the expression move that have them. */
static var_set along_of(const struct plan_network *n, const struct cin *e)
{
    struct cin_list read = cin_operands(n->search->cx, e);
    var_set along = vars_of(n, e);
    for (size_t i = 0; i < read.n; i++) {
        const int last = var_list_place(&n->vars, plan_steps_with(read.at[i]));
        along &= ~vars_of(n, read.at[i]) | (last < 0 ? 0 : (var_set)1 << last);
    }
    return along;
}

struct numbers {
    int *at;
    size_t n, capacity;
};

/* Adds the network's variables in the expression, in their order there. */
static void add_index(const struct plan_network *n, const struct cin *e, struct numbers *index)
{
    for (int k = 0; k < e->indices; k++)
        if (var_list_has(&n->vars, e->index[k]))
            vec_push(n->search->cx->arena, index, var_list_place(&n->vars, e->index[k]));
    for (int k = 0; k < e->args; k++)
        add_index(n, e->arg[k], index);
}

static void find_kind(const struct plan_network *n, struct network_factor *factor, size_t i)
{
    struct numbers index = {0};
    size_t first = 0;
    while (!is_like(n, n->product->at[first], n->product->at[i]))
        first++;
    add_index(n, n->product->at[i], &index);
    factor[i].kind = (int)first + 1;
    factor[i].index = index.at;
    factor[i].indices = (int)index.n;
}

static void find_network(struct plan_network *n)
{
    struct context *cx = n->search->cx;
    const struct site *site = n->search->site;
    var_set around = 0;
    for (size_t i = n->loops.n; i < n->vars.n; i++)
        around |= (var_set)1 << i;
    double *size = arena_array(cx->arena, double, n->vars.n);
    struct network_factor *factor = arena_array(cx->arena, struct network_factor, n->product->n);
    for (size_t i = 0; i < n->vars.n; i++)
        size[i] = plan_values(n->search->planner->symbols, n->search->program, n->vars.at[i]);
    n->network = (struct network){.factor = factor,
                                  .size = size,
                                  .factors = (int)n->product->n,
                                  .vars = (int)n->vars.n,
                                  .around = around,
                                  .free = vars_of(n, site->assign->arg[0]) | around,
                                  .along = along_of(n, site->assign->arg[0])};
    for (size_t i = 0; i < n->product->n; i++) {
        factor[i].vars = vars_of(n, n->product->at[i]);
        factor[i].along = along_of(n, n->product->at[i]);
        factor[i].entries = entries_of(n, n->product->at[i]);
        find_kind(n, factor, i);
    }
}

/* Returns the cheapest contraction, with the layout of what its steps make. */
static struct contraction contraction_in(const struct plan_network *n,
                                         const struct network *network)
{
    struct context *cx = n->search->cx;
    struct contraction made = contraction_of(cx, network);
    const int bytes = (int)target_of(cx)->vector_bytes,
              size = (int)type_size(n->search->site->assign->arg[0]->type);
    contraction_lay_out(cx, network, bytes > size ? bytes / size : 1, &made);
    return made;
}

/* ---- directives ---- */

/* Does a precompute of the step take in all loops that it sums over?  It takes those inside a loop
 * over what the step keeps, and those directly around these. */
static bool takes_in(const struct plan_network *n, const struct contraction_step *step,
                     var_set done)
{
    bool sums = false;
    for (size_t i = 0; i < n->loops.n; i++) {
        var_set var = (var_set)1 << i;
        if (step->kept & var)
            return true;
        if (step->summed & var)
            sums = true;
        else if (sums && !(done & var))
            return false;
    }
    return true;
}

static bool all_take_in(const struct plan_network *n, const struct contraction *contraction)
{
    var_set done = 0;
    for (int t = 0; t < contraction->steps; t++) {
        if (!takes_in(n, &contraction->step[t], done))
            return false;
        done |= contraction->step[t].summed;
    }
    return true;
}

/* Adds the variables, but for one, in the order that suits the factors. */
static void add_vars(const struct plan_network *n, var_set vars, const struct index_var *but,
                     struct var_list *list)
{
    for (size_t i = 0; i < n->order.n; i++)
        if (n->order.at[i] != but && vars >> var_list_place(&n->vars, n->order.at[i]) & 1)
            vec_push(n->search->cx->arena, list, n->order.at[i]);
}

/* Returns the loops in the order in which steps sum over them, the last ones outermost. */
static struct var_list nested(const struct plan_network *n, const struct way *way)
{
    struct var_list order = {0};
    if (way->around)
        vec_push(n->search->cx->arena, &order, way->around);
    add_vars(n, n->network.free, way->around, &order);
    for (int t = way->contraction.steps; t-- > 0;)
        add_vars(n, way->contraction.step[t].summed, way->around, &order);
    return order;
}

/* Puts loops that a reorder has pinned into the order that suits their accesses. */
static void order_pinned(struct draft *draft)
{
    struct context *cx = draft->cx;
    struct site_list sites = {0};
    if (draft->program)
        sites = plan_sites(cx, draft->program);
    for (size_t i = 0; i < sites.n && draft->program; i++) {
        struct chain chain = site_chain(cx, &sites.at[i]);
        struct var_list order = plan_order(cx, draft->program, &chain, NULL);
        if (!var_list_equal(&order, &chain.loops))
            draft_add(draft, plan_reorder(cx, &order));
    }
}

static const struct format *format_of(const struct plan_network *n, const struct way *way,
                                      const struct contraction_step *step,
                                      const struct var_list *modes)
{
    struct site_search *s = n->search;
    if (step->dense || modes->n == 0)
        return plan_dense(s->cx, modes->n);
    if (modes->n > 1)
        return way->rows ? plan_rows(s->cx, modes->n) : plan_list(s->cx, modes->n);
    bool ordered = search_needs_order(s, modes);
    return plan_is_wide(s->cx, modes->at[0]) && !ordered ? plan_table(s->cx)
                                                         : plan_listed(s->cx, ordered);
}

static size_t times_in(const struct cin_list *product, const struct cin *factor)
{
    size_t times = 0;
    for (size_t i = 0; i < product->n; i++)
        times += product->at[i] == factor;
    return times;
}

/* Returns the factor of the draft's product that the product before did not have, or not as often;
 * NULL: there is none. */
static const struct cin *new_factor(const struct plan_network *n, const struct draft *draft,
                                    struct cin_list *product)
{
    const struct cin *found = NULL;
    struct site site = search_site(n->search, draft);
    if (!site.assign)
        return NULL;
    struct cin_list now = cin_chain(n->search->cx, plan_reduced(&site), n->op, NULL);
    for (size_t i = 0; i < now.n; i++)
        if (times_in(&now, now.at[i]) > times_in(product, now.at[i]))
            found = now.at[i];
    *product = now;
    return found;
}

/* Computes a step first in the draft.  *factors are what the step takes, and then what it makes. */
static void take_step(const struct plan_network *n, const struct way *way,
                      const struct contraction_step *step, struct draft *draft,
                      struct cin_list *product, struct cin_list *factors)
{
    struct var_list modes = {0};
    const struct index_var *last = step->last < 0 ? NULL : n->vars.at[step->last];
    add_vars(n, last ? step->kept & ~((var_set)1 << step->last) : step->kept, way->around, &modes);
    if (last)
        vec_push(draft->cx->arena, &modes, last);
    draft_precompute(draft, plan_multiply(draft->cx, n->op, factors), &modes,
                     format_of(n, way, step, &modes));
    const struct cin *made = new_factor(n, draft, product);
    *factors = (struct cin_list){0};
    if (made)
        vec_push(draft->cx->arena, factors, made);
    else
        draft->program = NULL;
}

/* Returns the draft with what an earlier step has made in the place of what the step makes, if both
 * are workspaces and the directive is not refused. */
static bool reuse_step(const struct plan_network *n, struct draft *draft, struct cin_list *product,
                       struct cin_list *made, const struct cin_list *earlier)
{
    struct cin_list before = {0};
    if (!draft->program || earlier->n != 1 || earlier->at[0]->kind != CIN_ACCESS
        || !earlier->at[0]->tensor->temporary)
        return false;
    const struct schedule_call *call =
        schedule_reusing(draft->cx, draft->program, made->at[0]->tensor, earlier->at[0]->tensor);
    if (!call)
        return false;
    for (size_t i = 0; i < product->n; i++)
        if (product->at[i] != made->at[0])
            vec_push(draft->cx->arena, &before, product->at[i]);
    draft_add(draft, call);
    made->at[0] = new_factor(n, draft, &before);
    *product = before;
    return true;
}

/* Prints a line about the step: its cost, the product, and what that leaves to store. */
static void tell_step(const struct plan_network *n, const struct contraction_step *step, bool last,
                      const struct cin_list *factors, struct text *out)
{
    struct context *cx = n->search->cx;
    if (!n->search->planner->reasons || n->search->depth == 0 || !factors->n)
        return;
    text_printf(out, "    %8.1e  ", step->cost);
    cin_print(cx, out, plan_multiply(cx, n->op, factors));
    if (!last)
        text_printf(out, ", to store %.1e%s", step->entries, step->dense ? ", dense" : "");
    text_add(out, "\n");
}

/* Adds all steps as directives, and as text; the program is NULL if they are refused. */
static struct draft contract(const struct plan_network *n, const struct way *way,
                             struct text *steps)
{
    struct context *cx = n->search->cx;
    struct draft draft = draft_new(cx, n->search->program);
    struct cin_list product = *n->product;
    int factors = n->network.factors;
    struct cin_list *part =
        arena_array(cx->arena, struct cin_list, factors + way->contraction.steps);
    bool reorders = way->around || !all_take_in(n, &way->contraction);
    if (reorders && plan_is_ordered(draft.program, &n->loops))
        return draft_new(cx, NULL);
    if (reorders) {
        struct var_list order = nested(n, way);
        draft_add(&draft, plan_reorder(cx, &order));
    }
    for (int i = 0; i < factors; i++)
        vec_push(cx->arena, &part[i], n->product->at[i]);
    for (int t = 0; t + 1 < way->contraction.steps && draft.program; t++) {
        const struct contraction_step *step = &way->contraction.step[t];
        struct cin_list *made = &part[factors + t];
        for (int k = 0; k < 2 && step->arg[k] >= 0; k++)
            for (size_t i = 0; i < part[step->arg[k]].n; i++)
                vec_push(cx->arena, made, part[step->arg[k]].at[i]);
        if (way->joined >> t & 1)
            continue;
        const struct cin_list taken = *made;
        take_step(n, way, step, &draft, &product, made);
        if (step->same < 0 || !reuse_step(n, &draft, &product, made, &part[factors + step->same]))
            tell_step(n, step, false, &taken, steps);
    }
    tell_step(n, &way->contraction.step[way->contraction.steps - 1], true, &product, steps);
    if (reorders)
        order_pinned(&draft);
    return draft;
}

/* ---- steps that are one with the next ---- */

/* Returns the argument of a step, as a factor. */
static struct network_factor arg_of(const struct plan_network *n, const struct way *way, int arg)
{
    if (arg < n->network.factors)
        return n->network.factor[arg];
    const struct contraction_step *step = &way->contraction.step[arg - n->network.factors];
    return (struct network_factor){.vars = step->kept, .entries = step->entries};
}

/* May one nest of loops for a step and the one that takes what it makes be cheaper than two?  It is
 * not if there are more products of all of their factors. */
static bool may_join(const struct plan_network *n, const struct way *way, int t)
{
    const struct contraction_step *step = &way->contraction.step[t], *then = step + 1;
    int made = n->network.factors + t;
    while (then->arg[0] != made && then->arg[1] != made)
        then++;
    const int arg[3] = {step->arg[0], step->arg[1],
                        then->arg[0] == made ? then->arg[1] : then->arg[0]};
    var_set vars = 0;
    double share = 1;
    for (int k = 0; k < 3; k++) {
        struct network_factor of = {.entries = 1};
        if (arg[k] >= 0)
            of = arg_of(n, way, arg[k]);
        vars |= of.vars;
        share *= of.entries / network_points(&n->network, of.vars);
    }
    return network_points(&n->network, vars) * share <= step->cost + then->cost;
}

/* ---- the search ---- */

static bool is_weighed(const struct site_search *s, const struct draft *draft)
{
    for (size_t i = 0; i < s->weighed.n; i++)
        if (s->weighed.at[i].draft.program == draft->program)
            return true;
    return false;
}

/* Weighs a way.  *best is the cheapest so far, with the cost *least. */
static void try_way(const struct plan_network *n, const struct way *way, struct way *best,
                    double *least)
{
    struct site_search *s = n->search;
    size_t before = s->weighed.n;
    struct text steps = text_new(s->cx->arena);
    struct draft draft = draft_new(s->cx, NULL);
    if (way->contraction.steps > 1)
        draft = contract(n, way, &steps);
    if (draft.calls.n && !is_weighed(s, &draft))
        search_weigh(s, &draft, true);
    if (s->weighed.n == before)
        return;
    s->weighed.at[before].steps = steps.n ? steps.at : NULL;
    if (plan_value(s->weighed.at[before].cost) >= *least)
        return;
    *best = *way;
    *least = plan_value(s->weighed.at[before].cost);
}

/* Does a step make a sparse result of several modes? */
static bool has_lists(const struct way *way)
{
    bool has = false;
    for (int t = 0; t + 1 < way->contraction.steps; t++)
        has |= !way->contraction.step[t].dense
               && __builtin_popcountll(way->contraction.step[t].kept) > 1;
    return has;
}

/* Returns the cheapest contraction inside a loop, which may be another one for few factors. */
static struct way way_inside(const struct plan_network *n, const struct way *of, size_t var)
{
    struct way way = *of;
    struct network network = n->network;
    network.around |= (var_set)1 << var;
    way.around = n->loops.at[var];
    if (network.factors <= AGAIN_MAX)
        way.contraction = contraction_in(n, &network);
    return way;
}

/* Is the variable in an intermediate result? */
static bool is_kept(const struct way *way, size_t var)
{
    bool kept = false;
    for (int t = 0; t + 1 < way->contraction.steps; t++)
        kept |= way->contraction.step[t].kept >> var & 1;
    return kept;
}

/* Tries what may be cheaper than all steps one after the other: changes of the best way so far,
 * each by itself. */
static void try_changes(const struct plan_network *n, struct way *best, double *least)
{
    struct way start = *best;
    for (size_t i = 0; i < n->loops.n && has_lists(&start); i++) {
        struct way way = way_inside(n, &start, i);
        if (is_kept(&way, i) && way.contraction.cost < start.contraction.cost)
            try_way(n, &way, best, least);
    }
    for (int t = 0; t + 1 < best->contraction.steps; t++) {
        struct way way = *best;
        way.joined |= (uint64_t)1 << t;
        if (may_join(n, &way, t))
            try_way(n, &way, best, least);
    }
}

/* Returns the order that suits the factors, whatever the result's is. */
static struct var_list factors_order(const struct site_search *s)
{
    struct chain chain = site_chain(s->cx, s->site);
    struct cin_list made = cin_assignments(s->cx, chain.body),
                    read = cin_operands(s->cx, chain.body);
    bool *skip = arena_array(s->cx->arena, bool, made.n + read.n);
    for (size_t i = 0; i < made.n; i++)
        skip[i] = true;
    return plan_order(s->cx, s->program, &chain, skip);
}

/* Do relations tie a loop to variables that factors use? */
static bool is_tied(const struct plan_network *n)
{
    bool tied = false;
    for (size_t i = 0; i < n->vars.n; i++)
        tied |= !n->vars.at[i]->literal && cin_is_related(n->search->program, n->vars.at[i]);
    return tied;
}

/* Adds the variables of all loops: those that may change places, and then those around these that
 * nothing ties. */
static void add_loops_around(struct plan_network *n)
{
    const struct site_search *s = n->search;
    struct var_list all = plan_loops(s->cx, s->program->statement, s->site->assign);
    for (size_t i = 0; i < n->loops.n; i++)
        vec_push(s->cx->arena, &n->vars, n->loops.at[i]);
    for (size_t i = 0; i + n->loops.n < all.n; i++)
        if (!cin_is_related(s->program, all.at[i]))
            vec_push(s->cx->arena, &n->vars, all.at[i]);
}

/* Makes a network of the site's product; false: it is none. */
static bool open_network(struct site_search *s, const struct cin_list *product,
                         struct plan_network *n)
{
    *n = (struct plan_network){.search = s,
                               .op = plan_reduced(s->site)->op,
                               .product = product,
                               .loops = site_chain(s->cx, s->site).loops,
                               .order = factors_order(s)};
    add_loops_around(n);
    if (product->n > NETWORK_MAX || n->vars.n > NETWORK_MAX || is_tied(n))
        return false;
    find_network(n);
    return true;
}

void search_trees(struct site_search *s, const struct cin_list *product)
{
    struct plan_network n;
    struct way best = {0};
    double least = INFINITY;
    if (!open_network(s, product, &n))
        return;
    for (int i = 0; i < n.network.factors; i++)
        for (int k = 0; k < i; k++) {
            n.network.first = 1u << i | 1u << k;
            if (!(n.network.factor[i].vars & n.network.factor[k].vars))
                continue;
            struct way way = {.contraction = contraction_in(&n, &n.network)};
            try_way(&n, &way, &best, &least);
        }
}

void search_contractions(struct site_search *s, const struct cin_list *product, bool changes)
{
    struct plan_network n;
    double least = INFINITY;
    if (!open_network(s, product, &n))
        return;
    struct way best = {.contraction = contraction_in(&n, &n.network)}, way = best;
    try_way(&n, &way, &best, &least);
    way.rows = true;
    if (has_lists(&way))
        try_way(&n, &way, &best, &least);
    if (changes && s->depth > 0)
        try_changes(&n, &best, &least);
}
