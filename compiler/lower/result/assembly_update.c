/* assembly_update.c - results a part of which is updated in place, where their levels store the
 * components.
 *
 *     A(2,j) += b(j)      A(2,j) = A_before(2,j) + b(j) at A(2,j)
 *
 * What is not stored is the fill, and stays it: where anything else is assigned to it the kernel
 * fails.  So that it has changed nothing then, a statement with loops that may come to such
 * components is lowered twice: first only to look at them, then to store the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"

/* Does the value differ from the fill?  Every NaN is like any other. */
static const struct imp *changes(struct kernel *k, const struct result *r, const struct imp *value)
{
    const struct tensor_var *t = r->access->tensor;
    bool number = value_truth(op_fold(OP_EQ, (const struct value[]){t->fill, t->fill}));
    value = imp_cast(k->cx, t->type, value);
    return number ? imp_op2(k->cx, OP_NE, value, imp_literal(k->cx, t->fill))
                  : imp_op2(k->cx, OP_EQ, value, value);
}

/* Have the loops around found that there is no component? */
static bool is_absent(const struct result *r, const struct scope *scope)
{
    const struct cin *at = result_given(r);
    const struct access_place *place = scope_access(scope, at);
    return !tensor_var_is_scalar(at->tensor)
           && (!place || place->levels < at->tensor->format->levels);
}

static void check_fill(struct kernel *k, const struct result *r, const struct scope *scope,
                       const struct imp *value)
{
    bool absent = is_absent(r, scope);
    const struct imp *given = absent ? NULL : result_is_given(k, r, scope),
                     *wrong = changes(k, r, value);
    if (!absent && !given)
        return;
    if (given)
        wrong = imp_op2(k->cx, OP_AND, imp_op1(k->cx, OP_NOT, given), wrong);
    imp_add(&k->b, imp_if(k->cx, wrong, imp_fail(k->cx, STATUS_NOT_STORED), NULL));
}

static void put_value(struct kernel *k, const struct result *r, const struct scope *scope,
                      const struct imp *value)
{
    if (!is_absent(r, scope))
        result_store_given(k, r, scope, OP_NONE, value);
}

/* ---- the ways ---- */

static void store_checked(struct kernel *k, const struct result *r, const struct scope *scope,
                          enum op op, const struct imp *value)
{
    (void)op; /* OP_NONE: the value before is an operand */
    check_fill(k, r, scope, value);
}

static void store_unchecked(struct kernel *k, const struct result *r, const struct scope *scope,
                            enum op op, const struct imp *value)
{
    put_value(k, r, scope, value);
}

static void store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    store_checked(k, r, scope, op, value);
    store_unchecked(k, r, scope, op, value);
}

static const struct assembly_way checking = {.store = store_checked},
                                 putting = {.store = store_unchecked};

/* Lowers the statement twice; what is made ahead of the loops is made once. */
static void lower_twice(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct assembly_way *way = r->way;
    const struct cin *s = scope->place->node->statement;
    if (s->kind == CIN_FORALL && tree_assigns(r->tree, s) && tree_may_miss(r->tree)) {
        r->way = &checking;
        k->lower->kind(k, scope);
        r->way = &putting;
    }
    k->lower->kind(k, scope);
    r->way = way;
}

const struct assembly_way assembly_update = {
    .lower = lower_twice,
    .store = store,
};
