/* fold.c - simplification of one expression.
 *
 * Every rule is exact: the value stays the same to the bit, for NaN, infinities, zeros of either sign and integers that
 * wrap.  The algebra is that of the table of operators; where the table assumes finite values, or one zero, floats and
 * complex numbers are left alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/imperative/simplify.h"

static bool is_exact(enum type type) { return type == TYPE_BOOL || type_is_integer(type); }

static bool is_literal(const struct imp *imp) { return imp->kind == IMP_LITERAL; }

static bool is_op(const struct imp *imp, enum op op) { return imp->kind == IMP_OP && imp->op == op; }

static const struct imp *zero(struct context *cx, enum type type) { return imp_literal(cx, value_zero(type)); }

/* ---- purity ---- */

static bool writes_arrays(const struct imp *imp, void *data)
{
    for (int i = 0; imp->kind == IMP_CALL && i < imp->args; i++)
        if (imp->function->param[i].var->array && !imp->function->param[i].var->constant)
            return true;
    return false;
}

bool imp_is_pure(const struct imp *imp) { return !imp_any(imp, writes_arrays, NULL); }

static bool same(const struct imp *a, const struct imp *b) { return imp_equal(a, b) && imp_is_pure(a); }

/* ---- identities and annihilators ---- */

bool imp_is_identity(enum op op, enum op_side side, const struct imp *value)
{
    struct value identity;
    enum type type = value->type;
    if (!is_literal(value) || type_is_complex(type))
        return false;
    if (type_is_float(type) && op == OP_ADD)            /* -0.0 + 0.0 is 0.0 */
        return value_is_zero(value->value) && signbit(value->value.f);
    if (type_is_float(type) && op == OP_SUB && side == SIDE_RIGHT)
        return value_is_zero(value->value) && !signbit(value->value.f);
    return op_identity(op, side, type, &identity) && value_equal(identity, value->value);
}

static const struct imp *absorbed(struct context *cx, const struct imp *imp)
{
    struct value result;
    for (int i = 0; i < 2; i++) {
        const struct imp *a = imp->arg[i], *other = imp->arg[1 - i];
        bool exact = is_exact(imp->computed) || imp->op == OP_POW;
        if (is_literal(a) && exact && imp_is_pure(other)
            && op_absorbs(imp->op, i == 0 ? SIDE_LEFT : SIDE_RIGHT, a->value, &result)
            && !(imp->op == OP_POW && i == 0))
            return imp_literal(cx, result);
    }
    return imp;
}

/* ---- constants ---- */

static bool all_literals(const struct imp *imp)
{
    for (int i = 0; i < imp->args; i++)
        if (!is_literal(imp->arg[i]))
            return false;
    return true;
}

static const struct imp *folded(struct context *cx, const struct imp *imp)
{
    struct value operand[3];
    for (int i = 0; i < imp->args; i++)
        operand[i] = imp->arg[i]->value;
    return imp_literal(cx, op_fold(imp->op, operand));
}

/* ---- arithmetic ---- */

static bool is_int_literal(const struct imp *imp) { return is_literal(imp) && type_is_integer(imp->type); }

static struct value negated(struct value v) { return op_fold(OP_NEG, &v); }

static bool is_negative(const struct imp *imp)
{
    return is_literal(imp) && type_kind(imp->type) == KIND_INT && imp->value.i < 0
        && negated(imp->value).i > 0;
}

/* (x + c) + d, (x - c) + d, ... of integers. */
static const struct imp *sum(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    bool add = imp->op == OP_ADD;
    if (is_negative(b))
        return imp_op2(cx, add ? OP_SUB : OP_ADD, a, imp_literal(cx, negated(b->value)));
    if (is_op(b, OP_NEG))                              /* a + -b */
        return imp_op2(cx, add ? OP_SUB : OP_ADD, a, b->arg[0]);
    if (!type_is_integer(imp->type))
        return imp;
    if (!add && same(a, b))
        return zero(cx, imp->type);
    if (!add && is_literal(a) && value_is_zero(a->value))
        return imp_op1(cx, OP_NEG, b);
    bool chain = is_int_literal(b) && (is_op(a, OP_ADD) || is_op(a, OP_SUB)) && is_int_literal(a->arg[1]);
    if (!chain)
        return imp;
    struct value first = a->op == OP_ADD ? a->arg[1]->value : negated(a->arg[1]->value);
    struct value second = add ? b->value : negated(b->value);
    struct value both = op_fold(OP_ADD, (struct value[]){first, second});
    return imp_op2(cx, OP_ADD, a->arg[0], imp_literal(cx, both));
}

/* Operators that do nothing to values of this type. */
static const struct imp *unary(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    bool is_signed = type_kind(imp->computed) == KIND_INT, real = !type_is_complex(imp->computed);
    switch (imp->op) {
    case OP_NEG:
        return is_op(a, OP_NEG) ? a->arg[0] : imp->type == TYPE_BOOL ? a : imp;
    case OP_ABS:
        return is_exact(imp->computed) && !is_signed ? a : imp;
    case OP_SIGN:
        return imp->computed == TYPE_BOOL ? a : imp;
    case OP_REAL: case OP_CONJ:
        return real ? a : imp;
    case OP_IMAG:
        return real && imp_is_pure(a) ? zero(cx, imp->type) : imp;
    case OP_FLOOR: case OP_CEIL: case OP_ROUND: case OP_TRUNC:
        return is_exact(imp->computed) ? a : imp;
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_GT:
    case OP_GE: case OP_MIN: case OP_MAX: case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_SQRT: case OP_CBRT:
    case OP_EXP: case OP_LOG: case OP_LOG2: case OP_LOG10: case OP_SIN: case OP_COS: case OP_TAN: case OP_ASIN:
    case OP_ACOS: case OP_ATAN: case OP_ATAN2: case OP_SINH: case OP_COSH: case OP_TANH: case OP_POW: case OP_MOD:
    case OP_SELECT: case OP_COUNT:
        break;
    }
    return imp;
}

/* ---- conditions ---- */

/* The comparison that holds exactly where this one does not; OP_NONE: it is none. */
static enum op opposite(enum op op)
{
    static const enum op pair[][2] = {{OP_EQ, OP_NE}, {OP_LT, OP_GE}, {OP_LE, OP_GT}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        for (int side = 0; side < 2; side++)
            if (pair[i][side] == op)
                return pair[i][1 - side];
    return OP_NONE;
}

static const struct imp *negation(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    if (is_op(a, OP_NOT))
        return a->arg[0];
    if (a->kind != IMP_OP || a->type != TYPE_BOOL || opposite(a->op) == OP_NONE)
        return imp;
    bool total = is_exact(a->computed) || a->op == OP_EQ || a->op == OP_NE; /* NaN is neither < nor >= */
    return total ? imp_op2(cx, opposite(a->op), a->arg[0], a->arg[1]) : imp;
}

/* x < 0 of an unsigned x, x <= 127 of an i8, ...: what the type alone decides. */
static const struct imp *decided(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    if (same(a, b))
        return imp_literal(cx, value_int(TYPE_BOOL, imp->op == OP_EQ || imp->op == OP_LE || imp->op == OP_GE));
    for (int i = 0; i < 2; i++) {
        const struct imp *bound = imp->arg[i];
        if (!is_literal(bound) || !imp_is_pure(imp->arg[1 - i]))
            continue;
        bool lowest = value_equal(bound->value, value_lowest(bound->type));
        bool highest = value_equal(bound->value, value_highest(bound->type));
        bool below = (i == 1) == (imp->op == OP_LT || imp->op == OP_LE);     /* x < bound, bound > x */
        bool strict = imp->op == OP_LT || imp->op == OP_GT;
        if (imp->op == OP_EQ || imp->op == OP_NE)
            continue;
        if (below ? strict && lowest : strict && highest)
            return imp_literal(cx, value_int(TYPE_BOOL, 0));
        if (below ? !strict && highest : !strict && lowest)
            return imp_literal(cx, value_int(TYPE_BOOL, 1));
    }
    return imp;
}

/* b == true, b != false, ... */
static const struct imp *comparison(struct context *cx, const struct imp *imp)
{
    const struct imp *decision = is_exact(imp->computed) ? decided(cx, imp) : imp;
    if (decision != imp || imp->computed != TYPE_BOOL || (imp->op != OP_EQ && imp->op != OP_NE))
        return decision;
    for (int i = 0; i < 2; i++)
        if (is_literal(imp->arg[i]))
            return imp->arg[i]->value.b == (imp->op == OP_EQ) ? imp->arg[1 - i]
                                                              : imp_op1(cx, OP_NOT, imp->arg[1 - i]);
    return imp;
}

static const struct imp *choice(struct context *cx, const struct imp *imp)
{
    const struct imp *condition = imp->arg[0], *a = imp->arg[1], *b = imp->arg[2];
    if (is_literal(condition))
        return value_truth(condition->value) ? a : b;
    if (imp_equal(a, b) && imp_is_pure(condition))
        return a;
    if (is_op(condition, OP_NOT))
        return imp_select(cx, condition->arg[0], b, a);
    if (imp->type == TYPE_BOOL && is_literal(a) && is_literal(b) && a->value.b != b->value.b)
        return a->value.b ? condition : imp_op1(cx, OP_NOT, condition);
    return imp;
}

/* ---- all operators ---- */

static const struct imp *binary(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1], *c = absorbed(cx, imp);
    if (c != imp)
        return c;
    if (imp->type == imp->computed && imp_is_identity(imp->op, SIDE_RIGHT, b))
        return a;
    if (imp->type == imp->computed && imp_is_identity(imp->op, SIDE_LEFT, a))
        return b;
    if (op_idempotent(imp->op) && same(a, b))
        return a;
    if ((imp->op == OP_XOR || (imp->op == OP_SUB && imp->type == TYPE_BOOL)) && same(a, b))
        return zero(cx, imp->type);
    if (imp->op == OP_MOD && imp->type == TYPE_BOOL && imp_is_pure(a) && imp_is_pure(b))
        return zero(cx, imp->type);
    if (imp->op == OP_ADD || imp->op == OP_SUB)
        return sum(cx, imp);
    return opposite(imp->op) == OP_NONE ? imp : comparison(cx, imp);
}

static const struct imp *operation(struct context *cx, const struct imp *imp)
{
    if (imp->lanes > 1)
        return imp;
    if (all_literals(imp))
        return folded(cx, imp);
    switch (op_arity(imp->op)) {
    case 1: return imp->op == OP_NOT ? negation(cx, imp) : unary(cx, imp);
    case 2: return opposite(imp->op) != OP_NONE ? comparison(cx, imp) : binary(cx, imp);
    default: return choice(cx, imp);
    }
}

/* ---- conversions and lanes ---- */

/* A conversion to an integer type that can hold every value is not seen by the next conversion between integers. */
static const struct imp *cast(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    if (a->type == imp->type)
        return a;
    if (is_literal(a))
        return imp_literal(cx, value_convert(a->value, imp->type));
    bool widened = a->kind == IMP_CAST && type_is_integer(imp->type) && type_is_integer(a->type)
        && is_exact(a->arg[0]->type) && type_promote(a->arg[0]->type, a->type) == a->type;
    return widened ? imp_cast(cx, imp->type, a->arg[0]) : imp;
}

static const struct imp *lane(const struct imp *imp)
{
    const struct imp *vector = imp->arg[0];
    if (vector->kind == IMP_LANES)
        return vector->arg[imp->n];
    return vector->kind == IMP_BROADCAST ? vector->arg[0] : imp;
}

const struct imp *imp_fold(struct context *cx, const struct imp *imp)
{
    for (const struct imp *last = NULL; last != imp;) {
        last = imp;
        if (imp->kind == IMP_OP)
            imp = operation(cx, imp);
        else if (imp->kind == IMP_CAST)
            imp = cast(cx, imp);
        else if (imp->kind == IMP_LANE)
            imp = lane(imp);
    }
    return imp;
}
