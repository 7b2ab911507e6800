/* signs.c - a negative term is subtracted, wherever its sign is written.
 *
 *     b(i) + -A(i,j) * x(j)         b(i) - A(i,j) * x(j)
 *     -A(i,j) * x(j) + b(i)         b(i) - A(i,j) * x(j)
 *     b(i) - x(j) * -A(i,j)         b(i) + A(i,j) * x(j)
 *
 * So the sign is applied once, and not in each iteration of a sum.  The value is the same to the
 * last bit, but that a sum of nothing has no sign.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

bool tin_is_negative(const struct tin *e, enum type type)
{
    return e->kind == TIN_OP && e->op == OP_NEG && type != TYPE_BOOL && e->type == type
           && e->arg[0]->type == type;
}

static const struct tin *with_arg(struct context *cx, const struct tin *e, int at,
                                  const struct tin *arg)
{
    const struct tin *args[3];
    for (int i = 0; i < e->args; i++)
        args[i] = i == at ? arg : e->arg[i];
    return tin_with_args(cx, e, args);
}

/* Returns a term of this type without its sign, which is in front of it, in front of what it sums,
 * or in front of a factor.  NULL if it has none. */
static const struct tin *without_sign(struct context *cx, const struct tin *e, enum type type)
{
    const enum op passes = e->kind == TIN_REDUCE ? OP_ADD : OP_MUL;
    if (tin_is_negative(e, type))
        return e->arg[0];
    bool looks = (e->kind == TIN_REDUCE || e->kind == TIN_OP) && e->op == passes && e->type == type;
    for (int i = 0; looks && i < e->args; i++) {
        const struct tin *arg = without_sign(cx, e->arg[i], type);
        if (arg)
            return with_arg(cx, e, i, arg);
    }
    return NULL;
}

const struct tin *tin_subtract(struct context *cx, const struct tin *e)
{
    bool adds = e->kind == TIN_OP && e->op == OP_ADD,
         subtracts = e->kind == TIN_OP && e->op == OP_SUB;
    /* terms of another reduction are its factors, which are chosen from one sum */
    for (int i = 0; i < e->args && !(e->kind == TIN_REDUCE && e->op != OP_ADD); i++) {
        const struct tin *arg = tin_subtract(cx, e->arg[i]);
        e = arg == e->arg[i] ? e : with_arg(cx, e, i, arg);
    }
    const struct tin *first = adds ? without_sign(cx, e->arg[0], e->type) : NULL,
                     *second = adds || subtracts ? without_sign(cx, e->arg[1], e->type) : NULL;
    if (second)
        return tin_op(cx, e->span, adds ? OP_SUB : OP_ADD,
                      (const struct tin *const[]){e->arg[0], second}, 2);
    if (first)
        return tin_op(cx, e->span, OP_SUB, (const struct tin *const[]){e->arg[1], first}, 2);
    return e;
}
