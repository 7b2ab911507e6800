/* factors.c - products in a loop, of which some factors stay the same while it runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

bool factors_keeps(const struct imp *loop, const struct imp *e, const struct imp_var *var)
{
    if (e->kind == IMP_VAR && e->var != var && imp_changes(loop, e->var))
        return false;
    for (int i = 0; i < e->args; i++)
        if (!factors_keeps(loop, e->arg[i], var))
            return false;
    return e->kind != IMP_CALL;
}

const struct imp *factors_times(struct context *cx, const struct imp *a, const struct imp *b)
{
    return a && b ? imp_op2(cx, OP_MUL, a, b) : a ? a : b;
}

static void split(struct context *cx, struct factors *f, const struct imp *loop,
                  const struct imp_var *var, const struct imp_var *sum, const struct imp *product)
{
    if (product->kind == IMP_OP && product->op == OP_MUL) {
        split(cx, f, loop, var, sum, product->arg[0]);
        split(cx, f, loop, var, sum, product->arg[1]);
        return;
    }
    bool kept = factors_keeps(loop, product, var) && !imp_mentions(product, sum);
    const struct imp **to = kept ? &f->kept : &f->rest;
    *to = factors_times(cx, *to, product);
}

struct factors factors_of(struct context *cx, const struct imp *loop, const struct imp_var *var,
                          const struct imp_var *sum, const struct imp *value)
{
    struct factors f = {NULL, NULL};
    if (type_is_float(sum->type) && value->type == sum->type)
        split(cx, &f, loop, var, sum, value);
    return f;
}
