/* keep.c - assignments that depend on a value: t = keep(e, c) assigns e if c holds, and otherwise
 * has no effect.
 *
 *     before    Z(i,j) = keep(A(i,j), A(i,j) > 1)
 *     after     (Z(i,j) = t where t = keep(A(i,j), A(i,j) > 1))
 *
 * The scalar temporary has the result's type and fill.  So a component that is not kept is one
 * whose temporary was not written, as for an empty sum.  Code that assembles, copies or divides a
 * result needs to know nothing else.  Lowering gives the assignment its condition.  The effect is
 * known before only if c is a constant, or if e is the fill.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

static bool keeps(const struct cin *value) { return value->kind == CIN_OP && value->op == OP_KEEP; }

const struct cin *cin_kept(const struct cin *assign)
{
    return keeps(assign->arg[1]) ? assign->arg[1] : NULL;
}

const struct cin *cin_assign_kept(struct context *cx, const char *name, const struct cin *target,
                                  const struct cin *value)
{
    const struct tensor_var *result = target->tensor;
    const struct cin *t =
        cin_access(cx, cin_temporary(cx, name, result->type, result->fill), NULL, 0);
    return cin_where(cx, cin_assign(cx, OP_NONE, target, t), cin_assign(cx, OP_NONE, t, value));
}

const struct cin *cin_simplify_kept(struct context *cx, const struct cin *assign)
{
    const struct cin *value = assign->arg[1], *condition = value->arg[1];
    const struct cin *always[] = {assign->arg[0], value->arg[0],
                                  assign->args > 2 ? assign->arg[2] : NULL};
    if (condition->kind == CIN_LITERAL && !value_truth(condition->value))
        return cin_nothing(cx);
    const struct cin *kept = cin_simplify_with(cx, assign, always, &(struct cin_list){0});
    return condition->kind == CIN_LITERAL || kept->kind == CIN_NOTHING ? kept : assign;
}
