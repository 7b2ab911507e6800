/* site.c - where the planner has something to decide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

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

/* Returns a matrix product that a library does has nothing to decide. */
static bool is_called(const struct cin_program *program, const struct site *site)
{
    const size_t n = site->loops.n;
    return n > 0 && cin_find_tag(program, site->loops.at[n - 1], TAG_GEMM);
}

struct site_list plan_find_sites(struct context *cx, const struct cin_program *program)
{
    struct site_list sites = {0};
    size_t open = 0;
    add_site(cx, program->statement, &sites);
    for (size_t i = 0; i < sites.n; i++)
        if (!is_called(program, &sites.at[i]))
            sites.at[open++] = sites.at[i];
    sites.n = open;
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

bool plan_goes_through(const struct cin *access, const struct index_var *var)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++)
        if (access_level_var(access, level) == var && plan_is_iterated(&format->level[level]))
            return true;
    return false;
}

/* Is a level of another operand gone through by the variable's loop? */
static bool meets_another(const struct cin_list *read, const struct cin *access,
                          const struct index_var *var)
{
    for (size_t i = 0; i < read->n; i++)
        if (read->at[i] != access && plan_goes_through(read->at[i], var))
            return true;
    return false;
}

/* Returns the first level that the loops go through, or search, again and again; -1: there is none.
 * It is not located in O(1), and a loop around it moves in no level above.  A root counts unless it
 * is a workspace's.  Another level counts if its loop goes through another operand as well: then
 * each visit merges the two. */
static int revisited_level(const struct cin *access, const struct cin_list *read,
                           const struct var_list *loops)
{
    const struct format *format = access->tensor->format;
    int above = -1;
    for (int level = 0; level < format->levels; level++) {
        const struct index_var *var = access_level_var(access, level);
        int at = var ? var_list_place(loops, var) : -1;
        if (at > above + 1 && !format->level[level].type->locates_fast
            && (level == 0 ? !access->tensor->temporary : meets_another(read, access, var)))
            return level;
        above = at > above ? at : above;
    }
    return -1;
}

/* Returns the level from which on the loops do not suit the access; -1: they do. */
static int conflict_level(const struct cin *access, const struct cin_list *read,
                          const struct var_list *loops, bool in_order)
{
    if (access->indices == 0 || is_out_of_order(access, loops) == in_order)
        return -1;
    return in_order ? revisited_level(access, read, loops) : 0;
}

/* Do the producer's own loops conflict with the access by themselves? */
static bool is_own(const struct cin *access, const struct cin_list *read,
                   const struct var_list *own, bool in_order)
{
    bool all = own->n > 0;
    for (int i = 0; i < access->indices; i++)
        all &= var_list_has(own, access->index[i]);
    return (all || in_order) && conflict_level(access, read, own, in_order) >= 0;
}

static bool is_known(const struct conflict_list *list, const struct cin *access)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].access == access)
            return true;
    return false;
}

/* Adds the conflicts of the assignment's operands.  own: the loops of the producer that has the
 * assignment. */
static void add_conflicts(struct context *cx, const struct cin *assign,
                          const struct var_list *loops, const struct var_list *own, bool in_order,
                          struct conflict_list *list)
{
    struct cin_list read = cin_operands(cx, assign);
    for (size_t i = 0; i < read.n; i++) {
        int level = conflict_level(read.at[i], &read, loops, in_order);
        if (level >= 0 && !is_known(list, read.at[i]) && !is_own(read.at[i], &read, own, in_order))
            vec_push(cx->arena, list, ((struct conflict){read.at[i], level}));
    }
}

/* Returns the loops inside the innermost where whose producer has the assignment; none: it is in
 * none. */
static struct var_list producer_loops(struct context *cx, const struct cin *s,
                                      const struct cin *assign)
{
    const struct cin *producer = NULL;
    while (s != assign) {
        int arg = 0;
        while (arg + 1 < s->args && !cin_contains(s->arg[arg], assign))
            arg++;
        producer = s->kind == CIN_WHERE && arg == 1 ? s->arg[1] : producer;
        s = s->arg[arg];
    }
    return producer ? plan_loops(cx, producer, assign) : (struct var_list){0};
}

/* Returns the variables that the loops make known, in that order: a variable that is split stands
 * in the place of its last part. */
static struct var_list told(struct context *cx, const struct cin_program *program,
                            struct var_list loops)
{
    struct var_list list = {0};
    for (size_t i = 0; i < loops.n && program->relations; i++) {
        vec_push(cx->arena, &list, loops.at[i]);
        const struct cin_relation *split;
        for (const struct index_var *whole = loops.at[i];
             (whole = cin_whole(program, whole, CIN_ANY)) && (split = cin_split(program, whole))
             && var_list_has(&list, split->child[0]) && var_list_has(&list, split->child[1]);) {
            size_t kept = 0;
            for (size_t k = 0; k < list.n; k++)
                if (!cin_is_child(split, list.at[k]))
                    list.at[kept++] = list.at[k];
            list.n = kept;
            vec_push(cx->arena, &list, whole);
        }
    }
    return program->relations ? list : loops;
}

struct conflict_list site_conflicts(struct context *cx, const struct cin_program *program,
                                    const struct site *site)
{
    const struct cin *s = site->root; /* the producers beside it are sites of their own */
    while (s->kind == CIN_WHERE)
        s = s->arg[0];
    struct conflict_list list = {0};
    struct cin_list made = cin_assignments(cx, s);
    for (int in_order = 0; in_order < 2; in_order++)
        for (size_t i = 0; i < made.n; i++) {
            struct var_list loops = told(cx, program, plan_loops(cx, s, made.at[i])),
                            own = told(cx, program, producer_loops(cx, s, made.at[i]));
            add_conflicts(cx, made.at[i], &loops, &own, in_order, &list);
        }
    return list;
}
