/* draft.c - a plan in the making: a program, and the directives that led to it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/plan/planner.h"

struct draft draft_new(struct context *cx, const struct cin_program *program)
{
    return (struct draft){.cx = cx, .program = program};
}

struct draft draft_copy(const struct draft *draft)
{
    struct draft copy = draft_new(draft->cx, draft->program);
    for (size_t i = 0; i < draft->calls.n; i++)
        vec_push(draft->cx->arena, &copy.calls, draft->calls.at[i]);
    return copy;
}

void draft_add(struct draft *draft, const struct schedule_call *call)
{
    if (!draft->program || !call)
        return;
    draft->program = plan_apply(draft->cx, draft->program, call);
    vec_push(draft->cx->arena, &draft->calls, call);
}

void draft_append(struct draft *draft, const struct draft *more)
{
    for (size_t i = 0; i < more->calls.n; i++)
        vec_push(draft->cx->arena, &draft->calls, more->calls.at[i]);
    draft->program = more->program;
}

const char *draft_print(const struct draft *draft)
{
    struct text out = text_new(draft->cx->arena);
    for (size_t i = 0; i < draft->calls.n; i++) {
        text_add(&out, i ? "; " : "");
        schedule_print(draft->cx, &out, draft->calls.at[i]);
    }
    return out.at;
}

/* ---- variables ---- */

struct loop_search {
    const char *name;
    const struct index_var *found;
};

static bool find_loop(const struct cin *cin, void *data)
{
    struct loop_search *s = data;
    if (cin->kind == CIN_FORALL && cin->index[0]->name == s->name)
        s->found = cin->index[0];
    return s->found;
}

/* Returns the variable of the loop of this name; NULL: there is none. */
static const struct index_var *loop_var(const struct draft *draft, const char *name)
{
    struct loop_search s = {.name = name};
    if (draft->program)
        cin_any(draft->program->statement, find_loop, &s);
    return s.found;
}

/* Returns an unused name for what belongs to the variable. */
static const char *name_like(const struct draft *draft, const struct index_var *var,
                             const char *end)
{
    return cin_fresh_name(draft->cx, draft->program,
                          arena_printf(draft->cx->arena, "%s%s", var->name, end));
}

/* ---- directives ---- */

const struct schedule_call *plan_reorder(struct context *cx, const struct var_list *loops)
{
    struct schedule_argument *argument = arena_array(cx->arena, struct schedule_argument, loops->n);
    for (size_t i = 0; i < loops->n; i++)
        argument[i] = schedule_loop(loops->at[i]);
    return schedule_make(cx, &schedule_reorder, argument, (int)loops->n);
}

/* Adds a precompute, where more words may follow the format. */
static void precompute(struct draft *draft, const struct cin *e, const struct var_list *modes,
                       const struct format *format, const char *const *more, int n)
{
    struct context *cx = draft->cx;
    if (!draft->program)
        return;
    struct schedule_argument *argument =
        arena_array(cx->arena, struct schedule_argument, modes->n + 3 + (size_t)n);
    argument[0] = schedule_expression(e);
    argument[1] = schedule_words(cx, cin_fresh_name(cx, draft->program, "w"));
    for (size_t i = 0; i < modes->n; i++)
        argument[2 + i] = schedule_triple(cx, modes->at[i], name_like(draft, modes->at[i], "p"));
    argument[2 + modes->n] = schedule_format(cx, format);
    for (int i = 0; i < n; i++)
        argument[3 + modes->n + (size_t)i] = schedule_words(cx, more[i]);
    draft_add(draft, schedule_make(cx, &schedule_precompute, argument, (int)modes->n + 3 + n));
}

void draft_precompute(struct draft *draft, const struct cin *e, const struct var_list *modes,
                      const struct format *format)
{
    precompute(draft, e, modes, format, NULL, 0);
}

void draft_tile(struct draft *draft, const struct cin *e, const struct var_list *modes,
                const struct index_var **copy)
{
    static const char *const shared[] = {"shared", "pad 1"};
    const char *name[2] = {name_like(draft, modes->at[0], "p"),
                           name_like(draft, modes->at[1], "p")};
    precompute(draft, e, modes, plan_dense(draft->cx, 2), shared, 2);
    for (int i = 0; i < 2; i++)
        copy[i] = loop_var(draft, name[i]);
}

static const struct index_var *split_by(struct draft *draft, const struct index_var *loop,
                                        const char *way, int64_t size,
                                        const struct index_var **within)
{
    struct context *cx = draft->cx;
    if (!draft->program)
        return NULL;
    const char *outer = name_like(draft, loop, "o"), *inner = name_like(draft, loop, "i");
    const struct schedule_argument argument[] = {schedule_loop(loop), schedule_words(cx, outer),
                                                 schedule_words(cx, inner), schedule_words(cx, way),
                                                 schedule_number(size)};
    draft_add(draft, schedule_make(cx, &schedule_split, argument, 5));
    *within = loop_var(draft, inner);
    return loop_var(draft, outer);
}

const struct index_var *draft_split(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within)
{
    return split_by(draft, loop, "down", size, within);
}

const struct index_var *draft_parts(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within)
{
    struct draft by_work = draft_copy(draft);
    const struct index_var *part = split_by(&by_work, loop, "work", size, within);
    if (!part)
        return draft_split(draft, loop, size, within);
    *draft = by_work;
    return part;
}

/* Makes one loop of two by the directive.  Returns its variable, whose name begins like this. */
static const struct index_var *of_two(struct draft *draft, const struct schedule_type *directive,
                                      const struct index_var *first, const struct index_var *second,
                                      const char *name)
{
    struct context *cx = draft->cx;
    if (!draft->program)
        return NULL;
    name = cin_fresh_name(cx, draft->program, name);
    const struct schedule_argument argument[] = {schedule_loop(first), schedule_loop(second),
                                                 schedule_words(cx, name)};
    draft_add(draft, schedule_make(cx, directive, argument, 3));
    return loop_var(draft, name);
}

const struct index_var *draft_skew(struct draft *draft, const struct index_var *loop,
                                   const struct index_var *other)
{
    return of_two(draft, &schedule_skew, loop, other, "d");
}

const struct index_var *draft_collapse(struct draft *draft, const struct index_var *outer,
                                       const struct index_var *inner)
{
    return of_two(draft, &schedule_collapse, outer, inner, "f");
}

const struct index_var *draft_positions(struct draft *draft, const struct index_var *loop,
                                        const struct cin *access)
{
    struct context *cx = draft->cx;
    if (!draft->program)
        return NULL;
    const char *position = cin_fresh_name(cx, draft->program, "p");
    const struct schedule_argument argument[] = {schedule_loop(loop), schedule_words(cx, position),
                                                 schedule_expression(access)};
    draft_add(draft, schedule_make(cx, &schedule_pos, argument, 3));
    return loop_var(draft, position);
}

void draft_parallelize(struct draft *draft, const struct index_var *loop, enum cin_unit unit,
                       enum cin_races races)
{
    struct context *cx = draft->cx;
    const struct schedule_argument argument[] = {schedule_loop(loop),
                                                 schedule_words(cx, cin_unit_name(unit)),
                                                 schedule_words(cx, cin_races_name(races))};
    draft_add(draft, schedule_make(cx, &schedule_parallelize, argument, 3));
}

void draft_share(struct draft *draft, const struct index_var *loop, enum cin_races races,
                 int threads)
{
    struct context *cx = draft->cx;
    const struct schedule_argument argument[] = {
        schedule_loop(loop), schedule_words(cx, cin_unit_name(UNIT_GPU_THREAD)),
        schedule_words(cx, cin_races_name(races)), schedule_number(threads)};
    draft_add(draft, schedule_make(cx, &schedule_parallelize, argument, 4));
}

void draft_bin(struct draft *draft, const struct index_var *loop, int64_t first, int64_t second)
{
    const struct schedule_argument argument[] = {schedule_loop(loop), schedule_number(first),
                                                 schedule_number(second)};
    draft_add(draft, schedule_make(draft->cx, &schedule_bin, argument, 3));
}

void draft_convert(struct draft *draft, const struct cin *access)
{
    struct context *cx = draft->cx;
    const struct schedule_argument argument[] = {
        schedule_expression(access), schedule_words(cx, cin_fresh_name(cx, draft->program, "w"))};
    draft_add(draft, schedule_make(cx, &schedule_convert, argument, 2));
}

void draft_sequence(struct draft *draft, const struct cin_program *before)
{
    if (!draft->program)
        return;
    struct cin_list made = cin_assignments(draft->cx, draft->program->statement);
    for (size_t i = 0; i < made.n && draft->program; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        const struct schedule_argument argument = schedule_tensor(w);
        if (w->temporary && w->order > 0 && !cin_uses_tensor(before->statement, w))
            draft_add(draft, schedule_make(draft->cx, &schedule_sequence, &argument, 1));
    }
}

/* Adds the orders of the loops.  One that is refused, since other loops lead to one of them, is
 * left out, with all others. */
static void order(struct draft *draft, bool keeps)
{
    struct draft ordered = draft_copy(draft);
    struct order_list orders = {0};
    if (draft->program)
        orders = plan_orders(draft->cx, draft->program, keeps);
    for (size_t i = 0; i < orders.n; i++)
        draft_add(&ordered, plan_reorder(draft->cx, &orders.at[i]));
    if (ordered.program)
        *draft = ordered;
}

void draft_order(struct draft *draft) { order(draft, false); }

void draft_keep_order(struct draft *draft) { order(draft, true); }
