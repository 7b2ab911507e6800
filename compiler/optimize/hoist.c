/* hoist.c - what a loop repeats is computed before it.
 *
 * A product of sizes and outer coordinates, the place where a row begins, is the same in every
 * iteration of the loops inside: it gets a variable in front of the outermost loop in which it does
 * not change.  Only integer arithmetic moves, which cannot fail and reads no array, so it may also
 * be computed where the loop turns out not to run.
 *
 *     for (r ...) Y[i * n + r] += a * X[j * n + r]     =>     X_base = j * n; for (r ...) ...
 *     X[X_base + r]
 *
 * Statements just before the loop that compute the same use the variable too.
 *
 * So is a constant that every iteration assigns, or takes the maximum with, once it is known that
 * there is one:
 *
 *     for (p = begin ...) { stored = true; ... }       =>     if (begin < end) stored = true; for
 *     (p = begin ...) ...
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/builder.h"
#include "compiler/imperative/var_map.h"

struct hoist {
    struct context *cx;
    struct imp_builder names; /* has those of the function's variables */
    /* in the loop at hand: what is declared or assigned */
    struct var_map changes;
    VEC(const struct imp *) declarations; /* to go in front of it */
};

/* ---- what may move ---- */

static bool note_change(const struct imp *imp, void *data)
{
    struct hoist *h = data;
    if (imp->kind == IMP_ASSIGN)
        *var_map_at(h->cx, &h->changes, imp->var) = h;
    for (int i = 0; imp_declared(imp, i); i++)
        *var_map_at(h->cx, &h->changes, imp_declared(imp, i)) = h;
    return false;
}

static bool is_changed(struct hoist *h, const struct imp_var *var)
{
    return *var_map_at(h->cx, &h->changes, var);
}

/* Is it integer arithmetic on values that the loop does not change? */
static bool is_invariant(struct hoist *h, const struct imp *imp)
{
    if (!type_is_integer(imp->type) || imp->lanes > 1)
        return false;
    if (imp->kind == IMP_VAR)
        return !is_changed(h, imp->var);
    bool arithmetic =
        imp->kind == IMP_CAST
        || (imp->kind == IMP_OP && (imp->op == OP_ADD || imp->op == OP_SUB || imp->op == OP_MUL));
    for (int i = 0; i < imp->args && arithmetic; i++)
        arithmetic = is_invariant(h, imp->arg[i]);
    return arithmetic || imp->kind == IMP_LITERAL;
}

static bool is_product(const struct imp *imp, void *data) { return imp_is_op(imp, OP_MUL); }

/* ---- names ---- */

/* Returns a variable: X_base for a position in X_vals, with a number if that is taken. */
static const struct imp_var *base(struct hoist *h, const struct imp_var *array, enum type type)
{
    const char *underscore = array ? strrchr(array->name, '_') : NULL;
    int n = underscore ? (int)(underscore - array->name) : 0;
    const char *name = n ? arena_printf(h->cx->arena, "%.*s_base", n, array->name) : "base";
    return imp_new_var(&h->names, type, name);
}

/* ---- rewriting ---- */

/* Returns the variable that holds the expression, which is declared in front of the loop if it is
 * new. */
static const struct imp *hoisted(struct hoist *h, const struct imp *imp,
                                 const struct imp_var *array)
{
    for (size_t i = 0; i < h->declarations.n; i++)
        if (imp_equal(h->declarations.at[i]->arg[0], imp))
            return imp_read(h->cx, h->declarations.at[i]->var);
    const struct imp_var *var = base(h, array, imp->type);
    vec_push(h->cx->arena, &h->declarations, imp_declare(h->cx, var, imp));
    return imp_read(h->cx, var);
}

/* Returns the expression or statement with its largest invariant products replaced.  `array` is the
 * one whose position the expression is in. */
static const struct imp *replace(struct hoist *h, const struct imp *imp,
                                 const struct imp_var *array)
{
    if (imp_is_expression(imp) && imp->kind != IMP_CAST && is_invariant(h, imp)
        && imp_any(imp, is_product, NULL))
        return hoisted(h, imp, array);
    if (!imp->args)
        return imp;
    const struct imp **arg = arena_array(h->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++) {
        bool position = imp->kind == IMP_LOAD || imp->kind == IMP_STORE || imp->kind == IMP_FILL
                        || imp->kind == IMP_COPY;
        arg[i] = replace(h, imp->arg[i], position ? imp->var : array);
    }
    return imp_with_args(h->cx, imp, arg);
}

static void hoist_statement(struct hoist *h, const struct imp *imp, struct statements *out);

/* Returns the statement with its parts hoisted, as one statement. */
static const struct imp *single(void *h, const struct imp *imp)
{
    struct statements out = {0};
    if (imp_is_expression(imp))
        return imp;
    hoist_statement(h, imp, &out);
    return out.n == 1 ? out.at[0] : imp_block(((struct hoist *)h)->cx, out.at, (int)out.n);
}

static const struct imp *block(struct hoist *h, const struct imp *imp)
{
    struct statements out = {0};
    for (int i = 0; i < imp->args; i++)
        hoist_statement(h, imp->arg[i], &out);
    return (int)out.n == imp->args ? imp_with_args(h->cx, imp, out.at)
                                   : imp_block(h->cx, out.at, (int)out.n);
}

static const struct imp *inside(struct hoist *h, const struct imp *imp)
{
    return imp->kind == IMP_BLOCK ? block(h, imp) : imp_map(h->cx, imp, single, h);
}

/* Adds a declaration at the end, or in front of the statements there that can use it. */
static void put_declaration(struct hoist *h, const struct imp *declaration, struct statements *out)
{
    const struct imp *value = declaration->arg[0], *read = imp_read(h->cx, declaration->var);
    size_t at = out->n, scan = out->n;
    for (; scan > 0 && imp_is_fixed(out->at[scan - 1], value); scan--)
        if (imp_replaced(h->cx, out->at[scan - 1], value, read) != out->at[scan - 1])
            at = scan - 1;
    vec_push(h->cx->arena, out, declaration);
    for (size_t i = out->n - 1; i > at; i--)
        out->at[i] = imp_replaced(h->cx, out->at[i - 1], value, read);
    out->at[at] = declaration;
}

/* Does the loop do nothing with the variable but assign this constant, so that once is enough? */
static bool is_only_use(const struct imp *loop, const struct imp *assign)
{
    bool once = assign->kind == IMP_ASSIGN && (assign->op == OP_NONE || op_idempotent(assign->op));
    return once && assign->arg[0]->kind == IMP_LITERAL && imp_uses(loop, assign->var) == 1;
}

/* Returns a for loop without the constants that it assigns in each iteration.  They are assigned in
 * front, if the loop runs at all. */
static const struct imp *without_constants(struct hoist *h, const struct imp *imp,
                                           struct statements *out)
{
    struct context *cx = h->cx;
    const struct imp *body = imp->arg[imp->args - 1]; /* a while has two */
    if (imp->kind != IMP_FOR || imp_has(body, IMP_BIT(BREAK)) || !imp_is_pure(imp->arg[0])
        || !imp_is_pure(imp->arg[1]))
        return imp;
    struct statements kept = {0};
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (!is_only_use(imp, at))
            vec_push(cx->arena, &kept, at);
        else
            vec_push(cx->arena, out,
                     imp_if(cx, imp_op2(cx, OP_LT, imp->arg[0], imp->arg[1]), at, NULL));
    }
    if ((int)kept.n == body_count(body))
        return imp;
    return imp_around(cx, imp, imp_block(cx, kept.at, (int)kept.n));
}

/* Adds a loop behind the computations that it would repeat. */
static void loop(struct hoist *h, const struct imp *imp, struct statements *out)
{
    h->changes = (struct var_map){0};
    h->declarations.n = 0;
    imp_any(imp, note_change, h);
    imp = imp_around(h->cx, imp, replace(h, imp->arg[imp->args - 1], NULL));
    size_t n = h->declarations.n;
    const struct imp **declared =
        arena_copy(h->cx->arena, h->declarations.at, sizeof *declared * n);
    for (size_t i = 0; i < n; i++)
        put_declaration(h, declared[i], out);
    const struct imp *kept = inside(h, imp);
    vec_push(h->cx->arena, out, kept);
}

static void hoist_statement(struct hoist *h, const struct imp *imp, struct statements *out)
{
    if (imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_PARALLEL)
        loop(h, without_constants(h, imp, out), out);
    else
        vec_push(h->cx->arena, out, inside(h, imp));
}

static bool note_name(const struct imp *imp, void *data)
{
    struct hoist *h = data;
    for (int i = 0; imp_declared(imp, i); i++)
        imp_unused_name(&h->names, imp_declared(imp, i)->name);
    return false;
}

const struct imp_function *imp_hoist(struct context *cx, const struct imp_function *function,
                                     const struct pass_options *options)
{
    struct imp_unit unit = {0};
    struct hoist h = {.cx = cx, .names = {.cx = cx, .unit = &unit}};
    for (int i = 0; i < function->params; i++)
        imp_unused_name(&h.names, function->param[i].var->name);
    imp_any(function->body, note_name, &h);
    return imp_with_body(cx, function, single(&h, function->body));
}
