/* plan_site.c - where the planner has something to decide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"
#include "schedules/plan.h"

static void add_site(struct context *cx, const struct cin *root, struct site_list *sites)
{
    struct site site = {.root = root, .assign = root};
    while (site.assign->kind == CIN_FORALL || site.assign->kind == CIN_WHERE) {
        if (site.assign->kind == CIN_FORALL) {
            vec_push(cx->arena, &site.loops, site.assign->index[0]);
        } else {
            vec_push(cx->arena, &site.where, site.assign);
            vec_push(cx->arena, &site.depth, site.loops.n);
        }
        site.assign = site.assign->arg[0];
    }
    for (size_t i = 0; i < site.where.n; i++)
        if (site.depth.at[i] < site.loops.n && site.depth.at[i] > site.fixed)
            site.fixed = site.depth.at[i];
    if (site.assign->kind == CIN_ASSIGN)
        vec_push(cx->arena, sites, site);
    else
        for (int i = 0; i < site.assign->args; i++)
            add_site(cx, site.assign->arg[i], sites);
    for (size_t i = 0; i < site.where.n; i++)
        add_site(cx, site.where.at[i]->arg[1], sites);
}

struct site_list plan_sites(struct context *cx, const struct cin_program *program)
{
    struct site_list sites = {0};
    add_site(cx, program->statement, &sites);
    return sites;
}

struct chain site_chain(struct context *cx, const struct site *site)
{
    struct chain chain = {.body = site->assign};
    for (size_t i = site->fixed; i < site->loops.n; i++)
        vec_push(cx->arena, &chain.loops, site->loops.at[i]);
    for (size_t i = site->where.n; i-- > 0;)
        if (site->depth.at[i] == site->loops.n)
            chain.body = site->where.at[i];
    return chain;
}

static bool find_loops(struct context *cx, const struct cin *s, const struct cin *assign,
                       struct var_list *loops)
{
    if (s == assign)
        return true;
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return false;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s->index[0]);
    for (int i = 0; i < s->args; i++)
        if (find_loops(cx, s->arg[i], assign, loops))
            return true;
    loops->n -= s->kind == CIN_FORALL;
    return false;
}

struct var_list plan_loops(struct context *cx, const struct cin *s, const struct cin *assign)
{
    struct var_list loops = {0};
    find_loops(cx, s, assign, &loops);
    return loops;
}

/* Is a level to be iterated whose coordinate is known before the one of a level above it? */
static bool is_out_of_order(const struct cin *access, const struct var_list *loops)
{
    const struct format *format = access->tensor->format;
    int last = -1;
    for (int level = 0; level < format->levels; level++) {
        const struct index_var *var = access_level_var(access, level);
        int at = var ? var_list_place(loops, var) : -1;
        if (var && at < last && plan_is_iterated(&format->level[level]))
            return true;
        last = at > last ? at : last;
    }
    return false;
}

/* Is the root, which is not located in O(1), inside other loops? */
static bool is_revisited(const struct cin *access, const struct var_list *loops)
{
    const struct index_var *root = access_level_var(access, 0);
    return !access->tensor->temporary && !access->tensor->format->level[0].type->locates_fast
           && root && var_list_place(loops, root) > 0;
}

typedef bool suits_badly(const struct cin *access, const struct var_list *loops);

static struct cin_list find_accesses(struct context *cx, const struct site *site,
                                     suits_badly *found)
{
    struct cin_list list = {0}, made = cin_assignments(cx, site->root);
    for (size_t i = 0; i < made.n; i++) {
        struct cin_list read = cin_operands(cx, made.at[i]);
        struct var_list loops = plan_loops(cx, site->root, made.at[i]);
        for (size_t k = 0; k < read.n; k++)
            if (read.at[k]->indices > 0 && found(read.at[k], &loops))
                vec_push(cx->arena, &list, read.at[k]);
    }
    return list;
}

struct cin_list site_conflicts(struct context *cx, const struct site *site)
{
    return find_accesses(cx, site, is_out_of_order);
}

struct cin_list site_revisits(struct context *cx, const struct site *site)
{
    return find_accesses(cx, site, is_revisited);
}
