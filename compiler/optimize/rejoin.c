/* rejoin.c - coordinates that a position puts together again.
 *
 *     k = g / n;  l = g % n;  ... A[(e*m + k)*n + l]        A[e*m*n + g]
 *
 * A loop in place of two (collapse) has coordinates of which arrays know nothing: it takes its own
 * apart, and where an array stores the two modes one below the other its position is made of both.
 * Then no division is left, and it is plain to see that the array is gone through element by
 * element.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/imperative/var_map.h"
#include "compiler/optimize/simplify.h"

struct rejoining {
    struct context *cx;
    const struct imp *body;
    struct var_map value; /* of a variable that is a quotient or a remainder for good */
};

/* Returns the quotient or remainder that the expression, or the variable, is; NULL: it is none. */
static const struct imp *taken_apart(struct rejoining *r, const struct imp *e, enum op op)
{
    e = imp_bare(e);
    if (e->kind == IMP_VAR && !e->var->array)
        e = *var_map_at(r->cx, &r->value, e->var);
    return e && imp_is_op(e, op) && type_is_integer(e->computed) ? e : NULL;
}

static bool is_op(const struct imp *e, enum op op)
{
    return imp_is_op(e, op) && type_is_integer(e->computed) && e->lanes == 1;
}

/* Are they the same integer, converted or not? */
static bool is_same(const struct imp *a, const struct imp *b)
{
    a = imp_bare(a);
    b = imp_bare(b);
    return imp_equal(a, b)
           || (a->kind == IMP_LITERAL && b->kind == IMP_LITERAL && a->value.i == b->value.i);
}

/* Returns e for q*n + r, and k*n + e for (k + q)*n + r, where q and r are quotient and remainder of
 * e by n; else the expression. */
static const struct imp *rejoined(struct rejoining *r, const struct imp *e)
{
    struct context *cx = r->cx;
    const struct imp *rest = is_op(e, OP_ADD) ? taken_apart(r, e->arg[1], OP_MOD) : NULL;
    if (!rest || !is_op(e->arg[0], OP_MUL) || !is_same(e->arg[0]->arg[1], rest->arg[1]))
        return e;
    const struct imp *before = e->arg[0]->arg[0], *by = e->arg[0]->arg[1],
                     *more = is_op(before, OP_ADD) ? before->arg[0] : NULL,
                     *whole = taken_apart(r, more ? before->arg[1] : before, OP_DIV);
    if (!whole || !imp_equal(whole->arg[0], rest->arg[0])
        || !imp_equal(whole->arg[1], rest->arg[1]))
        return e;
    const struct imp *all = imp_cast(cx, e->type, whole->arg[0]);
    return more ? imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, more, by), all) : all;
}

/* Is it a quotient, or a remainder, of a variable that does not change? */
static bool is_part(const struct rejoining *r, const struct imp *e)
{
    const struct imp *whole = e->args ? imp_bare(e->arg[0]) : e;
    return (is_op(e, OP_DIV) || is_op(e, OP_MOD)) && whole->kind == IMP_VAR
           && !imp_assigns(r->body, whole->var) && imp_is_fixed(r->body, e->arg[1]);
}

static const struct imp *rewrite(void *data, const struct imp *imp)
{
    struct rejoining *r = data;
    if (imp->kind == IMP_LAUNCH) /* its threads' numbers are taken apart, not loops */
        return imp;
    imp = imp_map(r->cx, imp, rewrite, r);
    if (imp_defines(imp) && !imp->var->array && is_part(r, imp->arg[0])
        && !imp_assigns(r->body, imp->var))
        *var_map_at(r->cx, &r->value, imp->var) = (void *)(size_t)imp->arg[0];
    return rejoined(r, imp);
}

const struct imp_function *imp_rejoin(struct context *cx, const struct imp_function *function,
                                      const struct pass_options *options)
{
    struct rejoining r = {.cx = cx, .body = function->body};
    const struct imp *body = rewrite(&r, function->body);
    return imp_with_body(cx, function, body);
}
