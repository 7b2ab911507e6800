/* launch_team.c - the threads of a team, which do the same but for the loops that they share.
 *
 *     y_val += ...                a loop of the team's: each lane has some of its steps
 *     y_val = sum_team8(y_val)    what they have is combined
 *     if (lane == 0)              what all lanes would store one of them stores
 *         y[i] = y_val
 *
 * Where one lane stores what others touch the lanes meet before and behind it: such places are the
 * loops that are shared, those whose iterations touch nothing in common, and the stores outside of
 * them.  In a place they meet only for what is touched elsewhere in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/lower/parallel/launch.h"

/* ---- what is stored ---- */

struct walk {
    struct launch *l;
    const struct imp *body; /* the launch's, or the place that lanes have met in front of */
    const struct team *team;
    bool again; /* in a loop that the team does alike, whose iterations may touch the same */
};

static bool is_workspace(const struct launch *l, const struct imp_var *var)
{
    for (size_t i = 0; i < l->seen.placed.n; i++)
        if (l->seen.placed.at[i]->var == var)
            return true;
    return false;
}

/* Returns the array that is stored to, unless it is a thread's own, or one that a team combines
 * through. */
static const struct imp_var *stored_to(const struct launch *l, const struct imp *imp)
{
    bool stores = imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE
                  || imp->kind == IMP_FILL || imp->kind == IMP_COPY;
    if (!stores || imp->var->place == PLACE_LOCAL)
        return NULL;
    return imp->var->place == PLACE_MEMORY || is_workspace(l, imp->var) ? imp->var : NULL;
}

struct touch {
    const struct walk *w;
    const struct imp *site;
};

/* Does the node write an array that others, or this again, touch? */
static bool is_shared(const struct imp *imp, void *data)
{
    const struct touch *t = data;
    const struct imp_var *array = stored_to(t->w->l, imp);
    if (imp->kind == IMP_CALL && imp->function->effects)
        return true;
    return array && (t->w->again || imp_uses(t->w->body, array) > imp_uses(t->site, array));
}

/* Unless they have just met. */
static void meet(const struct walk *w)
{
    struct imp_builder *b = &w->l->k->b;
    int lanes = w->team->block ? 0 : w->team->lanes;
    const struct imp *last = imp_last(b);
    if (!last || last->kind != IMP_BARRIER || last->n != lanes)
        imp_add(b, imp_barrier(b->cx, lanes));
}

/* Adds a place at which lanes differ; those before and behind it do not. */
static void add_site(const struct walk *w, const struct imp *site, const struct imp *done)
{
    struct touch touch = {w, site};
    bool shared = w->team->lanes > 1 && imp_any(site, is_shared, &touch);
    if (shared)
        meet(w);
    imp_add(&w->l->k->b, done);
    if (shared)
        meet(w);
}

/* ---- the body ---- */

static const struct imp *alike(const struct walk *w, const struct imp *imp);

static const struct launch_loop *find_loop(const struct launch *l, const struct imp *imp)
{
    for (size_t i = 0; i < l->loops.n; i++)
        if (l->loops.at[i].part == imp || (imp->kind == IMP_FOR && l->loops.at[i].step == imp->var))
            return &l->loops.at[i];
    return NULL;
}

struct stored {
    const struct launch *l;
    const struct imp_var *array;
};

/* Is the array used otherwise than by stores which one lane does, the same one each time? */
static bool uses_otherwise(const struct imp *imp, void *data)
{
    const struct stored *s = data;
    const struct launch_loop *loop = find_loop(s->l, imp);
    if (loop && loop != s->l->loops.at)
        return imp_any(imp, launch_stores_to, (void *)(size_t)s->array);
    return imp->var == s->array && imp->kind != IMP_STORE;
}

/* Lets one lane store what all lanes would store, the same lane each time. */
static void store_once(const struct walk *w, const struct imp *store)
{
    struct context *cx = w->l->k->cx;
    const struct imp *lane = w->team->lane;
    const struct imp *done =
        w->team->lanes > 1
            ? imp_if(cx, imp_op2(cx, OP_EQ, lane, imp_int(cx, lane->type, 0)), store, NULL)
            : store;
    struct stored stored = {w->l, store->var};
    struct walk once = *w;
    once.again = false;
    if (store->kind == IMP_STORE && !imp_any(w->body, uses_otherwise, &stored))
        imp_add(&w->l->k->b, done);
    else
        add_site(&once, store, done);
}

static bool is_number(const struct imp *imp, int64_t n)
{
    return imp->kind == IMP_CAST ? is_number(imp->arg[0], n)
                                 : imp->kind == IMP_LITERAL && imp->value.i == n;
}

static bool is_at_least(const struct imp *imp, int64_t n)
{
    return imp->kind == IMP_CAST ? is_at_least(imp->arg[0], n)
                                 : imp->kind == IMP_LITERAL && imp->value.i >= n;
}

/* Returns the end without bounds that are `many` or more. */
static const struct imp *end_below(const struct imp *end, int64_t many)
{
    while (end->kind == IMP_CAST)
        end = end->arg[0];
    for (int i = 0; end->kind == IMP_OP && end->op == OP_MIN && i < 2; i++)
        if (is_at_least(end->arg[i], many))
            return end_below(end->arg[1 - i], many);
    return end;
}

/* Returns the loop in which each thread that shares it begins with its number.  If there are no
 * more iterations than threads, a thread has one at most. */
static const struct imp *by_number(struct context *cx, const struct imp *number,
                                   const struct imp *loop)
{
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    bool counts = begin->kind == IMP_OP && begin->op == OP_ADD && is_number(begin->arg[0], 0)
                  && imp_equal(begin->arg[1], number);
    if (!counts || imp_most(end) > loop->n)
        return loop;
    while (number->kind == IMP_CAST)
        number = number->arg[0];
    const struct imp_var *own = imp_var(cx, loop->var->name, number->type);
    const struct imp *lane = imp_cast(cx, loop->var->type, imp_read(cx, own)),
                     *both[] = {imp_declare(cx, own, number),
                                imp_replaced(cx, loop->arg[2], imp_read(cx, loop->var), lane)};
    const struct imp *body = imp_block(cx, both, 2);
    if (is_number(end, loop->n))
        return body;
    return imp_if(cx, imp_op2(cx, OP_LT, number, end_below(end, loop->n)), body, NULL);
}

/* Fills a range of elements by all lanes, or by each if it is the lane's own. */
static void fill_together(const struct walk *w, const struct imp *fill)
{
    struct context *cx = w->l->k->cx;
    bool own = fill->var->place == PLACE_LOCAL;
    struct imp_var *at = kernel_var(w->l->k, TYPE_I64, "p%s", imp_stem(fill->var));
    const struct imp *first = imp_cast(cx, TYPE_I64, fill->arg[0]),
                     *end = imp_cast(cx, TYPE_I64, fill->arg[1]),
                     *lane = imp_cast(cx, TYPE_I64, w->team->lane),
                     *store = imp_store(cx, fill->var, imp_read(cx, at), OP_NONE, fill->arg[2]);
    const struct imp *loop =
        own ? imp_for(cx, at, first, end, 1, store)
            : imp_for(cx, at, imp_op2(cx, OP_ADD, first, lane), end, w->team->lanes, store);
    add_site(w, fill, own ? loop : by_number(cx, lane, loop));
}

/* Does each thread do it by itself? */
static bool is_apart(const struct launch *l, const struct imp *imp)
{
    bool is = false;
    for (size_t i = 0; i < l->seen.apart.n; i++)
        is |= l->seen.apart.at[i] == imp;
    return is;
}

/* Returns the loop of which the statement, an `if`, does the thread's share, unless that is empty;
 * NULL: it is no such `if`. */
static const struct launch_loop *find_share(const struct launch *l, const struct imp *imp)
{
    const struct launch_loop *loop = NULL;
    for (size_t i = 0; i < l->seen.shares.n; i++)
        if (l->seen.shares.at[i] == imp)
            loop = find_loop(l, body_last(imp->arg[1]));
    return loop == l->loops.at ? NULL : loop;
}

/* Adds a loop of teams: that of the grid is run by the same threads as what is around it. */
static void shared_loop(const struct walk *w, const struct launch_loop *loop, const struct imp *imp)
{
    struct walk inside = *w;
    inside.team = &loop->team;
    inside.again = false;
    if (loop != w->l->loops.at)
        inside.body = imp; /* those around meet before and behind it */
    const struct imp **arg =
        arena_copy(w->l->k->cx->arena, imp->arg, sizeof *arg * (size_t)imp->args);
    const int body = loop->part ? 1 : 2;
    arg[body] = alike(&inside, arg[body]);
    const struct imp *done = imp_with_args(w->l->k->cx, imp, arg);
    if (loop == w->l->loops.at && w->l->rows && !w->l->rows->seen.counts)
        imp_add_all(&w->l->k->b, rows_loop(w->l, imp->var, arg[body]));
    else if (loop == w->l->loops.at)
        imp_add(&w->l->k->b, done);
    else
        add_site(w, imp, loop->part ? done : by_number(w->l->k->cx, loop->first, done));
}

/* Passes know nothing of the threads: of the loop's mark is left what is asked. */
static const struct imp *unmarked(struct context *cx, const struct imp *imp)
{
    if (!imp->mark)
        return imp;
    struct imp_mark *mark = imp->mark->asked ? arena_make(cx->arena, struct imp_mark) : NULL;
    if (mark)
        *mark = (struct imp_mark){.asked = imp->mark->asked};
    return imp_marked(cx, imp, mark);
}

/* Adds a loop each of whose steps appends once; false: it is none. */
static bool add_appends(const struct walk *w, const struct imp *imp)
{
    struct imp_builder *b = &w->l->k->b;
    struct launch_run run;
    if (!launch_appends(w->l, w->team, imp, &run))
        return false;
    imp_add(b, run.before);
    add_site(w, imp, run.loop);
    imp_add_all(b, run.after);
    return true;
}

static void add_in_team(const struct walk *w, const struct imp *imp)
{
    struct imp_builder *b = &w->l->k->b;
    struct context *cx = b->cx;
    struct walk inside = *w;
    if (is_apart(w->l, imp)) {
        imp_add(b, imp);
        return;
    }
    bool apart = imp->mark && imp->mark->iterations == ITERATIONS_APART;
    imp = unmarked(cx, imp);
    const struct launch_loop *loop = find_loop(w->l, imp);
    if (imp->kind == IMP_BLOCK) {
        imp_add(b, alike(w, imp));
        return;
    }
    if (!loop && w->team->lanes > 1 && add_appends(w, imp))
        return;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    const struct launch_loop *share = find_share(w->l, imp);
    if (share)
        inside.team = &share->team;
    if (share || (imp->kind == IMP_FOR && apart)) { /* all of it is a place */
        inside.body = imp;
        inside.again = false;
    } else {
        inside.again |= imp->kind == IMP_FOR || imp->kind == IMP_WHILE;
    }
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) || loop ? imp->arg[i] : alike(&inside, imp->arg[i]);
    if (loop)
        shared_loop(w, loop, imp);
    else if (imp->kind == IMP_FILL && (w->team->lanes > 1 || imp->var->place != PLACE_MEMORY))
        fill_together(w, imp);
    else if (stored_to(w->l, imp) || imp->kind == IMP_DO)
        store_once(w, imp);
    else if (inside.body == imp)
        add_site(w, imp, imp_with_args(cx, imp, arg));
    else
        imp_add(b, imp_with_args(cx, imp, arg));
}

/* Returns the statement as a block in which all threads of a team do the same. */
static const struct imp *alike(const struct walk *w, const struct imp *imp)
{
    imp_begin(&w->l->k->b);
    if (imp->kind != IMP_BLOCK)
        add_in_team(w, imp);
    for (int i = 0; i < imp->args && imp->kind == IMP_BLOCK; i++)
        add_in_team(w, imp->arg[i]);
    return imp_end(&w->l->k->b);
}

const struct imp *team_body(struct launch *l, const struct imp *body)
{
    const struct walk w = {.l = l, .body = body, .team = &l->loops.at[0].team};
    return alike(&w, body);
}

/* ---- what is combined ---- */

/* Combines what lanes have, so that each has all of it: with the lane whose number differs in one
 * bit, for each bit in turn. */
static void combine_lanes(struct launch *l, const struct imp_var *var, enum op op, int lanes)
{
    struct kernel *k = l->k;
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
        const struct imp *other =
            imp_let(&k->b, kernel_var(k, var->type, "%s_other", imp_stem(var)),
                    imp_exchange(k->cx, EXCHANGE_XOR, imp_read(k->cx, var),
                                 imp_int(k->cx, TYPE_I32, bit), lanes));
        imp_add(&k->b, imp_assign(k->cx, var, op, other));
    }
}

const struct imp_var *team_ends(struct launch *l, const struct imp_var *var)
{
    struct kernel *k = l->k;
    const char *name = arena_printf(k->cx->arena, "%s_ends", imp_stem(var));
    struct imp_var *ends =
        imp_placed(k->cx, imp_unused_name(&k->b, name), var->type, PLACE_SHARED, GPU_WARP + 1);
    vec_push(k->cx->arena, &l->shared, imp_declare(k->cx, ends, NULL));
    return ends;
}

/* Combines what the lanes of each warp have, and then, in each warp, what the warps have. */
static void combine_block(struct launch *l, const struct imp_var *var, enum op op,
                          struct value start)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct imp_var *ends = team_ends(l, var);
    const struct imp *thread = imp_read(cx, l->thread), *warp = imp_int(cx, TYPE_I32, GPU_WARP),
                     *lane = imp_op2(cx, OP_MOD, thread, warp), *zero = imp_int(cx, TYPE_I32, 0),
                     *warps = imp_int(cx, TYPE_I32, l->threads / GPU_WARP);
    combine_lanes(l, var, op, GPU_WARP);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, lane, zero),
                          imp_store(cx, ends, imp_op2(cx, OP_DIV, thread, warp), OP_NONE,
                                    imp_read(cx, var)),
                          NULL));
    imp_add(&k->b, imp_barrier(cx, 0));
    imp_add(&k->b, imp_assign(cx, var, OP_NONE, imp_literal(cx, start)));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, lane, warps),
                          imp_assign(cx, var, OP_NONE, imp_load(cx, ends, lane)), NULL));
    combine_lanes(l, var, op, GPU_WARP);
    imp_add(&k->b, imp_barrier(cx, 0)); /* before the array is used again */
}

void team_combine(struct launch *l, const struct imp_var *var, enum op op, struct value start,
                  const struct team *of)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    bool sums = op == OP_ADD && type_is_float(var->type);
    const struct imp_var *ends = sums && l->team.block ? team_ends(l, var) : NULL;
    const struct imp *arg[] = {imp_read(cx, var), imp_read(cx, l->thread),
                               imp_int(cx, TYPE_I32, l->threads), ends ? imp_read(cx, ends) : NULL};
    const char *name = ends ? "sum_block" : arena_printf(cx->arena, "sum_team%d", l->team.lanes);
    if (of->lanes > 1) /* all of these have the same */
        imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_NE, of->lane, imp_int(cx, TYPE_I32, 0)),
                              imp_assign(cx, var, OP_NONE, imp_literal(cx, start)), NULL));
    if (!sums && l->team.block) {
        combine_block(l, var, op, start);
    } else if (!sums) {
        combine_lanes(l, var, op, l->team.lanes);
    } else {
        imp_add(&k->b, imp_assign(cx, var, OP_NONE,
                                  prelude_call(&k->b, name, &var->type, 1, arg, ends ? 4 : 1)));
        if (ends)
            imp_add(&k->b, imp_barrier(cx, 0)); /* before the array is used again */
    }
}
