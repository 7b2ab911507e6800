/* accumulate.c - compound assignments to results that are assembled.
 *
 * A dense result is combined with in place.  What is assembled anew cannot be: its old values become an operand,
 *
 *     A(i,j) += B(i,j)      A(i,j) = A_before(i,j) + B(i,j)
 *
 * and where neither has a component the new one has none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

static const char *name_before(struct context *cx, const struct tin *statement)
{
    const char *result = statement->arg[0]->tensor->name, *name = intern(cx, arena_printf(cx->arena, "%s_before", result));
    for (int n = 2; tin_uses_name(statement, name); n++)
        name = intern(cx, arena_printf(cx->arena, "%s_before%d", result, n));
    return name;
}

const struct tin *tin_accumulate(struct context *cx, const struct tin *statement, int rank)
{
    const struct tin *access = statement->arg[0];
    if (statement->op == OP_NONE || format_assembled(access->tensor->format) == 0)
        return statement;
    struct tensor_var *before = arena_copy(cx->arena, access->tensor, sizeof *before);
    before->name = name_before(cx, statement);
    before->before = access->tensor;
    before->rank = rank;
    const struct tin *arg[] = {tin_access(cx, access->span, before, access->index, access->indices), statement->arg[1]};
    return tin_assign(cx, statement->span, OP_NONE, access, tin_op(cx, statement->span, statement->op, arg, 2));
}
