/* read_once.c - what is read to be used once is read where it is used, as people write it.
 *
 *     j = A2_crd[p];                      y += A_vals[p] * x_vals[A2_crd[p]];
 *     y += A_vals[p] * x_vals[j];
 *
 * That is so for an element of an array that nobody writes, at a position that stays as it is until
 * then, in a statement of the same block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/imperative.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

/* Is it a declaration of what may be read later? */
static bool is_read(const struct imp *imp)
{
    if (imp->kind != IMP_DECLARE || !imp->args || imp->arg[0]->kind != IMP_LOAD)
        return false;
    const struct imp *load = imp->arg[0];
    return load->var->constant && load->lanes == 1 && load->arg[0]->kind == IMP_VAR;
}

/* Are its expressions all that it has, each evaluated once? */
static bool is_simple(const struct imp *imp)
{
    return imp->kind == IMP_STORE || imp->kind == IMP_ASSIGN || imp->kind == IMP_DECLARE;
}

/* Does it do nothing, or leave the function? */
static bool is_guard(const struct imp *imp)
{
    const struct imp *then = imp->kind == IMP_IF && imp->args == 2 ? imp->arg[1] : imp;
    while (then->kind == IMP_BLOCK && then->args == 1)
        then = then->arg[0];
    return then->kind == IMP_FAIL;
}

/* The one statement of arg[0, n) that uses what is declared before them, as far as it can be read
 * there; n: there is none. */
static int find_use(const struct imp *declaration, const struct imp *const *arg, int n)
{
    const struct imp_var *var = declaration->var, *at = declaration->arg[0]->arg[0]->var;
    int uses = 0, use = n;
    for (int i = 0; i < n; i++)
        uses += imp_uses(arg[i], var);
    for (int i = 0; i < n && use == n && uses == 1; i++) {
        bool here = imp_uses(arg[i], var) == 1;
        if (is_guard(arg[i]) && !here)
            continue;
        if (!is_simple(arg[i]) || (here && arg[i]->var == var))
            return n;
        if (here)
            use = i;
        else if (arg[i]->var == at)
            return n;
    }
    return use;
}

static const struct imp *once(struct context *cx, const struct imp *imp)
{
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    int n = imp->args;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, n);
    for (int i = 0; i < n; i++)
        arg[i] = once(cx, imp->arg[i]);
    if (imp->kind != IMP_BLOCK)
        return imp_with_args(cx, imp, arg);
    for (int i = 0; i < n; i++) {
        int use = is_read(arg[i]) ? i + 1 + find_use(arg[i], arg + i + 1, n - i - 1) : n;
        if (use == n)
            continue;
        arg[use] = imp_replaced(cx, arg[use], imp_read(cx, arg[i]->var), arg[i]->arg[0]);
        n--;
        for (int k = i; k < n; k++)
            arg[k] = arg[k + 1];
        i--;
    }
    return n == imp->args ? imp_with_args(cx, imp, arg) : imp_block(cx, arg, n);
}

const struct imp_function *imp_read_once(struct context *cx, const struct imp_function *function,
                                         const struct pass_options *options)
{
    return imp_with_body(cx, function, once(cx, function->body));
}
