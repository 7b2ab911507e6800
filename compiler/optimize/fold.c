/* fold.c - simplification of one expression.
 *
 * Every rule is exact: the value stays the same to the bit, for NaN, infinities, zeros of either
 * sign and integers that wrap.  The algebra is that of the table of operators; where the table
 * assumes finite values, or one zero, floats and complex numbers are left alone.  A square is a
 * product, which is the power rounded correctly, and what compilers of C make of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/optimize/simplify.h"

static bool is_exact(enum type type) { return type == TYPE_BOOL || type_is_integer(type); }

static bool is_literal(const struct imp *imp) { return imp->kind == IMP_LITERAL; }

static bool is_int_literal(const struct imp *imp)
{
    return is_literal(imp) && type_is_integer(imp->type);
}

static const struct imp *zero(struct context *cx, enum type type)
{
    return imp_literal(cx, value_zero(type));
}

static bool same(const struct imp *a, const struct imp *b)
{
    return imp_equal(a, b) && imp_is_pure(a);
}

/* ---- identities and annihilators ---- */

/* Is x op value (SIDE_RIGHT) or value op x (SIDE_LEFT) exactly x, for every x? */
static bool is_identity(enum op op, enum op_side side, const struct imp *value)
{
    struct value identity;
    enum type type = value->type;
    if (!is_literal(value) || type_is_complex(type))
        return false;
    if (type_is_float(type) && op == OP_ADD) /* -0.0 + 0.0 is 0.0 */
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

static struct value negated(struct value v) { return op_fold(OP_NEG, &v); }

static bool is_negative(const struct imp *imp)
{
    return is_literal(imp) && type_kind(imp->type) == KIND_INT && imp->value.i < 0
           && negated(imp->value).i > 0;
}

/* Folds (x + c) + d, (x - c) + d, ... of integers. */
static const struct imp *sum(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    bool add = imp->op == OP_ADD;
    if (is_negative(b))
        return imp_op2(cx, add ? OP_SUB : OP_ADD, a, imp_literal(cx, negated(b->value)));
    if (imp_is_op(b, OP_NEG)) /* a + -b */
        return imp_op2(cx, add ? OP_SUB : OP_ADD, a, b->arg[0]);
    if (!type_is_integer(imp->type))
        return imp;
    if (!add && same(a, b))
        return zero(cx, imp->type);
    if (!add && is_literal(a) && value_is_zero(a->value))
        return imp_op1(cx, OP_NEG, b);
    bool chain = is_int_literal(b) && (imp_is_op(a, OP_ADD) || imp_is_op(a, OP_SUB))
                 && is_int_literal(a->arg[1]);
    if (!chain)
        return imp;
    struct value first = a->op == OP_ADD ? a->arg[1]->value : negated(a->arg[1]->value);
    struct value second = add ? b->value : negated(b->value);
    struct value both = op_fold(OP_ADD, (struct value[]){first, second});
    return imp_op2(cx, OP_ADD, a->arg[0], imp_literal(cx, both));
}

/* Folds operators that leave values of this type unchanged. */
static const struct imp *unary(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    bool is_signed = type_kind(imp->computed) == KIND_INT, real = !type_is_complex(imp->computed);
    switch (imp->op) {
    case OP_NEG: return imp_is_op(a, OP_NEG) ? a->arg[0] : imp->type == TYPE_BOOL ? a : imp;
    case OP_ABS: return is_exact(imp->computed) && !is_signed ? a : imp;
    case OP_SIGN: return imp->computed == TYPE_BOOL ? a : imp;
    case OP_REAL:
    case OP_CONJ: return real ? a : imp;
    case OP_IMAG: return real && imp_is_pure(a) ? zero(cx, imp->type) : imp;
    case OP_ANY_ROUNDING: return is_exact(imp->computed) ? a : imp;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return imp;
}

/* ---- conditions ---- */

/* Returns the other operator of the pair; `otherwise` if there is none. */
static enum op partner(const enum op (*pair)[2], int pairs, enum op op, enum op otherwise)
{
    for (int i = 0; i < pairs; i++)
        for (int side = 0; side < 2; side++)
            if (pair[i][side] == op)
                return pair[i][1 - side];
    return otherwise;
}

/* Returns the comparison that holds exactly where this one does not; OP_NONE if there is none. */
static enum op opposite(enum op op)
{
    static const enum op pair[][2] = {{OP_EQ, OP_NE}, {OP_LT, OP_GE}, {OP_LE, OP_GT}};
    return partner(pair, 3, op, OP_NONE);
}

static const struct imp *negation(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    if (imp_is_op(a, OP_NOT))
        return a->arg[0];
    if (a->kind != IMP_OP || a->type != TYPE_BOOL || opposite(a->op) == OP_NONE)
        return imp;
    /* NaN is neither < nor >= */
    bool total = is_exact(a->computed) || a->op == OP_EQ || a->op == OP_NE;
    return total ? imp_op2(cx, opposite(a->op), a->arg[0], a->arg[1]) : imp;
}

static bool holds(enum op op, struct value a, struct value b)
{
    return value_truth(op_fold(op, (struct value[]){a, b}));
}

/* Returns the least or the greatest value of an expression of a bool or integer type, in that type.
 */
static struct value bound(const struct imp *e, bool greatest)
{
    enum type type = e->type, from = type;
    if (e->kind == IMP_CAST && is_exact(e->arg[0]->type)
        && type_promote(e->arg[0]->type, type) == type)
        from = e->arg[0]->type;
    return value_convert(greatest ? value_highest(from) : value_lowest(from), type);
}

/* Can `x & c` or `x | c` equal the value? */
static bool has_bits(const struct imp *e, struct value v)
{
    enum type type = e->type;
    bool masks = type_is_integer(type) && (imp_is_op(e, OP_AND) || imp_is_op(e, OP_OR))
                 && is_literal(e->arg[1]);
    return !masks || holds(OP_EQ, op_fold(e->op, (struct value[]){v, e->arg[1]->value}), v);
}

/* Decides comparisons by their types alone: x < 0 of an unsigned x, x <= 127 of a former i8, ...
 * Returns 1 for yes, 0 for no, -1 if it depends on x. */
static int decision(enum op op, const struct imp *x, struct value literal)
{
    struct value low = bound(x, false), high = bound(x, true);
    if (!holds(OP_LE, low, literal) || !holds(OP_LE, literal, high) || !has_bits(x, literal)) {
        if (op == OP_EQ || op == OP_NE)
            return op == OP_NE;
    }
    if ((op == OP_LT || op == OP_LE) && holds(op, high, literal))
        return 1;
    if ((op == OP_GT || op == OP_GE) && holds(op, low, literal))
        return 1;
    if ((op == OP_LT || op == OP_LE) && !holds(op, low, literal))
        return 0;
    if ((op == OP_GT || op == OP_GE) && !holds(op, high, literal))
        return 0;
    return -1;
}

/* Returns the comparison with its operands exchanged. */
static enum op mirrored(enum op op)
{
    static const enum op pair[][2] = {{OP_LT, OP_GT}, {OP_LE, OP_GE}};
    return partner(pair, 2, op, op);
}

/* Is x, widened, compared with a number that its own type lacks? */
static bool is_unequal(const struct imp *x, const struct imp *literal)
{
    bool widened = x->kind == IMP_CAST && x->type == TYPE_F64 && x->arg[0]->type == TYPE_F32;
    return widened && is_literal(literal) && (double)(float)literal->value.f != literal->value.f
           && imp_is_pure(x);
}

static const struct imp *decided(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    int result = -1;
    if (same(a, b))
        result = imp->op == OP_EQ || imp->op == OP_LE || imp->op == OP_GE;
    else if (is_literal(b) && imp_is_pure(a))
        result = decision(imp->op, a, b->value);
    else if (is_literal(a) && imp_is_pure(b))
        result = decision(mirrored(imp->op), b, a->value);
    return result < 0 ? imp : imp_literal(cx, value_int(TYPE_BOOL, result));
}

/* Folds b == true, b != false, ... */
static const struct imp *comparison(struct context *cx, const struct imp *imp)
{
    bool equality = imp->op == OP_EQ || imp->op == OP_NE;
    if (equality && (is_unequal(imp->arg[0], imp->arg[1]) || is_unequal(imp->arg[1], imp->arg[0])))
        return imp_literal(cx, value_int(TYPE_BOOL, imp->op == OP_NE));
    const struct imp *result = is_exact(imp->computed) ? decided(cx, imp) : imp;
    if (result != imp || imp->computed != TYPE_BOOL || !equality)
        return result;
    for (int i = 0; i < 2; i++)
        if (is_literal(imp->arg[i]))
            return imp->arg[i]->value.b == (imp->op == OP_EQ)
                       ? imp->arg[1 - i]
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
    if (imp_is_op(condition, OP_NOT))
        return imp_select(cx, condition->arg[0], b, a);
    if (imp->type == TYPE_BOOL && is_literal(a) && is_literal(b) && a->value.b != b->value.b)
        return a->value.b ? condition : imp_op1(cx, OP_NOT, condition);
    return imp;
}

/* Is it a variable, an element, or a tree of operators on these of at most this height, without
 * functions? */
static bool is_short(const struct imp *imp, int height)
{
    bool is =
        imp->kind == IMP_VAR || imp->kind == IMP_LITERAL || imp->kind == IMP_LOAD
        || (imp->kind == IMP_OP && height > 0 && !op_is_analytic(imp->op) && !op_is_user(imp->op));
    for (int i = 0; i < imp->args && is && imp->kind == IMP_OP; i++)
        is = is_short(imp->arg[i], height - 1);
    return is;
}

/* Writes the second, third or fourth power of a short expression as a product, which has vectors.
 */
static const struct imp *power(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    double exponent = is_literal(b) ? value_double(b->value) : 0;
    bool is_product = (exponent == 2 || exponent == 3 || exponent == 4) && a->type == imp->type
                      && imp->type == imp->computed && imp->type != TYPE_BOOL
                      && !type_is_complex(imp->type) && imp_is_pure(a) && is_short(a, 2);
    if (!is_product)
        return imp;
    const struct imp *square = imp_op2(cx, OP_MUL, a, a);
    return exponent == 2 ? square : imp_op2(cx, OP_MUL, square, exponent == 3 ? a : square);
}

/* ---- all operators ---- */

static const struct imp *binary(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1], *c = absorbed(cx, imp);
    if (c != imp)
        return c;
    if (imp->type == imp->computed && is_identity(imp->op, SIDE_RIGHT, b))
        return a;
    if (imp->type == imp->computed && is_identity(imp->op, SIDE_LEFT, a))
        return b;
    bool and_or =
        imp->type == TYPE_BOOL && (imp->op == OP_ADD || imp->op == OP_MUL || imp->op == OP_DIV);
    if ((op_idempotent(imp->op) || and_or) && same(a, b))
        return a;
    if ((imp->op == OP_XOR || (imp->op == OP_SUB && imp->type == TYPE_BOOL)) && same(a, b))
        return zero(cx, imp->type);
    bool bits = imp->op == OP_AND || imp->op == OP_OR || imp->op == OP_XOR;
    if (bits && is_literal(a) && imp->type != TYPE_BOOL) /* x & 7, not 7 & x */
        return imp_op2(cx, imp->op, b, a);
    if (imp->op == OP_XOR && is_int_literal(b) && value_equal(b->value, value_int(b->type, -1)))
        return imp_op1(cx, OP_NOT, a);
    if (imp->op == OP_MOD && imp->type == TYPE_BOOL && imp_is_pure(a) && imp_is_pure(b))
        return zero(cx, imp->type);
    if (imp->op == OP_ADD || imp->op == OP_SUB)
        return sum(cx, imp);
    if (imp->op == OP_POW)
        return power(cx, imp);
    return opposite(imp->op) == OP_NONE ? imp : comparison(cx, imp);
}

static bool is_literal_choice(const struct imp *imp)
{
    return imp_is_op(imp, OP_SELECT) && is_literal(imp->arg[1]) && is_literal(imp->arg[2]);
}

/* Applies an operator to both constants of a choice, if its other operands are constant. */
static const struct imp *distributed(struct context *cx, const struct imp *imp)
{
    const struct imp *choice = NULL, *branch[2];
    for (int i = 0; i < imp->args; i++) {
        if (is_literal_choice(imp->arg[i]) && !choice)
            choice = imp->arg[i];
        else if (!is_literal(imp->arg[i]))
            return imp;
    }
    for (int side = 0; choice && side < 2; side++) {
        const struct imp *arg[3];
        for (int i = 0; i < imp->args; i++)
            arg[i] = imp->arg[i] == choice ? choice->arg[1 + side] : imp->arg[i];
        branch[side] = folded(cx, imp_with_args(cx, imp, arg));
    }
    return choice ? imp_select(cx, choice->arg[0], branch[0], branch[1]) : imp;
}

static const struct imp *operation(struct context *cx, const struct imp *imp)
{
    if (imp->lanes > 1)
        return imp;
    if (all_literals(imp))
        return folded(cx, imp);
    const struct imp *constants = imp->op == OP_SELECT ? imp : distributed(cx, imp);
    if (constants != imp)
        return constants;
    switch (op_arity(imp->op)) {
    case 1: return imp->op == OP_NOT ? negation(cx, imp) : unary(cx, imp);
    case 2: return opposite(imp->op) != OP_NONE ? comparison(cx, imp) : binary(cx, imp);
    default: return choice(cx, imp);
    }
}

/* ---- conversions and lanes ---- */

/* Is some bit always set, as in `a or 3`? */
static bool is_never_zero(const struct imp *imp)
{
    for (int i = 0; i < imp->args && imp_is_op(imp, OP_OR); i++)
        if (is_literal(imp->arg[i]) && !value_is_zero(imp->arg[i]->value))
            return true;
    return false;
}

/* Drops a conversion to an integer type that holds every value, if another conversion between
 * integers follows. */
static const struct imp *cast(struct context *cx, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    if (a->type == imp->type)
        return a;
    if (is_literal(a))
        return imp_literal(cx, value_convert(a->value, imp->type));
    if (imp->type == TYPE_BOOL && is_never_zero(a))
        return imp_true(cx);
    bool widened = a->kind == IMP_CAST && type_is_integer(imp->type) && type_is_integer(a->type)
                   && is_exact(a->arg[0]->type)
                   && type_promote(a->arg[0]->type, a->type) == a->type;
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
