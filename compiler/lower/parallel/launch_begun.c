/* launch_begun.c - components that threads of a team have begun, each some of its iterations, which
 * follow those of the threads before it.
 *
 *     y_at    0  0  2  2  2  -  3        what each thread has at hand when it is done
 *     y_begun a  b  c  d  e     f
 *
 * A component that the next thread has at hand, too, goes on there; the thread behind which another
 * one begins stores none of it:
 *
 *     sums of what threads have of the same component    a, a + b; c, c + d, c + d + e; f
 *     the first with another one stores them             thread 2: a + b, thread 6: c + d + e
 *     the last is at hand for the whole team             f
 *
 * (Hillis and Steele, Data parallel algorithms, 1986; the sums are segmented: Blelloch, Scans as
 * primitive parallel operations, 1989.)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"

#include <string.h>

/* ---- columns ---- */

/* Puts columns that threads share last, so that what threads keep is side by side. */
static void order_columns(const struct cin_program *program, const struct index_var *const *from,
                          const struct index_var **to, int n)
{
    int at = 0;
    for (int shared = 0; shared < 2; shared++)
        for (int i = 0; i < n; i++)
            if (shared == (cin_find_tag(program, from[i], TAG_PARALLEL) != NULL))
                to[at++] = from[i];
}

static int find_column(const struct index_var *const *column, int n, const struct index_var *var)
{
    int at = 0;
    while (at < n && column[at] != var)
        at++;
    return at;
}

/* Loops over both parts of what is split go through that. */
static int join_columns(const struct cin_program *program, const struct index_var **column, int n)
{
    for (int i = program->relations; i-- > 0;) { /* what is split last first */
        const struct cin_relation *r = &program->relation[i];
        int outer = find_column(column, n, r->child[0]),
            inner = find_column(column, n, r->child[1]);
        if (outer == n || inner == n || !r->type->parts)
            continue;
        column[inner] = r->parent[0];
        n--;
        for (int c = outer; c < n; c++)
            column[c] = column[c + 1];
    }
    return n;
}

void launch_find_columns(struct parallel *p, const struct scope *scope, struct kernel_begun *begun)
{
    const struct index_var *found[CIN_DEPTH_MAX],
        **column = arena_array(p->k->cx->arena, const struct index_var *, CIN_DEPTH_MAX);
    for (size_t i = 0; i < p->races.n && begun->columns == 0; i++) {
        const struct cin *assign = p->races.at[i].assign;
        if (assign->arg[0]->tensor == begun->tensor)
            begun->columns =
                tree_begun_columns(p->k->cx, scope->made->tree, p->node, assign, found);
    }
    begun->columns = begun->columns < 0 ? 0 : begun->columns;
    order_columns(p->k->program, found, column, begun->columns);
    begun->columns = join_columns(p->k->program, column, begun->columns);
    begun->column = column;
}

int launch_blocks_that_hand(struct parallel *p, const struct scope *scope)
{
    int blocks = p->scalars.n + p->arrays.n > 0 ? LAUNCH_PARTS : INT32_MAX;
    for (size_t i = 0; i < p->arrays.n; i++) {
        struct kernel_begun begun = {.tensor = p->arrays.at[i].code->tensor};
        launch_find_columns(p, scope, &begun);
        blocks = begun.columns > 0 ? LAUNCH_COLUMN_PARTS : blocks;
    }
    return blocks;
}

/* ---- of a team ---- */

static const struct imp *has_none(struct launch *l, const struct kernel_begun *begun)
{
    struct context *cx = l->k->cx;
    return imp_op2(cx, OP_LT, imp_read(cx, begun->at), imp_i64(cx, 0));
}

static const struct imp *have_same(struct launch *l, const struct kernel_begun *a,
                                   const struct kernel_begun *b)
{
    return imp_op2(l->k->cx, OP_EQ, imp_read(l->k->cx, a->at), imp_read(l->k->cx, b->at));
}

/* Makes `to` what `from` is. */
static const struct imp *copy_begun(struct launch *l, const struct kernel_begun *to,
                                    const struct kernel_begun *from)
{
    struct context *cx = l->k->cx;
    const struct imp *both[] = {imp_assign(cx, to->at, OP_NONE, imp_read(cx, from->at)),
                                imp_assign(cx, to->value, OP_NONE, imp_read(cx, from->value))};
    return imp_block(cx, both, 2);
}

static const struct imp *join_begun(struct launch *l, const struct kernel_begun *to,
                                    const struct kernel_begun *from)
{
    return imp_assign(l->k->cx, to->value, to->op, imp_read(l->k->cx, from->value));
}

/* Puts what there was before some threads before what they have. */
static const struct imp *put_before(struct launch *l, const struct kernel_begun *behind,
                                    const struct kernel_begun *before)
{
    struct context *cx = l->k->cx;
    return imp_if(cx, has_none(l, behind), copy_begun(l, behind, before),
                  imp_if(cx, have_same(l, behind, before), join_begun(l, behind, before), NULL));
}

/* Puts what some threads have behind what there was before them.  If that is another component,
 * nothing is left of the one before. */
static const struct imp *put_behind(struct launch *l, const struct kernel_begun *before,
                                    const struct kernel_begun *behind)
{
    struct context *cx = l->k->cx;
    const struct imp *some = imp_op2(cx, OP_GE, imp_read(cx, behind->at), imp_i64(cx, 0));
    return imp_if(cx, some,
                  imp_if(cx, have_same(l, before, behind), join_begun(l, before, behind),
                         copy_begun(l, before, behind)),
                  NULL);
}

/* Returns what another of these lanes has. */
static struct kernel_begun exchanged(struct launch *l, const struct kernel_begun *of,
                                     enum imp_exchange exchange, const struct imp *lane, int lanes)
{
    struct kernel *k = l->k;
    struct kernel_begun other = *of;
    struct imp_var *at = kernel_var(k, TYPE_I64, "%s_other", imp_stem(of->at)),
                   *value = kernel_var(k, of->value->type, "%s_other", imp_stem(of->value));
    imp_let(&k->b, at, imp_exchange(k->cx, exchange, imp_read(k->cx, of->at), lane, lanes));
    imp_let(&k->b, value, imp_exchange(k->cx, exchange, imp_read(k->cx, of->value), lane, lanes));
    other.at = at;
    other.value = value;
    return other;
}

/* Makes each lane's component what there is behind it, of the lanes up to it. */
static void add_up_to(struct launch *l, const struct kernel_begun *begun, const struct imp *lane,
                      int lanes)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    struct imp_var *d = kernel_var(k, TYPE_I32, "d");
    const struct imp *distance = imp_let(&k->b, d, imp_int(cx, TYPE_I32, 1)),
                     *several = imp_int(cx, TYPE_I32, lanes);
    imp_begin(&k->b);
    const struct kernel_begun below = exchanged(l, begun, EXCHANGE_UP, distance, lanes);
    imp_add(&k->b,
            imp_if(cx, imp_op2(cx, OP_GE, lane, distance), put_before(l, begun, &below), NULL));
    imp_add(&k->b, imp_assign(cx, d, OP_MUL, imp_int(cx, TYPE_I32, 2)));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_LT, distance, several), body));
}

/* Returns what there is before each lane. */
static struct kernel_begun step_up(struct launch *l, const struct kernel_begun *begun,
                                   const struct imp *lane, int lanes)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct kernel_begun ahead =
        exchanged(l, begun, EXCHANGE_UP, imp_int(cx, TYPE_I32, 1), lanes);
    const struct imp *first = imp_op2(cx, OP_EQ, lane, imp_int(cx, TYPE_I32, 0));
    imp_add(&k->b, imp_if(cx, first, imp_assign(cx, ahead.at, OP_NONE, imp_i64(cx, -1)), NULL));
    return ahead;
}

/* ---- a block ---- */

/* Where the threads are, and what their warps combine through. */
struct meeting {
    const struct imp *thread, *warps;
    struct kernel_begun ends; /* arrays, with an element for each warp */
};

/* Goes through what warps have, one after the other: puts it before each, and all of it into the
 * whole. */
static void go_through_warps(struct launch *l, const struct kernel_begun *begun,
                             const struct kernel_begun *ahead, const struct kernel_begun *whole,
                             const struct meeting *m)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    struct imp_var *w = kernel_var(k, TYPE_I32, "warp");
    const struct imp *size = imp_int(cx, TYPE_I32, GPU_WARP),
                     *warp = imp_op2(cx, OP_DIV, m->thread, size), *at = imp_read(cx, w),
                     *zero = imp_int(cx, TYPE_I32, 0),
                     *last = imp_op2(cx, OP_EQ, imp_op2(cx, OP_MOD, m->thread, size),
                                     imp_int(cx, TYPE_I32, GPU_WARP - 1)),
                     *both[] = {
                         imp_store(cx, m->ends.at, warp, OP_NONE, imp_read(cx, begun->at)),
                         imp_store(cx, m->ends.value, warp, OP_NONE, imp_read(cx, begun->value))};
    imp_add(&k->b, imp_if(cx, last, imp_block(cx, both, 2), NULL));
    imp_add(&k->b, imp_barrier(cx, 0));
    imp_begin(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, at, warp), put_before(l, ahead, whole), NULL));
    struct kernel_begun end = *begun;
    struct imp_var *end_at = kernel_var(k, TYPE_I64, "%s_end", imp_stem(begun->at)),
                   *end_value = kernel_var(k, begun->value->type, "%s_end", imp_stem(begun->value));
    imp_let(&k->b, end_at, imp_load(cx, m->ends.at, at));
    imp_let(&k->b, end_value, imp_load(cx, m->ends.value, at));
    end.at = end_at;
    end.value = end_value;
    imp_add(&k->b, put_behind(l, whole, &end));
    imp_add(&k->b, imp_for(cx, w, zero, m->warps, 1, imp_end(&k->b)));
}

/* ---- the whole ---- */

/* Stores each component that has ended, by the first thread with another one.  Before and behind
 * that the threads meet. */
static void store_ended(struct launch *l, const struct team *team, const struct kernel_begun *ahead,
                        const struct imp *here)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct imp *zero = imp_i64(cx, 0),
                     *barrier = imp_barrier(cx, team->block ? 0 : team->lanes),
                     *another = imp_op2(cx, OP_AND, imp_op2(cx, OP_GE, here, zero),
                                        imp_op2(cx, OP_NE, imp_read(cx, ahead->at), here));
    imp_begin(&k->b);
    begun_store(k, ahead);
    const struct imp *store = imp_if(cx, another, imp_end(&k->b), NULL);
    vec_push(cx->arena, &l->seen.apart, store);
    imp_add(&k->b, barrier);
    imp_add(&k->b, store);
    imp_add(&k->b, barrier);
}

/* Gathers what the team's threads have.  `leave`, or NULL: code in front of the stores of ended
 * components. */
static void gather_team(struct launch *l, const struct kernel_begun *begun, const struct team *team,
                        const struct kernel_begun *whole, const struct meeting *m,
                        const struct imp *leave)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    int lanes = team->block ? GPU_WARP : team->lanes;
    const struct imp *lane = imp_op2(cx, OP_MOD, m->thread, imp_int(cx, TYPE_I32, lanes)),
                     *here = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_here", imp_stem(begun->at)),
                                     imp_read(cx, begun->at));
    add_up_to(l, begun, lane, lanes);
    const struct kernel_begun ahead = step_up(l, begun, lane, lanes);
    if (team->block) {
        go_through_warps(l, begun, &ahead, whole, m);
    } else {
        imp_add(&k->b, put_before(l, &ahead, whole));
        const struct kernel_begun last =
            exchanged(l, begun, EXCHANGE_AT, imp_int(cx, TYPE_I32, lanes - 1), lanes);
        imp_add(&k->b, put_behind(l, whole, &last));
    }
    if (leave)
        imp_add(&k->b, leave);
    store_ended(l, team, &ahead, here);
}

/* ---- as a function ---- */

/* Returns a name that says all that the function depends on; NULL: its operator has no word. */
static const char *function_name(struct kernel *k, const struct kernel_begun *begun,
                                 const struct team *team)
{
    static const char *const word[OP_COUNT] = {
        [OP_ADD] = "sum", [OP_MIN] = "min", [OP_MAX] = "max"};
    if (op_is_user(begun->op) || !word[begun->op])
        return NULL;
    const char *lanes = team->block ? "" : arena_printf(k->cx->arena, "team%d_", team->lanes);
    return arena_printf(k->cx->arena, "%s_rows_%s%s%s", word[begun->op], lanes,
                        kernel_is_atomic(k, begun->tensor) ? "atomic_" : "",
                        type_name(begun->array->type));
}

/* That of a team has no warps. */
enum { PARAMS = 9 };

static int params_of(const struct team *team) { return team->block ? PARAMS : PARAMS - 1; }

/* Makes the parameters: what each thread has, and what the team had before; arrays through which
 * warps of a block combine it, and in which it is left; the thread, and the number of warps. */
static void make_params(struct kernel *k, struct kernel_begun *each, struct kernel_begun *whole,
                        struct meeting *m, const struct team *team, const struct imp_var **param)
{
    struct context *cx = k->cx;
    enum type type = each->array->type;
    const char *of = team->block ? "block" : "team", *left = team->block ? "ends" : "left";
    const struct imp_var *thread, *warps;
    param[0] = each->array = whole->array = kernel_array(k, type, "vals");
    param[1] = each->at = kernel_var(k, TYPE_I64, "row");
    param[2] = each->value = kernel_var(k, type, "begun");
    param[3] = whole->at = kernel_var(k, TYPE_I64, "%s_row", of);
    param[4] = whole->value = kernel_var(k, type, "%s_begun", of);
    param[5] = m->ends.at = kernel_array(k, TYPE_I64, "row_%s", left);
    param[6] = m->ends.value = kernel_array(k, type, "begun_%s", left);
    param[7] = thread = kernel_var(k, TYPE_I32, "thread");
    param[8] = warps = kernel_var(k, TYPE_I32, "warps");
    m->thread = imp_read(cx, thread);
    m->warps = imp_read(cx, warps);
}

/* Returns where the call leaves what there is behind all of the team: lanes of one team have it
 * each. */
static const struct imp *place_left(struct kernel *k, const struct team *team)
{
    return imp_int(k->cx, TYPE_I32, team->block ? GPU_WARP : 0);
}

/* Leaves what the whole team has, by the first thread of a block, or by each lane. */
static const struct imp *leave_whole(struct kernel *k, const struct kernel_begun *whole,
                                     const struct meeting *m, const struct team *team)
{
    struct context *cx = k->cx;
    const struct imp *place = place_left(k, team),
                     *both[] = {imp_store(cx, m->ends.at, place, OP_NONE, imp_read(cx, whole->at)),
                                imp_store(cx, m->ends.value, place, OP_NONE,
                                          imp_read(cx, whole->value))},
                     *leave = imp_block(cx, both, 2);
    if (!team->block)
        return leave;
    return imp_if(cx, imp_op2(cx, OP_EQ, m->thread, imp_int(cx, TYPE_I32, 0)), leave, NULL);
}

static const struct imp_function *make_function(struct launch *l, const struct kernel_begun *begun,
                                                const struct team *team, const char *name)
{
    struct kernel *k = l->k;
    struct imp_unit own = {0}, *outer = k->b.unit;
    struct kernel_begun each = *begun, whole = *begun;
    struct meeting m = {.ends = *begun};
    const struct imp_var *var[PARAMS];
    struct imp_param *param = arena_array(k->cx->arena, struct imp_param, PARAMS);
    struct imp_function *f = arena_make(k->cx->arena, struct imp_function);
    k->b.unit = &own; /* names of its own */
    make_params(k, &each, &whole, &m, team, var);
    for (int i = 0; i < PARAMS; i++)
        param[i] = (struct imp_param){.var = var[i], .role = ROLE_LOCAL};
    imp_begin(&k->b);
    gather_team(l, &each, team, &whole, &m, leave_whole(k, &whole, &m, team));
    *f = (struct imp_function){
        .name = name,
        .helper = true,
        .effects = true,
        .meets = true,
        .brief = team->block
                     ? "Stores rows that end in the block, of which each thread has the last one "
                       "that it came to; what begins there is left in row_ends[32]."
                     : "Stores rows that end in the team, of which each lane has the last one that "
                       "it came to; what begins there is left in row_left[0] of each.",
        .params = params_of(team),
        .param = param,
        .body = imp_end(&k->b)};
    k->b.unit = outer;
    return f;
}

static const struct imp_function *function_of(struct launch *l, const struct kernel_begun *begun,
                                              const struct team *team)
{
    struct kernel *k = l->k;
    struct imp_helpers *helpers = &k->b.unit->helpers;
    const char *name = function_name(k, begun, team);
    for (size_t i = 0; i < helpers->n && name; i++)
        if (strcmp(helpers->at[i]->name, name) == 0)
            return helpers->at[i];
    if (!name)
        return NULL;
    const struct imp_function *f = make_function(l, begun, team, name);
    vec_push(k->cx->arena, helpers, f);
    return f;
}

/* Calls the function, and gives the whole what the call has left. */
static void call_begun(struct launch *l, const struct imp_function *f,
                       const struct kernel_begun *begun, const struct team *team,
                       const struct kernel_begun *whole, const struct meeting *m)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct imp_var *var[] = {begun->array, begun->at,  begun->value,  whole->at,
                                   whole->value, m->ends.at, m->ends.value, l->thread};
    const struct imp *arg[PARAMS], *place = place_left(k, team);
    for (int i = 0; i < PARAMS - 1; i++)
        arg[i] = imp_read(cx, var[i]);
    arg[PARAMS - 1] = m->warps;
    const struct imp *join = imp_do(cx, imp_call(cx, f, arg, params_of(team)));
    vec_push(cx->arena, &l->seen.apart, join);
    imp_add(&k->b, join);
    imp_add(&k->b, imp_assign(cx, whole->at, OP_NONE, imp_load(cx, m->ends.at, place)));
    imp_add(&k->b, imp_assign(cx, whole->value, OP_NONE, imp_load(cx, m->ends.value, place)));
}

/* Declares an array of one element, a lane's own. */
static struct imp_var *make_left(struct kernel *k, const struct imp_var *var)
{
    const char *name = arena_printf(k->cx->arena, "%s_left", imp_stem(var));
    struct imp_var *left =
        imp_placed(k->cx, imp_unused_name(&k->b, name), var->type, PLACE_LOCAL, 1);
    imp_add(&k->b, imp_declare(k->cx, left, NULL));
    return left;
}

void begun_gather(struct launch *l, const struct kernel_begun *begun, const struct team *of,
                  const struct team *team, const struct kernel_begun *whole)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct imp *zero = imp_int(cx, TYPE_I32, 0);
    struct meeting m = {.thread = imp_read(cx, l->thread),
                        .warps = imp_int(cx, TYPE_I32, l->threads / GPU_WARP),
                        .ends = *begun};
    const struct imp_function *f = function_of(l, begun, team);
    if (team->block) {
        m.ends.at = team_ends(l, begun->at);
        m.ends.value = team_ends(l, begun->value);
    } else if (f) {
        m.ends.at = make_left(k, begun->at);
        m.ends.value = make_left(k, begun->value);
    }
    if (of->lanes > 1) /* all of these have the same */
        imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_NE, of->lane, zero),
                              imp_assign(cx, begun->at, OP_NONE, imp_i64(cx, -1)), NULL));
    if (f)
        call_begun(l, f, begun, team, whole, &m);
    else
        gather_team(l, begun, team, whole, &m, NULL);
}
