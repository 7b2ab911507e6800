/* query.c - the queries of passes about statements, and the walks that answer them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"

bool imp_any(const struct imp *imp, bool (*visit)(const struct imp *imp, void *data), void *data)
{
    if (visit(imp, data))
        return true;
    for (int i = 0; i < imp->args; i++)
        if (imp_any(imp->arg[i], visit, data))
            return true;
    return false;
}

bool imp_has(const struct imp *imp, uint64_t kinds)
{
    bool has = imp_is(imp, kinds);
    for (int i = 0; i < imp->args && !has; i++)
        has = imp_has(imp->arg[i], kinds);
    return has;
}

int imp_uses(const struct imp *imp, const struct imp_var *var)
{
    int n = imp->var == var;
    for (int i = 0; i < imp->args; i++)
        n += imp_uses(imp->arg[i], var);
    return n;
}

const struct imp *imp_rewrite(struct context *cx, const struct imp *imp,
                              const struct imp *(*rewrite)(struct context *cx,
                                                           const struct imp *imp, void *data),
                              void *data)
{
    if (imp_is_expression(imp))
        return imp;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_rewrite(cx, imp->arg[i], rewrite, data);
    return rewrite(cx, imp_with_args(cx, imp, arg), data);
}

const struct imp *imp_map(struct context *cx, const struct imp *imp,
                          const struct imp *(*of)(void *data, const struct imp *arg), void *data)
{
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = of(data, imp->arg[i]);
    return imp_with_args(cx, imp, arg);
}

const struct imp *imp_around(struct context *cx, const struct imp *imp, const struct imp *body)
{
    const struct imp **arg = arena_copy(cx->arena, imp->arg, sizeof *arg * (size_t)imp->args);
    arg[imp->args - 1] = body;
    return imp_with_args(cx, imp, arg);
}

const struct imp *imp_between(struct context *cx, const struct imp *loop, const struct imp *begin,
                              const struct imp *end)
{
    return imp_with_args(cx, loop, (const struct imp *const[]){begin, end, loop->arg[2]});
}

const struct imp *imp_replaced(struct context *cx, const struct imp *imp, const struct imp *from,
                               const struct imp *to)
{
    if (imp_equal(imp, from))
        return to;
    if (imp->args == 0)
        return imp;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_replaced(cx, imp->arg[i], from, to);
    return imp_with_args(cx, imp, arg);
}

/* ---- uses of a variable ---- */

static bool declares(const struct imp *imp, void *var)
{
    return imp_declared(imp, 0) == var || imp_declared(imp, 1) == var;
}

bool imp_declares_inside(const struct imp *imp, const struct imp_var *var)
{
    return imp_any(imp, declares, (void *)(size_t)var);
}

static bool assigns(const struct imp *imp, void *var)
{
    return imp->var == var && imp->kind == IMP_ASSIGN;
}

bool imp_assigns(const struct imp *imp, const struct imp_var *var)
{
    return imp_any(imp, assigns, (void *)(size_t)var);
}

bool imp_changes(const struct imp *imp, const struct imp_var *var)
{
    return imp_declares_inside(imp, var) || imp_assigns(imp, var);
}

/* ---- values ---- */

static bool has_effects(const struct imp *imp, void *data)
{
    if (imp_is_event(imp))
        return true;
    if (imp->kind == IMP_CALL && (imp->function->effects || imp->function->meets))
        return true;
    for (int i = 0; imp->kind == IMP_CALL && i < imp->args; i++)
        if (imp->function->param[i].var->array && !imp->function->param[i].var->constant)
            return true;
    return false;
}

bool imp_is_pure(const struct imp *imp) { return !imp_any(imp, has_effects, NULL); }

static bool may_change(const struct imp *imp, void *statement)
{
    return imp_is_event(imp) || imp->kind == IMP_CALL
           || (imp->kind == IMP_LOAD && !imp->var->constant)
           || (imp->kind == IMP_VAR && imp_changes(statement, imp->var));
}

/* Do only loads name the array? */
static bool only_loads(const struct imp *imp, const struct imp_var *array)
{
    bool only = imp->var != array || imp->kind == IMP_LOAD;
    for (int i = 0; i < imp->args && only; i++)
        only = only_loads(imp->arg[i], array);
    return only;
}

static bool may_change_here(const struct imp *imp, void *statement)
{
    return imp->kind == IMP_LOAD ? !only_loads(statement, imp->var) : may_change(imp, statement);
}

bool imp_is_kept(const struct imp *statement, const struct imp *e)
{
    return !imp_any(e, may_change_here, (void *)(size_t)statement);
}

bool imp_is_fixed(const struct imp *statement, const struct imp *e)
{
    return !imp_any(e, may_change, (void *)(size_t)statement);
}

int64_t imp_most(const struct imp *e)
{
    if (e->kind == IMP_CAST)
        return imp_most(e->arg[0]);
    if (e->kind == IMP_LITERAL)
        return value_convert(e->value, TYPE_I64).i;
    if (e->kind != IMP_OP || e->op != OP_MIN)
        return INT64_MAX;
    int64_t a = imp_most(e->arg[0]), b = imp_most(e->arg[1]);
    return a < b ? a : b;
}

const struct imp *imp_local(const struct imp *body, const struct imp_var *var)
{
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind == IMP_DECLARE && at->var == var)
            return at->arg[0];
    }
    return NULL;
}

bool imp_varies(const struct imp *body, const struct imp_var *var, const struct imp *e)
{
    if (e->kind == IMP_VAR) {
        const struct imp *value = imp_local(body, e->var);
        return e->var == var || (value && imp_varies(body, var, value));
    }
    for (int i = 0; i < e->args; i++)
        if (imp_varies(body, var, e->arg[i]))
            return true;
    return false;
}

int imp_stride(const struct imp *body, const struct imp_var *var, const struct imp *e)
{
    if (!imp_varies(body, var, e))
        return 0;
    if (e->kind == IMP_VAR)
        return e->var == var ? 1 : imp_stride(body, var, imp_local(body, e->var));
    bool widens = e->kind == IMP_CAST && type_is_integer(e->type)
                  && type_promote(e->arg[0]->type, e->type) == e->type;
    if (widens)
        return imp_stride(body, var, e->arg[0]);
    if (e->kind != IMP_OP || (e->op != OP_ADD && e->op != OP_SUB))
        return -1;
    int a = imp_stride(body, var, e->arg[0]), b = imp_stride(body, var, e->arg[1]);
    if (a < 0 || b < 0 || (a == 1 && b == 1))
        return -1;
    return e->op == OP_ADD ? a + b : b == 0 ? a : -1;
}

const struct imp *imp_failure(const struct imp *imp)
{
    const struct imp *then = imp->kind == IMP_IF && imp->args == 2 ? imp->arg[1] : imp;
    while (then->kind == IMP_BLOCK && then->args == 1)
        then = then->arg[0];
    return then != imp && then->kind == IMP_FAIL ? then : NULL;
}
