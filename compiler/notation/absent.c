/* absent.c - the value of an expression at coordinates where sparse operands store nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"
#include "compiler/value/operator.h"

bool tin_is_sparse(const struct tin *e)
{
    return e->kind == TIN_ACCESS && !format_is_dense(e->tensor->format);
}

bool tin_asks(const struct tin *e) { return e->kind == TIN_OP && e->op == OP_STORED; }

bool tin_somewhere(const struct tin *e, bool (*holds)(const struct tin *e))
{
    bool some = holds(e);
    for (int i = 0; i < e->args && !some; i++)
        some = tin_somewhere(e->arg[i], holds);
    return some;
}

bool tin_value_where(struct context *cx, const struct tin *e, bool stored, struct value *value)
{
    struct value operand[3];
    enum type type[3];
    if (tin_asks(e)) {
        *value = value_int(TYPE_BOOL, stored || !tin_is_sparse(e->arg[0]));
        return true;
    }
    for (int i = 0; i < e->args; i++)
        type[i] = e->arg[i]->type;
    if (e->kind == TIN_LITERAL || (tin_is_sparse(e) && !stored))
        *value = e->kind == TIN_LITERAL ? e->value : e->tensor->fill;
    else if (e->kind != TIN_OP)
        return false;
    for (int i = 0; i < e->args && e->kind == TIN_OP; i++) {
        bool condition = e->op == OP_SELECT && i == 0;
        if (!tin_value_where(cx, e->arg[i], stored, &operand[i]))
            return false;
        operand[i] =
            value_convert(operand[i], condition ? TYPE_BOOL : operator_compute_type(e->op, type));
    }
    if (e->kind == TIN_OP)
        *value = operator_fold(cx, e->op, operand);
    *value = value_convert(*value, e->type);
    return true;
}
