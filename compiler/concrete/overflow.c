/* overflow.c - does a statement compute with integers whose overflow is undefined in C?  Those are
 * the types that C does not widen first.  Positions and coordinates do not count: lowering keeps
 * them in their range.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"
#include "compiler/value/operator.h"

static bool overflows(enum type type)
{
    return type_kind(type) == KIND_INT && type_size(type) >= 4;
}

static bool body_overflows(const struct op_tree *tree)
{
    bool found = tree->op != OP_NONE && overflows(tree->type);
    for (int i = 0; i < tree->args && !found; i++)
        found = body_overflows(tree->arg[i]);
    return found;
}

/* Can the operation overflow in this type? */
static bool operation_overflows(const struct context *cx, enum op op, enum type computed)
{
    const struct op_tree *body = op_is_user(op) ? operator_user(cx, op)->body[computed] : NULL;
    return body ? body_overflows(body) : op != OP_NONE && overflows(computed);
}

static bool node_overflows(const struct cin *cin, void *data)
{
    bool operates = cin->kind == CIN_OP || cin->kind == CIN_ASSIGN;
    enum type operand[CIN_ARGS_MAX];
    for (int i = 0; i < cin->args && operates; i++)
        operand[i] = cin->arg[i]->type;
    return operates && cin->op != OP_NONE
           && operation_overflows(data, cin->op, operator_compute_type(cin->op, operand));
}

bool cin_may_overflow(struct context *cx, const struct cin *statement)
{
    return cin_any(statement, node_overflows, cx);
}
