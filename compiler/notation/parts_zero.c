/* parts_zero.c - expressions that are 0 where a tensor in parts stores nothing.
 *
 * Such an expression is the sum of what it is of each part, if no component is in two of them
 * (parts.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/parts.h"

#include <string.h>

#include "compiler/value/operator.h"

bool parts_reads(const struct parting *p, const struct tin *e)
{
    bool any = e->kind == TIN_ACCESS && e->tensor == p->whole;
    for (int i = 0; i < e->args && !any; i++)
        any = parts_reads(p, e->arg[i]);
    return any;
}

/* Does the expression use one component of the tensor, outside all reductions?  *at is its access,
 * NULL at first. */
static bool is_of_one(const struct parting *p, const struct tin *e, const struct tin **at)
{
    if (!parts_reads(p, e))
        return true;
    if (e->kind == TIN_ACCESS) {
        const struct tin *first = *at ? *at : e;
        *at = first;
        return memcmp(first->index, e->index, sizeof(*e->index) * (size_t)e->indices) == 0;
    }
    bool is = e->kind == TIN_OP && e->op != OP_KEEP;
    for (int i = 0; i < e->args && is; i++)
        is = is_of_one(p, e->arg[i], at);
    return is;
}

/* Is part of the expression a constant that is infinite or not a number? */
static bool has_infinite(const struct parting *p, const struct tin *e)
{
    struct value value;
    bool has = parts_constant(p, e, &value)
               && !value_is_zero(operator_fold(p->cx, OP_SUB, (struct value[]){value, value}));
    for (int i = 0; i < e->args && !has; i++)
        has = has_infinite(p, e->arg[i]);
    return has;
}

/* Finds the value of an operation with an operand that absorbs the others, which are finite. */
static bool absorbed(const struct parting *p, const struct tin *e, enum type type,
                     const struct value *operand, const bool *known, struct value *value)
{
    for (int side = 0; side < 2 && e->args == 2; side++)
        if (known[side] && !has_infinite(p, e->arg[!side])
            && operator_absorbs(p->cx, e->op, (enum op_side)side,
                                value_convert(operand[side], type), value)) {
            *value = value_convert(*value, e->type);
            return true;
        }
    return false;
}

static bool constant_op(const struct parting *p, const struct tin *e, struct value *value)
{
    struct value operand[3];
    enum type type[3] = {TYPE_BOOL};
    bool known[3] = {false}, all = true;
    for (int i = 0; i < e->args; i++) {
        known[i] = parts_constant(p, e->arg[i], &operand[i]);
        type[i] = e->arg[i]->type;
        all &= known[i];
    }
    enum type computed = operator_compute_type(e->op, type);
    if (e->op == OP_SELECT && known[0] && !all) {
        int chosen = value_truth(operand[0]) ? 1 : 2;
        *value = known[chosen] ? value_convert(operand[chosen], e->type) : *value;
        return known[chosen];
    }
    if (!all)
        return absorbed(p, e, computed, operand, known, value);
    for (int i = 0; i < e->args; i++)
        operand[i] = value_convert(operand[i], e->op == OP_SELECT && i == 0 ? TYPE_BOOL : computed);
    *value = value_convert(operator_fold(p->cx, e->op, operand), e->type);
    return true;
}

static bool is_absent(const struct parting *p, const struct tensor_var *tensor)
{
    bool is = tensor == p->whole;
    for (int i = 0; i < p->absents && !is; i++)
        is = tensor == p->absent[i];
    return is;
}

bool parts_constant(const struct parting *p, const struct tin *e, struct value *value)
{
    switch (e->kind) {
    case TIN_LITERAL: *value = e->value; return true;
    case TIN_ACCESS: *value = e->tensor->fill; return is_absent(p, e->tensor);
    case TIN_REDUCE:
    case TIN_ASSIGN:
    case TIN_MULTI: return false;
    case TIN_OP: break;
    }
    if (e->op == OP_STORED) {
        *value = value_zero(TYPE_BOOL);
        return parts_reads(p, e);
    }
    return e->op != OP_KEEP && constant_op(p, e, value);
}

/* Adds the expression's other tensors that may store nothing somewhere.  false if there are too
 * many. */
static bool add_absent(struct parting *p, const struct tin *e)
{
    if (e->kind == TIN_ACCESS && !is_absent(p, e->tensor) && !format_is_full(e->tensor->format)) {
        if (p->absents == ABSENT_MOST)
            return false;
        p->absent[p->absents++] = e->tensor;
    }
    bool few = true;
    for (int i = 0; i < e->args && few; i++)
        few = add_absent(p, e->arg[i]);
    return few;
}

bool parts_are_zero_beside(const struct parting *p, const struct tin *e)
{
    struct parting all = *p;
    if (!add_absent(&all, e))
        return false;
    bool is = true;
    for (unsigned set = 0; set < 1u << all.absents && is; set++) {
        struct parting some = *p;
        struct value value;
        for (int i = 0; i < all.absents; i++)
            if (set >> i & 1)
                some.absent[some.absents++] = all.absent[i];
        is = parts_constant(&some, e, &value) && value_is_zero(value);
    }
    return is;
}

bool parts_ask(const struct parting *p, const struct tin *e)
{
    bool any = tin_asks(e) && parts_reads(p, e);
    for (int i = 0; i < e->args && !any; i++)
        any = parts_ask(p, e->arg[i]);
    return any;
}

/* May a part store something where another does?  What pads dense levels and blocks. */
static bool overlap(const struct parting *p)
{
    bool any = false;
    for (int k = 0; k < p->parts && p->parts > 1; k++)
        any |= !format_tells_padding(p->part[k]->format);
    return any;
}

bool parts_are_disjoint(const struct parting *p, const struct tin *e)
{
    const struct tin *at = NULL;
    return is_of_one(p, e, &at) && parts_are_zero_beside(p, e) && !(parts_ask(p, e) && overlap(p));
}
