/* collect.c - collect(y, w): a list collects the result's components in any order, and the result
 * is copied from it (thesis 6.2, with the result itself as the expression).
 *
 *     before    forall(i) forall(j) C(j,i) = A(i,j)
 *     after     forall(jc) forall(ic) C(jc,ic) = w(jc,ic) where forall(i) forall(j) w(j,i) = A(i,j)
 *                                                                                 collect(C, w)
 *
 * The whole statement becomes the producer of a where, unchanged but for its target.  The
 * consumer's loops are over the result's levels, from the root down.  So the result is assembled
 * in its own order, whatever the statement's is.  The list has the levels of the result.  If the
 * result stores blocks, the list has the coordinates of blocks and those within them.
 *
 * Preconditions: all assignments to the result are plain, or all reduce by one operator, and the
 * result's fill is that operator's identity.  The result does not keep its old values.  And the
 * list has every component that a dense result would have from temporaries to which nothing was
 * added.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"
#include "schedules/schedules.h"

#include <string.h>

#include "compiler/format/map.h"
#include "compiler/tree/tree.h"

struct collect {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *result; /* its access */
    enum op op;               /* of the assignments to it */
};

static bool check_arguments(const struct collect *c)
{
    const struct schedule_call *call = c->call;
    if (call->arguments != 2)
        return loops_refuse(c->cx, c->program, call, -1,
                            "it takes the result and the name of a workspace");
    bool is_result = false;
    for (int r = 0; r <= c->program->others; r++)
        is_result |= !strcmp(call->argument[0].text, cin_result(c->program, r)->name);
    if (!is_result)
        return loops_refuse(c->cx, c->program, call, 0, "%s is not the result",
                            call->argument[0].text);
    if (c->program->others)
        return loops_refuse(
            c->cx, c->program, call, 0,
            "%s shares loops with other results, and a result that is copied cannot",
            call->argument[0].text);
    return loops_check_workspace(c->cx, c->program, call, 1);
}

static bool check_assignments(struct collect *c)
{
    struct cin_list made = cin_assignments(c->cx, c->program->statement);
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor != c->program->result)
            continue;
        if (c->result && (c->op != made.at[i]->op || c->result != made.at[i]->arg[0]))
            return loops_refuse(c->cx, c->program, c->call, 0,
                                "the result has several different assignments");
        c->result = made.at[i]->arg[0];
        c->op = made.at[i]->op;
    }
    if (!c->result || c->result->indices == 0)
        return loops_refuse(c->cx, c->program, c->call, 0, "the result is a scalar");
    if (c->program->accumulates
        || (c->op != OP_NONE
            && !operator_is_identity(c->cx, c->op, SIDE_LEFT, c->program->result->fill)))
        return loops_refuse(c->cx, c->program, c->call, 0,
                            "the result does not start from its fill");
    return true;
}

/* Does the list miss a component of the result if temporaries that the assignment reads hold their
 * fills? */
static bool loses(const struct collect *c, const struct cin *assign, const struct cin *made,
                  const struct cin_list *absent)
{
    const struct cin_list none = {0};
    const struct cin *listed = cin_replace(c->cx, assign, c->result, made),
                     *before = cin_unwritten(c->cx, assign, assign, absent, &none),
                     *after = cin_unwritten(c->cx, listed, listed, absent, &none);
    return !cin_alike(cin_replace(c->cx, before, c->result, made), after);
}

/* Does the result have components computed from temporaries to which nothing was added, such as 0 /
 * 0? A list has a component only where something was put into it. */
static bool check_meaning(const struct collect *c, const struct cin *made)
{
    struct cin_list assignments = cin_assignments(c->cx, c->program->statement);
    bool same = true;
    for (size_t i = 0; i < assignments.n && same; i++) {
        const struct cin *assign = assignments.at[i];
        struct cin_list read = cin_operands(c->cx, assign), absent = {0};
        if (assign->arg[0] != c->result)
            continue;
        same = !loses(c, assign, made, &absent);
        for (size_t k = 0; k < read.n && same; k++) {
            struct cin_list one = {0};
            vec_push(c->cx->arena, &one, read.at[k]);
            same = !read.at[k]->tensor->temporary || !loses(c, assign, made, &one);
        }
    }
    return same
           || loops_refuse(c->cx, c->program, c->call, 0,
                           "a component may be computed of sums of nothing, and a list of what is "
                           "there has none of those");
}

/* Returns the last level whose coordinate does not follow from those above. */
static int last_free(const struct format *format)
{
    int last = format->levels - 1;
    while (last > 0 && level_has(&format->level[last], LEVEL_BRANCHLESS)
           && !level_type_has_arrays(format->level[last].type))
        last--;
    return last;
}

/* Makes a list with the result's levels, coordinates and order, and with positions of its width. */
static const struct format *list_format(struct collect *c)
{
    const struct format *format = c->result->tensor->format;
    struct format_defaults defaults =
        loops_widen((struct format_defaults){TYPE_I32, TYPE_I32}, format);
    const struct format *plain = format_list(c->cx, format->levels, defaults);
    struct level_format *level =
        arena_copy(c->cx->arena, plain->level, sizeof *level * (size_t)format->levels);
    for (int k = 0; k < format->levels; k++) {
        level[k].map = format->level[k].map;
        level[k].mode = format->level[k].mode;
        if (level_type_has_crd(format->level[k].type))
            level[k].crd = format->level[k].crd;
        if (k < format_morton(format))
            level[k].properties |= LEVEL_MORTON;
        if (k >= last_free(format))
            level[k].properties |= LEVEL_UNIQUE;
    }
    struct format *list = arena_copy(c->cx->arena, plain, sizeof *plain);
    list->order = format->order;
    list->level = level;
    return list;
}

static const struct cin_program *apply_collect(struct context *cx,
                                               const struct cin_program *program,
                                               const struct schedule_call *call)
{
    struct collect c = {.cx = cx, .program = program, .call = call};
    if (!check_arguments(&c) || !check_assignments(&c))
        return NULL;
    const struct tensor_var *t = c.result->tensor;
    const struct index_var *copied[ORDER_MAX];
    for (int mode = 0; mode < t->order; mode++) {
        const struct index_var *var = c.result->index[mode];
        const char *name = cin_fresh_name(cx, program, arena_printf(cx->arena, "%sc", var->name));
        copied[mode] = loops_like_var(cx, name, var);
    }
    const struct tensor_var *w = cin_workspace(cx, call->argument[1].text, t->type, t->fill,
                                               list_format(&c), c.result->index, t->order);
    const struct cin *made = cin_access(cx, w, c.result->index, t->order),
                     *to = cin_access(cx, t, copied, t->order);
    if (!check_meaning(&c, made))
        return NULL;
    const struct cin *copy = cin_assign(cx, OP_NONE, to, cin_access(cx, w, copied, t->order));
    struct cin_program *collected = arena_copy(cx->arena, program, sizeof *program);
    copy = cin_follow(cx, collected, to, copy);
    collected->statement =
        copy ? cin_where(cx, copy, cin_replace(cx, program->statement, c.result, made)) : NULL;
    return copy ? collected : NULL;
}

const struct schedule_type schedule_collect = {
    .name = "collect",
    .usage = "collect(y, w)",
    .brief = "compute the result into a list, and copy the list to it",
    .apply = apply_collect,
};

/* Do both accesses' levels, equally many, store the same coordinates or the same functions of them?
 */
static bool stores_alike(const struct cin *a, const struct cin *b)
{
    for (int k = 0; k < a->tensor->format->levels; k++) {
        const struct level_format *p = &a->tensor->format->level[k],
                                  *q = &b->tensor->format->level[k];
        if (p->mode >= 0 && q->mode >= 0 ? a->index[p->mode] != b->index[q->mode]
                                         : !map_equal(p->map, q->map))
            return false;
    }
    return true;
}

/* Is the statement already a copy of a list? */
static bool is_collected(const struct cin_program *program)
{
    const struct cin *s = cin_copy(program->statement);
    if (!s || s->op != OP_NONE || s->arg[1]->kind != CIN_ACCESS || !s->arg[1]->tensor->temporary)
        return false;
    const struct tensor_var *list = s->arg[1]->tensor, *t = s->arg[0]->tensor;
    return list->format->levels == t->format->levels && value_equal(list->fill, t->fill)
           && workspace_is_list(list->format) && stores_alike(s->arg[1], s->arg[0]);
}

const struct schedule_call *schedule_collecting(struct context *cx,
                                                const struct cin_program *program)
{
    if (program->result->order == 0 || is_collected(program))
        return NULL;
    const struct schedule_argument argument[] = {
        schedule_tensor(program->result), schedule_words(cx, cin_fresh_name(cx, program, "w"))};
    return schedule_make(cx, &schedule_collect, argument, 2);
}
