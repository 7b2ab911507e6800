/* operator.c - the same queries for operators of the table and for users' operators.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/operator.h"

#include <math.h>
#include <string.h>

const struct user_op *operator_user(const struct context *cx, enum op op)
{
    return cx->operators->at[op_user_number(op)];
}

bool operator_find(const struct context *cx, const char *name, size_t n, enum op *op)
{
    if (op_find(name, n, SYNTAX_CALL, op))
        return true;
    for (int k = 0; cx->operators && k < cx->operators->n; k++) {
        const struct user_op *user = cx->operators->at[k];
        if (strlen(user->name) == n && memcmp(user->name, name, n) == 0) {
            *op = user->op;
            return true;
        }
    }
    return false;
}

const char *operator_name(const struct context *cx, enum op op)
{
    return op_is_user(op) ? operator_user(cx, op)->name : op_name(op);
}

/* ---- types ---- */

enum type operator_compute_type(enum op op, const enum type *operand)
{
    if (!op_is_user(op))
        return op_compute_type(op, operand);
    enum type type = operand[0];
    for (int i = 1; i < op_arity(op); i++)
        type = type_promote(type, operand[i]);
    return type;
}

bool operator_accepts(const struct context *cx, enum op op, const enum type *operand)
{
    return op_is_user(op) ? operator_user(cx, op)->body[operator_compute_type(op, operand)] != NULL
                          : op_accepts(op, operand);
}

enum type operator_result_type(const struct context *cx, enum op op, const enum type *operand)
{
    if (!op_is_user(op))
        return op_result_type(op, operand);
    enum type type = operator_compute_type(op, operand);
    const struct op_tree *body = operator_user(cx, op)->body[type];
    return body ? body->type : type;
}

/* ---- laws ---- */

bool operator_constant(struct value written, enum type type, struct value *v)
{
    if (type_is_float(written.type) && isinf(written.f) && !type_is_complex(type)) {
        *v = written.f > 0 ? value_highest(type) : value_lowest(type);
        return true;
    }
    *v = value_convert(written, type);
    bool negative = type_kind(written.type) == KIND_INT && written.i < 0;
    if (negative && type_kind(type) == KIND_UINT)
        return false;
    if (type_kind(written.type) == KIND_UINT && type_kind(type) == KIND_INT && v->i < 0)
        return false;
    if (type_is_float(type) || type_is_complex(type)) /* rounded is good enough */
        return !type_is_complex(written.type) || type_is_complex(type);
    return value_equal(value_convert(*v, written.type), written);
}

bool operator_identity(const struct context *cx, enum op op, enum op_side side, enum type type,
                       struct value *identity)
{
    if (!op_is_user(op))
        return op_identity(op, side, type, identity);
    const struct user_op *user = operator_user(cx, op);
    return user->has_identity && user->body[type]
           && operator_constant(user->identity, type, identity);
}

bool operator_is_identity(const struct context *cx, enum op op, enum op_side side, struct value v)
{
    struct value identity;
    return operator_identity(cx, op, side, v.type, &identity) && value_equal(identity, v);
}

bool operator_absorbs(const struct context *cx, enum op op, enum op_side side, struct value v,
                      struct value *result)
{
    if (!op_is_user(op))
        return op_absorbs(op, side, v, result);
    const struct user_op *user = operator_user(cx, op);
    return user->has_annihilator && user->body[v.type]
           && operator_constant(user->annihilator, v.type, result) && value_equal(v, *result);
}

bool operator_distributes(const struct context *cx, enum op op, enum op_side side, enum op over)
{
    bool distributes = false;
    if (!op_is_user(op))
        return op_distributes(op, side, over);
    const struct user_op *user = operator_user(cx, op);
    for (int i = 0; i < user->overs; i++)
        distributes |= user->over[i] == over;
    return distributes;
}

bool operator_reduces(const struct context *cx, enum op op)
{
    return op_arity(op) == 2 && op_associative(op) && op_commutative(op)
           && (!op_is_user(op) || operator_user(cx, op)->has_identity);
}

/* ---- folding ---- */

static struct value fold(const struct op_tree *tree, const struct value *parameter)
{
    enum type type[3];
    struct value operand[3];
    if (tree->op == OP_NONE)
        return tree->parameter < 0 ? tree->value : parameter[tree->parameter];
    for (int i = 0; i < tree->args; i++)
        type[i] = tree->arg[i]->type;
    enum type computed = op_compute_type(tree->op, type);
    for (int i = 0; i < tree->args; i++)
        operand[i] = value_convert(fold(tree->arg[i], parameter),
                                   tree->op == OP_SELECT && i == 0 ? TYPE_BOOL : computed);
    return value_convert(op_fold(tree->op, operand), tree->type);
}

struct value operator_fold(const struct context *cx, enum op op, const struct value *operand)
{
    return op_is_user(op) ? fold(operator_user(cx, op)->body[operand[0].type], operand)
                          : op_fold(op, operand);
}
