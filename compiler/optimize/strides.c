/* strides.c - loops of teams, of whose steps each thread has every eighth, say, count what they
 * visit.
 *
 *     for (p0 = 0; p0 < n / 8 + (n % 8 > 0); p0++)        for (p = lane; p < n; p += 8)
 *         p = p0 * 8 + lane                                   ...
 *         if (lane < n - p0 * 8)
 *             ...
 *
 * A loop in a launch counts by 64 bits, so that a stride never leads beyond what it counts by.
 * What it counts stands for the narrower variable that is the same number, where all that use this
 * look for an element, or count by 64 bits as well:
 *
 *     for (i64 i_step = block * 256 + thread; ...)        for (i64 i = block * 256 + thread; ...)
 *         i32 i = i_step                                      y[i] = ...
 *         y[i] = ...
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/imperative/query.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

struct strides {
    struct context *cx;
    const struct imp *launch;           /* that the statement is in, or NULL */
    VEC(const struct imp *) definition; /* declarations of what never changes, so far */
};

static bool is_op(const struct imp *e, enum op op) { return e->kind == IMP_OP && e->op == op; }

static bool is_number(const struct imp *e, int64_t n)
{
    return e->kind == IMP_LITERAL && type_is_integer(e->type)
           && value_convert(e->value, TYPE_I64).i == n;
}

/* What the variable is, if that is known; else the expression itself. */
static const struct imp *defined(const struct strides *s, const struct imp *e)
{
    for (size_t i = s->definition.n; e->kind == IMP_VAR && i-- > 0;)
        if (s->definition.at[i]->var == e->var)
            return s->definition.at[i]->arg[0];
    return e;
}

/* ---- strides ---- */

/* n / c, and one more if something is left. */
static bool is_ceiling(const struct imp *e, const struct imp *n, int64_t c)
{
    if (n->kind == IMP_LITERAL && e->kind == IMP_LITERAL)
        return value_convert(e->value, TYPE_I64).i * c >= value_convert(n->value, TYPE_I64).i;
    if (!is_op(e, OP_ADD) || !is_op(e->arg[0], OP_DIV) || e->arg[1]->kind != IMP_CAST)
        return false;
    const struct imp *quotient = e->arg[0], *more = e->arg[1]->arg[0];
    return imp_equal(quotient->arg[0], n) && is_number(quotient->arg[1], c) && is_op(more, OP_GT)
           && is_op(more->arg[0], OP_MOD) && imp_equal(more->arg[0]->arg[0], n)
           && is_number(more->arg[0]->arg[1], c) && is_number(more->arg[1], 0);
}

/* What a step visits: step * stride + lane, where the lane is one of as many as the stride. */
struct visit {
    const struct imp *declare, *lane;
    int64_t stride;
};

/* Is it the number of one of so many lanes? */
static bool is_lane(const struct strides *s, const struct imp *e, int64_t lanes)
{
    e = defined(s, e);
    if (is_op(e, OP_MOD))
        return is_number(e->arg[1], lanes);
    const struct imp *thread = is_op(e, OP_DIV) ? e->arg[0] : e;
    return thread->kind == IMP_VAR && thread->var == s->launch->arg[1]->var
           && (thread == e ? s->launch->n <= lanes
                           : e->arg[1]->kind == IMP_LITERAL && e->arg[1]->value.i > 0
                                 && s->launch->n <= lanes * e->arg[1]->value.i);
}

static bool is_of_body(const struct imp *imp, void *loop)
{
    return imp->kind == IMP_VAR && imp_declares_inside(loop, imp->var);
}

static bool is_visit(const struct strides *s, const struct imp *loop, const struct imp *at,
                     struct visit *v)
{
    const struct imp *sum = at->kind == IMP_DECLARE && at->args ? at->arg[0] : loop;
    if (!is_op(sum, OP_ADD) || !is_op(sum->arg[0], OP_MUL) || sum->arg[0]->arg[0]->kind != IMP_VAR
        || sum->arg[0]->arg[0]->var != loop->var || sum->arg[0]->arg[1]->kind != IMP_LITERAL
        || at->var->type != TYPE_I32)
        return false;
    const struct imp *lane = sum->arg[1];
    if (imp_any(lane, is_of_body, (void *)(size_t)loop))
        lane = defined(s, lane);
    *v = (struct visit){at, lane, sum->arg[0]->arg[1]->value.i};
    return is_lane(s, lane, v->stride) && !imp_any(lane, is_of_body, (void *)(size_t)loop)
           && imp_uses(at, loop->var) == 1 && !imp_assigns(loop->arg[2], at->var);
}

/* The declaration in the block, or one of lanes in front of it. */
static bool find_visit(const struct strides *s, const struct imp *loop, const struct imp *block,
                       struct visit *v)
{
    bool found = false;
    for (int i = 0; i < body_count(block) && !found; i++) {
        found = is_visit(s, loop, body_at(block, i), v);
        if (!found && body_at(block, i)->kind != IMP_DECLARE)
            return false;
    }
    return found;
}

/* lane < n - step * stride: gives n, or NULL. */
static const struct imp *guarded(const struct strides *s, const struct imp *condition,
                                 const struct imp *loop, const struct visit *v)
{
    if (!is_op(condition, OP_LT) || !is_op(condition->arg[1], OP_SUB)
        || !imp_equal(defined(s, condition->arg[0]), defined(s, v->lane)))
        return NULL;
    const struct imp *n = condition->arg[1]->arg[0], *done = condition->arg[1]->arg[1];
    bool is = is_op(done, OP_MUL) && done->arg[0]->kind == IMP_VAR && done->arg[0]->var == loop->var
              && is_number(done->arg[1], v->stride) && imp_is_fixed(loop->arg[2], n);
    return is ? n : NULL;
}

/* The block without the guard, and what is visited as the loop's number. */
static const struct imp *visiting(struct context *cx, const struct imp *block,
                                  const struct imp *guard, const struct visit *v,
                                  const struct imp *step)
{
    VEC(const struct imp *) all = {0};
    for (int i = 0; i < body_count(block); i++) {
        const struct imp *at = body_at(block, i);
        if (at == v->declare && step->var == at->var)
            continue;
        if (at == v->declare)
            at = imp_declare(cx, at->var, imp_cast(cx, at->var->type, step));
        vec_push(cx->arena, &all, at == guard ? visiting(cx, guard->arg[1], NULL, v, step) : at);
    }
    return imp_block(cx, all.at, (int)all.n);
}

/* The variable of the same name that has 64 bits. */
static const struct imp_var *widened_of(struct context *cx, const struct imp_var *narrow)
{
    struct imp_var *wide = imp_var(cx, narrow->name, TYPE_I64);
    wide->base_name = narrow->base_name;
    return wide;
}

/* The loop by its stride, or NULL.  In a loop whose end is a number, 32 bits are enough. */
static const struct imp *strided(struct strides *s, const struct imp *loop)
{
    struct context *cx = s->cx;
    const struct imp *body = loop->arg[2], *end = defined(s, loop->arg[1]),
                     *guard = body_count(body) ? body_last(body) : loop;
    struct visit v;
    bool guards = guard->kind == IMP_IF && guard->args == 2 && body_count(body) <= 2,
         first = find_visit(s, loop, body, &v);
    if (loop->n != 1 || loop->mark || !is_number(loop->arg[0], 0)
        || (!first && !(guards && body_count(body) == 1 && find_visit(s, loop, guard->arg[1], &v))))
        return NULL;
    const struct imp *n = guards ? guarded(s, guard->arg[0], loop, &v) : NULL;
    guard = n ? guard : NULL;
    bool known =
        end->kind == IMP_LITERAL && end->value.i <= INT32_MAX / v.stride - 1 && (n || first);
    if (known) {
        const struct imp *all = imp_int(cx, TYPE_I32, end->value.i * v.stride);
        n = n ? imp_op2(cx, OP_MIN, all, n) : all;
    } else if (!n || !is_ceiling(end, n, v.stride)) {
        return NULL;
    }
    const struct imp_var *step = known ? v.declare->var : widened_of(cx, v.declare->var);
    const struct imp *visits = visiting(cx, body, guard, &v, imp_read(cx, step));
    if (imp_mentions(visits, loop->var))
        return NULL;
    return imp_for(cx, step, imp_cast(cx, step->type, v.lane), imp_cast(cx, step->type, n),
                   v.stride, visits);
}

/* ---- one number, of two widths ---- */

/* Is the sum no less than what 32 bits have?  Numbers of threads are not negative, and one term may
 * be any of 32 bits. */
static bool is_bounded(const struct strides *s, const struct imp *e, bool *any)
{
    const struct imp *narrow = e->kind == IMP_CAST ? e->arg[0] : e;
    bool number = narrow->kind == IMP_VAR
                  && (narrow->var == s->launch->var || narrow->var == s->launch->arg[1]->var);
    if (number || (e->kind == IMP_LITERAL && e->value.i >= 0 && e->value.i <= INT32_MAX))
        return true;
    if (is_op(e, OP_ADD))
        return is_bounded(s, e->arg[0], any) && is_bounded(s, e->arg[1], any);
    if (is_op(narrow, OP_MUL) || is_op(narrow, OP_DIV) || is_op(narrow, OP_MOD)) {
        bool taken = true;
        return is_bounded(s, narrow->arg[0], &taken) && is_bounded(s, narrow->arg[1], &taken);
    }
    if (narrow->kind == IMP_VAR && defined(s, narrow) != narrow)
        return is_bounded(s, defined(s, narrow), any);
    bool first = !*any && narrow->type == TYPE_I32;
    *any = true;
    return first;
}

struct widening {
    struct context *cx;
    const struct imp_var *narrow, *wide;
    bool natural; /* it is not negative */
    bool failed;
};

static const struct imp *widened(struct widening *w, const struct imp *imp);

static bool is_narrow(const struct widening *w, const struct imp *e)
{
    return e->kind == IMP_VAR && e->var == w->narrow;
}

/* An element's place, which may be of any width: a sum of 32 bits is none where it overflows. */
static const struct imp *widened_place(struct widening *w, const struct imp *e)
{
    struct context *cx = w->cx;
    const struct imp *sum = e->kind == IMP_CAST ? e->arg[0] : e, *wide = imp_read(cx, w->wide);
    if (is_narrow(w, e))
        return wide;
    for (int i = 0; i < 2 && is_op(sum, OP_ADD) && sum->type == TYPE_I32; i++) {
        const struct imp *other = sum->arg[1 - i];
        if (is_narrow(w, sum->arg[i]) && (w->natural || is_number(other, 1))
            && !imp_mentions(other, w->narrow))
            return imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, i ? other : wide),
                           imp_cast(cx, TYPE_I64, i ? wide : other));
    }
    return widened(w, e);
}

static const struct imp *widened(struct widening *w, const struct imp *imp)
{
    struct context *cx = w->cx;
    bool cast = imp->kind == IMP_CAST && imp->type == TYPE_I64 && is_narrow(w, imp->arg[0]),
         place = imp->kind == IMP_LOAD || imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC;
    if (cast)
        return imp_read(cx, w->wide);
    if (imp->var == w->narrow) {
        w->failed = true;
        return imp;
    }
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = place && i == 0 ? widened_place(w, imp->arg[i]) : widened(w, imp->arg[i]);
    return imp_with_args(cx, imp, arg);
}

/* The loop without the narrower variable, or NULL. */
static const struct imp *wide_alone(struct strides *s, const struct imp *loop)
{
    struct context *cx = s->cx;
    const struct imp *body = loop->arg[2], *end = loop->arg[1];
    const struct imp *first = body->kind == IMP_BLOCK && body->args > 1 ? body->arg[0] : loop;
    bool any = false;
    if (loop->var->type != TYPE_I64 || first->kind != IMP_DECLARE || !first->args
        || first->arg[0]->kind != IMP_CAST || first->var->type != TYPE_I32
        || first->arg[0]->arg[0]->kind != IMP_VAR || first->arg[0]->arg[0]->var != loop->var
        || imp_uses(body, loop->var) != 1 || imp_assigns(body, first->var))
        return NULL;
    bool below = end->kind == IMP_CAST ? end->arg[0]->type == TYPE_I32
                                       : end->kind == IMP_LITERAL && end->value.i <= INT32_MAX;
    if (!below || !is_bounded(s, loop->arg[0], &any))
        return NULL;
    const struct imp_var *var = widened_of(cx, first->var);
    struct widening w = {cx, first->var, var, !any, false};
    const struct imp *all = widened(&w, imp_block(cx, body->arg + 1, body->args - 1));
    return w.failed ? NULL
                    : imp_marked(cx, imp_for(cx, var, loop->arg[0], end, loop->n, all), loop->mark);
}

/* ---- all ---- */

static const struct imp *changed(struct strides *s, const struct imp *body, const struct imp *imp)
{
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    const struct imp *outer = s->launch;
    if (imp->kind == IMP_DECLARE && !imp->var->array && !imp_assigns(body, imp->var))
        vec_push(s->cx->arena, &s->definition, imp);
    if (imp->kind == IMP_LAUNCH)
        s->launch = imp;
    const struct imp **arg = arena_array(s->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = changed(s, body, imp->arg[i]);
    imp = imp_with_args(s->cx, imp, arg);
    if (imp->kind == IMP_FOR && s->launch) {
        const struct imp *by = strided(s, imp), *wide = wide_alone(s, by ? by : imp);
        imp = wide ? wide : by && by->var->type == TYPE_I32 ? by : imp;
    }
    s->launch = outer;
    return imp;
}

const struct imp_function *imp_strides(struct context *cx, const struct imp_function *function,
                                       const struct pass_options *options)
{
    struct strides s = {.cx = cx};
    return imp_with_body(cx, function, changed(&s, function->body, function->body));
}
