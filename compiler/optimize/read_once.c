/* read_once.c - what is read to be used once is read where it is used, as people write it.
 *
 *     j = A2_crd[p];                      y += A_vals[p] * x_vals[A2_crd[p]];
 *     y += A_vals[p] * x_vals[j];
 *
 * That is so for an element of an array that nobody writes, at a position that stays as it is until
 * then, in a statement of the same block.  In the launches of a GPU it is so for whatever is
 * computed in few steps, too.  (Plain code has names for these; of a thread's numbers there would
 * be many.)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
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
static bool is_guard(const struct imp *imp) { return imp->kind == IMP_FAIL || imp_failure(imp); }

/* Returns the one statement of arg[0, n) that uses what is declared before them, as far as it can
 * be read there; n: there is none. */
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

/* ---- in launches ---- */

enum { CHEAP_NODES = 9 };

static bool is_dear(const struct imp *imp, void *data)
{
    return imp->kind == IMP_CALL || (imp->kind == IMP_LOAD && !imp->var->constant)
           || (imp->kind == IMP_OP && op_is_user(imp->op));
}

static bool is_cheap(const struct imp *imp)
{
    return imp->kind == IMP_DECLARE && imp->args && imp->arg[0]->size <= CHEAP_NODES
           && imp_is_pure(imp->arg[0]) && !imp_any(imp->arg[0], is_dear, NULL);
}

/* Is its one use of the variable evaluated once at most? */
static bool uses_once(const struct imp *imp, const struct imp_var *var)
{
    if (imp->kind == IMP_FOR) /* where it begins */
        return imp_uses(imp->arg[0], var);
    for (int i = 0; i < imp->args && (imp->kind == IMP_IF || imp->kind == IMP_BLOCK); i++)
        if (imp_uses(imp->arg[i], var))
            return imp_is_expression(imp->arg[i]) || uses_once(imp->arg[i], var);
    return is_simple(imp) && imp->var != var;
}

/* Returns the same as find_use, of a declaration in a launch. */
static int find_use_in_launch(const struct imp *declaration, const struct imp *const *arg, int n)
{
    const struct imp_var *var = declaration->var;
    int uses = 0;
    for (int i = 0; i < n; i++)
        uses += imp_uses(arg[i], var);
    for (int i = 0; i < n && uses == 1; i++) {
        bool here = imp_uses(arg[i], var), simple = is_simple(arg[i]);
        if (here && uses_once(arg[i], var) && (simple || imp_is_fixed(arg[i], declaration->arg[0])))
            return i;
        if (here || !imp_is_fixed(arg[i], declaration->arg[0]))
            return n;
    }
    return n;
}

/* Is it the number of a lane, which is as short as a name? */
static bool is_lane(const struct imp *declaration, const struct imp *launch,
                    const struct imp *const *arg, int n)
{
    const struct imp *e =
        declaration->kind == IMP_DECLARE && declaration->args ? declaration->arg[0] : launch;
    bool is = e->kind == IMP_OP && (e->op == OP_MOD || e->op == OP_DIV)
              && e->arg[0]->kind == IMP_VAR && e->arg[0]->var == launch->arg[1]->var
              && e->arg[1]->kind == IMP_LITERAL;
    for (int i = 0; i < n && is; i++)
        is = !imp_assigns(arg[i], declaration->var);
    return is;
}

/* ---- all ---- */

static int find_place(const struct imp *declaration, const struct imp *const *arg, int n,
                      const struct imp *launch)
{
    if (launch)
        return is_cheap(declaration) ? find_use_in_launch(declaration, arg, n) : n;
    return is_read(declaration) ? find_use(declaration, arg, n) : n;
}

/* Reads once what a scope reads several times.  plain: outside of launches, too. */
static const struct imp *once(struct context *cx, const struct imp *imp, bool plain,
                              const struct imp *launch)
{
    launch = imp->kind == IMP_LAUNCH ? imp : launch;
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    int n = imp->args;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, n);
    for (int i = 0; i < n; i++)
        arg[i] = once(cx, imp->arg[i], plain, launch);
    if (imp->kind != IMP_BLOCK || !(plain || launch))
        return imp_with_args(cx, imp, arg);
    for (int i = 0; i < n; i++) {
        int use = i + 1 + find_place(arg[i], arg + i + 1, n - i - 1, launch);
        bool everywhere = launch && is_lane(arg[i], launch, arg + i + 1, n - i - 1);
        if (use == n && !everywhere)
            continue;
        for (int k = everywhere ? i + 1 : use; k < (everywhere ? n : use + 1); k++)
            arg[k] = imp_replaced(cx, arg[k], imp_read(cx, arg[i]->var), arg[i]->arg[0]);
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
    return imp_with_body(cx, function, once(cx, function->body, options->plain, NULL));
}
