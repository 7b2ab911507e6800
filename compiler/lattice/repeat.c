/* repeat.c - coordinates with the same effect, which is applied once for all of them.
 *
 * y(i) = max(j, A(i,j)) takes the maximum with 0 wherever A stores nothing, and y(i) = sum(j, 1 +
 * A(i,j)) adds 1 there.  These steps do not depend on the coordinate, and the reductions are
 * associative and commutative.  So one step at the end replaces them: x once if x op x = x,
 * otherwise the n-fold x, where n is the number of coordinates that no operand has.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/parts.h"

bool lattice_is_once(const struct context *cx, const struct cin *assign)
{
    const struct cin *value = assign->arg[1];
    if (op_idempotent(assign->op))
        return true;
    if (value->kind != CIN_LITERAL)
        return false;
    struct value one = value_convert(value->value, assign->arg[0]->type);
    return value_equal(operator_fold(cx, assign->op, (struct value[]){one, one}), one);
}

/* Can the combined value be stored without a change, but for the rounding of floats? */
static bool keeps_type(enum type target, enum type value)
{
    return type_promote(target, value) == target || (type_is_float(target) && type_is_float(value));
}

static bool reads(struct context *cx, const struct cin *value, const struct tensor_var *tensor)
{
    struct cin_list read = cin_operands(cx, value);
    bool is_read = false;
    for (size_t i = 0; i < read.n; i++)
        is_read |= read.at[i]->tensor == tensor || read.at[i]->tensor->before == tensor;
    return is_read;
}

/* Can one step replace the statement at several coordinates, whatever runs in between? */
static bool is_one_step(struct context *cx, const struct cin *s)
{
    switch (s->kind) {
    case CIN_FORALL: return is_one_step(cx, s->arg[0]);
    case CIN_MULTI: return is_one_step(cx, s->arg[0]) && is_one_step(cx, s->arg[1]);
    case CIN_ASSIGN:
        return s->op != OP_NONE && s->args == 2 && op_associative(s->op) && op_commutative(s->op)
               && keeps_type(s->arg[0]->type, s->arg[1]->type)
               && !reads(cx, s->arg[1], s->arg[0]->tensor);
    case CIN_NOTHING: return true;
    case CIN_WHERE:
    case CIN_SEQUENCE:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: return false;
    }
    return false;
}

bool lattice_may_rest(struct context *cx, const struct lattice *lattice, const struct known *known)
{
    if (lattice->flat || !lattice->points || !bits_empty(lattice->given)
        || cin_relates(known->relation, known->relations, lattice->var))
        return false;
    const struct lattice_point *last = &lattice->point[lattice->points - 1];
    return bits_empty(last->present) && last->body->kind != CIN_NOTHING
           && !cin_uses_var(last->body, lattice->var) && is_one_step(cx, last->body);
}

/* Does the loop visit no coordinate twice, so that it can count them? */
bool lattice_is_distinct(const struct lattice *lattice)
{
    bool distinct = true;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        distinct &= !bits_has(lattice->iterated, bit)
                    || (level_effective(it->access->tensor->format, it->first)
                        & (LEVEL_ORDERED | LEVEL_UNIQUE));
    }
    return distinct;
}
