/* query.c - what passes ask of statements, and the walks with which they ask.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/imperative.h"

bool imp_any(const struct imp *imp, bool (*visit)(const struct imp *imp, void *data), void *data)
{
    if (visit(imp, data))
        return true;
    for (int i = 0; i < imp->args; i++)
        if (imp_any(imp->arg[i], visit, data))
            return true;
    return false;
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
