/* times.c - what an assignment assigns, or combines with, as often as it would for each of several
 * coordinates.
 *
 * The n-fold of a sum is a product.  That of any other associative operator comes by doubling, in
 * log n steps:
 *
 *     v, v op v, (v op v) op (v op v), ...
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

static struct imp_var *declare_count(struct kernel *k, const struct imp *value, const char *name)
{
    struct imp_var *var = kernel_var(k, value->type, "%s", name);
    imp_let(&k->b, var, value);
    return var;
}

/* Returns the value combined with itself as often as the count says, by the doubles that the
 * count's binary digits name; the first digit is one. */
static const struct imp *by_doubling(struct kernel *k, enum op op, const struct imp *value,
                                     const struct imp *count)
{
    struct context *cx = k->cx;
    const struct imp *two = imp_i64(cx, 2), *none = imp_i64(cx, 0);
    struct imp_var *all = declare_count(k, value, "all"),
                   *twice = declare_count(k, imp_read(cx, all), "twice"),
                   *more = declare_count(k, imp_op2(cx, OP_SUB, count, imp_i64(cx, 1)), "more");
    const struct imp *odd =
        imp_op2(cx, OP_EQ, imp_op2(cx, OP_MOD, imp_read(cx, more), two), imp_i64(cx, 1));
    imp_begin(&k->b);
    imp_add(&k->b, imp_if(cx, odd, imp_assign(cx, all, op, imp_read(cx, twice)), NULL));
    imp_add(&k->b, imp_assign(cx, twice, op, imp_read(cx, twice)));
    imp_add(&k->b, imp_assign(cx, more, OP_NONE, imp_op2(cx, OP_DIV, imp_read(cx, more), two)));
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_GT, imp_read(cx, more), none), imp_end(&k->b)));
    return imp_read(cx, all);
}

static const struct imp *repeated(struct kernel *k, const struct scope *scope,
                                  const struct cin *assign, const struct imp *value)
{
    enum type type = type_promote(assign->arg[0]->type, value->type);
    enum op by = op_repeated(assign->op, type);
    value = imp_cast(k->cx, type, value);
    for (const struct times_place *t = scope->times; t; t = t->outer)
        value = by == OP_NONE ? by_doubling(k, assign->op, value, t->count)
                              : imp_op2(k->cx, by, value, imp_cast(k->cx, type, t->count));
    return value;
}

const struct imp *lower_value(struct kernel *k, const struct scope *scope, const struct cin *assign)
{
    const struct imp *value = lower_expression(k, scope, assign->arg[1]);
    if (scope->times && !lattice_is_once(k->cx, assign))
        value = repeated(k, scope, assign, value);
    return op_is_user(assign->op) ? lower_once(k, value, operator_name(k->cx, assign->op)) : value;
}
