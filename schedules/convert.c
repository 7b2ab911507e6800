/* convert.c - convert(A(i,j), w): an operand is copied into a list in the order of the loops, and
 * read from the list (thesis 6.2, with an operand as the expression).
 *
 *     before    forall(i) forall(j) C(i,j) = A(i,j) + B(j,i)
 *     after     forall(i) forall(j) C(i,j) = A(i,j) + w(i,j)
 *                   where forall(jp) forall(ip) w(ip,jp) = B(jp,ip)               convert(B(j,i),
 *                   w)
 *
 * The copy's loops are over the operand's levels, from the root down.  So any operand can be
 * copied.  The list has a mode for each variable of the access, in the order in which the
 * statement's loops bind them.  A variable without a loop has the parts of its split as modes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"
#include "schedules/schedules.h"

#include "compiler/base/vec.h"

struct convert {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *access;
    /* known on the way to the access, in this order */
    VEC(const struct index_var *) known;
    VEC(const struct index_var *) loop; /* those with a loop */
    bool found;
    /* of the list; and their names in the loops that fill it */
    const struct index_var *mode[2 * ORDER_MAX], *fresh[2 * ORDER_MAX];
    int order;
    struct cin_program *converted;
};

static bool read_arguments(struct convert *c)
{
    const struct schedule_call *call = c->call;
    struct cin_list read = cin_operands(c->cx, c->program->statement);
    if (call->arguments != 2)
        return loops_refuse(c->cx, c->program, call, -1,
                            "it takes an access and the name of a workspace");
    int found;
    c->access = loops_access(&read, &call->argument[0], false, &found);
    if (!c->access || c->access->indices == 0)
        return loops_refuse(c->cx, c->program, call, 0, "there is no such access to an operand");
    const struct tensor_var *t = c->access->tensor;
    if (!t->temporary && cin_assigns(c->program->statement, t))
        return loops_refuse(c->cx, c->program, call, 0,
                            "a result that is read where it is written cannot be copied");
    return loops_check_workspace(c->cx, c->program, call, 1);
}

/* Collects the variables that the loops around the access make known. */
static void find_known(struct convert *c, const struct cin *s)
{
    size_t known = c->known.n, loops = c->loop.n;
    const struct cin_program *p = c->program;
    const struct cin_relation *by;
    if (s == c->access) {
        c->found = true;
        return;
    }
    const struct index_var *var = s->kind == CIN_FORALL ? s->index[0] : NULL;
    if (var)
        vec_push(c->cx->arena, &c->loop, var);
    for (; var; var = cin_follows(p->relation, p->relations, c->known.at, (int)c->known.n, &by))
        vec_push(c->cx->arena, &c->known, var);
    for (int i = s->kind == CIN_ASSIGN; i < s->args && !c->found; i++)
        find_known(c, s->arg[i]);
    if (c->found)
        return;
    c->known.n = known;
    c->loop.n = loops;
}

static bool is_loop(const struct convert *c, const struct index_var *var)
{
    bool is = false;
    for (size_t i = 0; i < c->loop.n; i++)
        is |= c->loop.at[i] == var;
    return is;
}

/* Returns the split whose parts have loops in the variable's place.  NULL if there is none. */
static const struct cin_relation *split_of(const struct convert *c, const struct index_var *var)
{
    const struct cin_relation *r = is_loop(c, var) ? NULL : cin_split(c->program, var);
    return r && is_loop(c, r->child[0]) && is_loop(c, r->child[1]) ? r : NULL;
}

/* Is the variable a mode of the list: does it, or a variable that it is a part of, index the
 * access? */
static bool is_mode(const struct convert *c, const struct index_var *var)
{
    bool is = false;
    for (int k = 0; k < c->access->indices && !var->literal; k++) {
        const struct cin_relation *r = split_of(c, c->access->index[k]);
        is |= r ? cin_is_child(r, var) : c->access->index[k] == var;
    }
    return is;
}

static const struct index_var *fresh_like(const struct convert *c, const struct index_var *var)
{
    const char *name = arena_printf(c->cx->arena, "%sp", var->name);
    return loops_like_var(c->cx, cin_fresh_name(c->cx, c->converted, name), var);
}

/* Finds the loops' variables that determine a component of the operand, in their order. */
static bool find_modes(struct convert *c)
{
    for (size_t i = 0; i < c->known.n; i++) {
        if (!is_mode(c, c->known.at[i]))
            continue;
        c->mode[c->order] = c->known.at[i];
        c->fresh[c->order++] = fresh_like(c, c->known.at[i]);
    }
    return c->order <= ORDER_MAX
           || loops_refuse(c->cx, c->program, c->call, 0, "the copy would have too many modes");
}

/* Returns this variable's counterpart in the loops that fill the list. */
static const struct index_var *fresh_of(struct convert *c, const struct index_var *var)
{
    for (int m = 0; m < c->order; m++)
        if (c->mode[m] == var)
            return c->fresh[m];
    const struct cin_relation *r = split_of(c, var);
    const struct index_var *whole = fresh_like(c, var);
    struct cin_relation same = {.type = r->type,
                                .parent = {whole},
                                .child = {fresh_of(c, r->child[0]), fresh_of(c, r->child[1])},
                                .size = r->size,
                                .up = r->up};
    cin_relate(c->cx, c->converted, same);
    c->mode[c->order] = var; /* no mode of the list, but known from now on */
    c->fresh[c->order++] = whole;
    return whole;
}

/* Does a relation make this mode and the one before known together, as for two collapsed loops?
 * Then the loops do not walk the list level by level. */
static bool is_known_at_once(const struct convert *c, int order)
{
    bool at_once = false;
    for (int m = 1; m < order; m++) {
        size_t at = 0;
        while (c->known.at[at] != c->mode[m])
            at++;
        bool same = !is_loop(c, c->known.at[at]);
        for (; same && c->known.at[at] != c->mode[m - 1]; at--)
            same = !is_loop(c, c->known.at[at]);
        at_once |= same;
    }
    return at_once;
}

/* Makes a format for the list, with positions and coordinates as wide as the operand's.  If the
 * loops do not walk along a mode, its components can be located: in a list of rows, or in places
 * for all components if the loops go through as many. */
static const struct format *list_format(const struct convert *c, int order)
{
    struct format_defaults defaults =
        loops_widen((struct format_defaults){TYPE_I32, TYPE_I32}, c->access->tensor->format);
    return !is_known_at_once(c, order) ? format_list(c->cx, order, defaults)
           : order == 2                ? format_rows(c->cx, order, defaults)
                                       : format_dense(c->cx, order, defaults);
}

/* Returns the index of the operand's mode in the copy: the fresh variable; or one that must be
 * equal to it, if the mode repeats an earlier one or is indexed by a literal. */
static const struct index_var *mode_variable(struct convert *c, int mode)
{
    const struct index_var *index = c->access->index[mode];
    const struct index_var *var = index->literal ? index : fresh_of(c, index);
    bool repeated = index->literal;
    for (int k = 0; k < mode; k++)
        repeated |= c->access->index[k] == index;
    if (!repeated)
        return var;
    const char *name = arena_printf(c->cx->arena, "%s_%d", var->name, mode + 1);
    const struct index_var *other =
        loops_like_var(c->cx, cin_fresh_name(c->cx, c->converted, name), var);
    cin_relate(c->cx, c->converted,
               (struct cin_relation){.type = &relation_equal, .parent = {var}, .child = {other}});
    return other;
}

/* Returns the where that makes the workspace.  NULL if the tensor exists from the start. */
static const struct cin *find_maker(struct context *cx, const struct cin *s,
                                    const struct tensor_var *tensor)
{
    const struct cin *maker = NULL;
    struct cin_list made =
        s->kind == CIN_WHERE ? cin_assignments(cx, s->arg[1]) : (struct cin_list){0};
    for (int i = 0; i < s->args && !maker && !cin_is_expression(s->arg[i]); i++)
        maker = find_maker(cx, s->arg[i], tensor);
    for (size_t i = 0; i < made.n && !maker; i++)
        maker = made.at[i]->arg[0]->tensor == tensor ? s : NULL;
    return maker;
}

/* Replaces the operand by its copy, and makes the copy as soon as the operand exists. */
static const struct cin *copy_first(const struct convert *c, const struct cin *of,
                                    const struct cin *read, const struct cin *copy)
{
    const struct cin *s = c->program->statement, *maker = find_maker(c->cx, s, c->access->tensor);
    const struct cin *consumer = maker ? maker->arg[0] : s;
    const struct cin *changed = cin_where(c->cx, cin_replace(c->cx, consumer, of, read), copy);
    return maker ? cin_replace(c->cx, s, maker, cin_where(c->cx, changed, maker->arg[1])) : changed;
}

/* Returns stored(A) if the copy has to hold the answer to it.  An operand that only literals index
 * is copied into a scalar, which does not say whether the component is stored:
 *
 *     before    y = stored(A(1))
 *     after     y = w where forall(j) w |= stored(A(j))    equal(1, j) */
static const struct cin *asked(const struct convert *c)
{
    const struct cin *stored = cin_op(c->cx, OP_STORED, &c->access, 1);
    return c->order == 0 && cin_contains(c->program->statement, stored) ? stored : NULL;
}

/* Makes the copy: a list or a scalar. */
static const struct tensor_var *make_copy(const struct convert *c, const char *name, int order,
                                          bool asks)
{
    const struct tensor_var *t = c->access->tensor;
    if (asks)
        return cin_made(c->cx, *cin_temporary(c->cx, name, TYPE_BOOL, value_zero(TYPE_BOOL)));
    struct tensor_var copied = order == 0 ? *cin_temporary(c->cx, name, t->type, t->fill)
                                          : *cin_workspace(c->cx, name, t->type, t->fill,
                                                           list_format(c, order), c->mode, order);
    copied.copies = t;
    copied.pattern_of = t->pattern_of;
    copied.filled = t->filled;
    return cin_made(c->cx, copied);
}

static const struct cin_program *apply_convert(struct context *cx,
                                               const struct cin_program *program,
                                               const struct schedule_call *call)
{
    struct convert c = {.cx = cx, .program = program, .call = call};
    c.converted = arena_copy(cx->arena, program, sizeof *program);
    if (!read_arguments(&c))
        return NULL;
    find_known(&c, program->statement);
    if (!find_modes(&c))
        return NULL;
    const struct index_var *from[ORDER_MAX];
    int order = c.order;
    for (int k = 0; k < c.access->indices; k++)
        from[k] = mode_variable(&c, k);
    const struct cin *stored = asked(&c);
    const struct tensor_var *w = make_copy(&c, call->argument[1].text, order, stored != NULL);
    const struct cin *read = cin_access(cx, c.access->tensor, from, c.access->indices);
    const struct cin *copy =
        cin_assign(cx, stored ? OP_OR : OP_NONE, cin_access(cx, w, c.fresh, order),
                   stored ? cin_op(cx, OP_STORED, &read, 1) : read);
    copy = cin_follow(cx, c.converted, read, copy);
    if (!copy)
        return NULL;
    const struct cin *of = stored ? stored : c.access;
    c.converted->statement = copy_first(&c, of, cin_access(cx, w, c.mode, order), copy);
    return c.converted;
}

const struct schedule_type schedule_convert = {
    .name = "convert",
    .usage = "convert(A(i,j), w)",
    .brief = "copy an operand to a list in the order of the loops, and read the list",
    .apply = apply_convert,
};

struct copy_search {
    const struct cin *access;
    bool found;
};

/* Finds a where that copies an operand into a list, which keeps whatever the operand's levels
 * store.  A scalar does not. */
static bool find_copy(const struct cin *cin, void *data)
{
    struct copy_search *s = data;
    s->found |= cin->kind == CIN_ASSIGN && cin->arg[1] == s->access && cin->arg[0]->tensor->order
                && cin->arg[0]->tensor->copies == s->access->tensor;
    return s->found;
}

const struct schedule_call *
schedule_converting(struct context *cx, const struct cin_program *program, const struct cin *access)
{
    struct copy_search s = {.access = access};
    if (access->indices == 0 || cin_any(program->statement, find_copy, &s))
        return NULL;
    const struct schedule_argument argument[] = {
        schedule_expression(access), schedule_words(cx, cin_fresh_name(cx, program, "w"))};
    return schedule_make(cx, &schedule_convert, argument, 2);
}
