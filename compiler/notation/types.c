/* types.c - the types of expressions.
 *
 * Every operation is computed in the promoted type of its operands.  If that could lose digits for
 * which its goal has room, it is computed in a wider type of the same kind: the value of an i32
 * result is not computed in i8.  Conversions of operands say so.  A comparison takes numbers as
 * they are: integers and truth values in its operands are computed in 64 bits, whatever the result
 * is.
 *
 * A literal has no type of its own, and takes that of its neighbour: 2 * x has x's type.  A
 * floating-point literal makes integers f64, an imaginary one makes reals complex.  An expression
 * of literals only is as weak as they are ("weak" below), and settles when it meets one that is
 * not.  Sums and products are computed in the promoted type of their body and their goal, so a
 * wide result is not summed in narrow numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/notation/check.h"
#include "compiler/notation/operator.h"
#include "compiler/notation/words.h"

enum weakness { STRONG, WEAK_INTEGER, WEAK_FLOAT, WEAK_COMPLEX };

/* An expression whose type is settled (STRONG), or of literals only. */
struct typed {
    const struct tin *node;
    enum weakness weak;
};

struct typing {
    struct context *cx;
    int errors;
};

/* The types of the goals of an operation's value and of a sum's; bool: nothing wider. */
struct goal {
    enum type operation, sum;
};

/* May one more mistake be reported? */
static bool complains(struct typing *t) { return ++t->errors <= TIN_ERRORS_MAX; }

static struct typed strong(const struct tin *node) { return (struct typed){node, STRONG}; }

/* ---- settling ---- */

/* Returns the type of a weak expression beside one of this type; beside bool, its own. */
static enum type settled_type(struct typed weak, enum type beside)
{
    switch (weak.weak) {
    case STRONG: break;
    case WEAK_INTEGER: return beside == TYPE_BOOL ? weak.node->type : beside;
    case WEAK_FLOAT: return type_is_float(beside) || type_is_complex(beside) ? beside : TYPE_F64;
    case WEAK_COMPLEX: return beside == TYPE_F32 || beside == TYPE_C64 ? TYPE_C64 : TYPE_C128;
    }
    return weak.node->type;
}

static bool holds(struct value v, struct value converted)
{
    if (type_is_integer(converted.type)) {
        bool negative = type_kind(v.type) == KIND_INT && v.i < 0;
        return value_equal(value_convert(converted, v.type), v)
               && !(negative && type_kind(converted.type) == KIND_UINT)
               && !(type_kind(v.type) == KIND_UINT && type_kind(converted.type) == KIND_INT
                    && converted.i < 0);
    }
    return !isinf(value_double(converted)) || isinf(value_double(v));
}

static const struct tin *settle_literal(struct typing *t, const struct tin *node, enum type type)
{
    struct value converted = value_convert(node->value, type);
    if (!holds(node->value, converted) && complains(t)) {
        char text[64];
        value_print(node->value, text, sizeof text);
        struct diag *diag = diag_error(t->cx, DIAG_LITERAL, node->span,
                                       "%s is not a value of the type %s", text, type_name(type));
        diag_note(t->cx, diag, "a literal takes the type of the other operand");
        if (type_is_integer(type))
            diag_help(t->cx, diag, "write %s.0 to compute in f64", text);
    }
    return tin_literal(t->cx, node->span, converted);
}

/* Returns the type in which a weak operation is computed where this one is wanted.  It is the
 * operation's own if the operation is not defined on the wanted type, or gives another: and(1, 3)
 * beside a float, abs(2) beside a complex value. */
static enum type operation_type(const struct context *cx, const struct tin *node, enum type wanted)
{
    const enum type same[3] = {wanted, wanted, wanted};
    enum type own[3];
    for (int i = 0; i < node->args; i++)
        own[i] = node->arg[i]->type;
    bool fits =
        operator_accepts(cx, node->op, same) && operator_result_type(cx, node->op, same) == wanted;
    return fits ? wanted : operator_compute_type(node->op, own);
}

static const struct tin *settle_to(struct typing *t, const struct tin *node, enum type type);

/* Computes a weak expression in a type, to which its literals are converted. */
static const struct tin *settle(struct typing *t, const struct tin *node, enum type type)
{
    if (node->kind == TIN_LITERAL)
        return settle_literal(t, node, type);
    const struct tin *arg[3];
    int first = node->op == OP_SELECT; /* the condition is settled already */
    type = operation_type(t->cx, node, type);
    for (int i = 0; i < node->args; i++)
        arg[i] = i < first ? node->arg[i] : settle_to(t, node->arg[i], type);
    return tin_op(t->cx, node->span, node->op, arg, node->args);
}

/* Gives a weak expression the type: and(1, 3), which is no float, is converted beside a float. */
static const struct tin *settle_to(struct typing *t, const struct tin *node, enum type type)
{
    node = settle(t, node, type);
    return node->type == type ? node : tin_op(t->cx, node->span, op_conversion(type), &node, 1);
}

static const struct tin *settle_beside(struct typing *t, struct typed a, enum type beside)
{
    if (a.weak == STRONG)
        return a.node;
    return settle_to(t, a.node, settled_type(a, beside));
}

/* ---- expressions ---- */

static struct typed type_expression(struct typing *t, const struct tin *node, struct goal goal);

static bool is_exact(enum type type) { return type == TYPE_BOOL || type_is_integer(type); }

/* Returns the type of the first one's kind (bool counts as integer) with room for the second. */
static enum type wider(enum type type, enum type goal)
{
    enum type both;
    if (goal == TYPE_BOOL)
        return type;
    if (is_exact(type)) {
        both = type_promote(type, type_is_integer(goal) ? goal : TYPE_I64);
        both = type_is_integer(both) ? both : type_promote(type, TYPE_I64);
        return type_is_integer(both) ? both : type;
    }
    if (type_is_integer(goal))
        return type;
    return type_promote(type, type_is_complex(type) ? goal : type_real(goal));
}

/* Returns the type in which sums of the type add up. */
static enum type accumulator(enum type type, enum type goal)
{
    enum type both = type_promote(type, goal);
    return is_exact(type) && is_exact(goal) && !is_exact(both) ? type : both;
}

/* May the value need more digits than the operands have?  A product of truth values counts as one
 * of numbers. */
static bool may_outgrow(enum op op, enum type type)
{
    if (op_is_user(op))
        return type != TYPE_BOOL;
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_NEG:
    case OP_SHL: return true;
    case OP_MUL:
    case OP_DIV:
    case OP_ABS:
    case OP_ANY_ANALYTIC:
    case OP_POW: return type != TYPE_BOOL;
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ANY_BIT_COUNT:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_SHR:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return false;
}

/* Returns the type in which an operation is computed whose operands meet in this type. */
static enum type carried_out(const struct typing *t, enum op op, enum type type, enum type goal)
{
    enum type wide = may_outgrow(op, type) ? wider(type, goal) : type;
    return operator_accepts(t->cx, op, (const enum type[]){wide, wide, wide}) ? wide : type;
}

static const struct goal compared = {TYPE_I64, TYPE_I64};

/* Returns the goal of one of the operation's operands. */
static struct goal goal_of(enum op op, int operand, struct goal goal)
{
    if (op_is_user(op))
        return goal;
    switch (op) {
    case OP_ANY_COMPARISON: return compared;
    case OP_ANY_BITWISE:
    case OP_ANY_BIT_COUNT:
    case OP_NOT: goal.operation = TYPE_BOOL; return goal;
    case OP_ANY_SHIFT: return operand == 0 ? goal : (struct goal){TYPE_BOOL, TYPE_BOOL};
    case OP_SELECT: return operand == 0 ? compared : goal;
    case OP_ANY_CONVERSION:
        /* A conversion's operand is computed as it is; otherwise a printed statement, with its
         * conversions, would mean something else. */
        goal.operation = TYPE_BOOL;
        goal.sum = op_result_type(op, &(enum type){TYPE_BOOL});
        return goal;
    case OP_ADD:
    case OP_SUB:
    case OP_NEG:
    case OP_MUL:
    case OP_DIV:
    case OP_MIN:
    case OP_MAX:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_HEAVISIDE:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return goal;
}

/* And, or, xor combine the bits of their operands.  Other operators that are not defined on all
 * types need an order. */
static bool takes_bits(const struct context *cx, enum op op)
{
    return !operator_accepts(cx, op, (const enum type[]){TYPE_F64, TYPE_F64, TYPE_F64});
}

static void refuse_types(struct typing *t, struct span span, enum op op, const char *name,
                         const enum type *operand, int operands)
{
    const char *types = "";
    if (!complains(t))
        return;
    for (int i = 0; i < operands; i++)
        types =
            arena_printf(t->cx->arena, "%s%s%s", types, i ? " and " : "", type_name(operand[i]));
    struct diag *diag = diag_error(t->cx, DIAG_TYPE, span, "%s is not defined on %s", name, types);
    diag_help(t->cx, diag,
              takes_bits(t->cx, op)
                  ? "it is defined on bool and integers: compare first, as in x(i) != 0"
                  : "complex values have no order: take their abs(...), real(...) or imag(...)");
}

/* Is the operator defined on these types, and as declared? */
static void check_operator(struct typing *t, struct span span, enum op op, const char *name,
                           const enum type *operand, int operands)
{
    enum type type = operator_compute_type(op, operand);
    if (operator_accepts(t->cx, op, operand)) {
        t->errors += !operator_obeys(t->cx, op, type);
    } else if (!op_is_user(op)) {
        refuse_types(t, span, op, name, operand, operands);
    } else if (complains(t)) {
        diag_error(t->cx, DIAG_TYPE, span, "%s is not defined on %s", name, type_name(type));
        operator_explain(t->cx, op, type);
    }
}

static struct typed type_literal(const struct tin *node)
{
    switch (type_kind(node->type)) {
    case KIND_BOOL: break;
    case KIND_INT:
    case KIND_UINT: return (struct typed){node, WEAK_INTEGER};
    case KIND_FLOAT: return (struct typed){node, WEAK_FLOAT};
    case KIND_COMPLEX: return (struct typed){node, WEAK_COMPLEX};
    }
    return strong(node);
}

/* An operation on literals only is as weak as they are, if its type follows from theirs.  The type
 * of a conversion, of a comparison, or of a complex number's real part does not: it is settled
 * here. */
static struct typed type_constant(struct typing *t, const struct tin *node, enum type compute)
{
    if (node->type == compute && node->op != op_conversion(compute))
        return (struct typed){node, type_literal(node).weak};
    return strong(settle(t, node, compute));
}

/* Converts the operands that are not literals to this type, if they are narrower. */
static void widen(struct typing *t, struct typed *arg, int args, enum type type)
{
    for (int i = 0; i < args; i++)
        if (arg[i].weak == STRONG && arg[i].node->type != type)
            arg[i].node = tin_op(t->cx, arg[i].node->span, op_conversion(type), &arg[i].node, 1);
}

/* Gives the operands their types: wide enough for their value, weak ones beside the strong.  Are
 * all of them weak? */
static bool settle_operands(struct typing *t, enum op op, struct typed *arg, int args,
                            enum type goal)
{
    enum type operand[3] = {TYPE_BOOL, TYPE_BOOL, TYPE_BOOL}, beside = TYPE_BOOL;
    int first = op == OP_SELECT;
    bool all_weak = true;
    for (int i = first; i < args; i++) {
        if (arg[i].weak == STRONG) {
            beside = type_promote(beside, arg[i].node->type);
            all_weak = false;
        }
    }
    if (all_weak)
        return true;
    for (int i = first; i < args; i++)
        operand[i] = arg[i].weak == STRONG ? arg[i].node->type : settled_type(arg[i], beside);
    enum type type = operator_compute_type(op, operand), wide = carried_out(t, op, type, goal);
    if (wide != type)
        widen(t, arg, args, wide);
    for (int i = 0; i < args; i++)
        operand[i] = wide != type ? wide : beside;
    beside = operator_compute_type(op, operand);
    for (int i = first; i < args; i++)
        arg[i] = strong(settle_beside(t, arg[i], beside));
    return false;
}

static struct typed type_op(struct typing *t, const struct tin *node, struct goal goal)
{
    struct typed arg[3];
    const struct tin *nodes[3];
    enum type operand[3];
    if (node->op == OP_STORED) /* the component's value does not matter */
        return strong(tin_op(t->cx, node->span, node->op, node->arg, node->args));
    for (int i = 0; i < node->args; i++)
        arg[i] = type_expression(t, node->arg[i], goal_of(node->op, i, goal));
    if (node->op == OP_SELECT) /* the condition stands by itself */
        arg[0] = strong(settle_beside(t, arg[0], arg[0].node->type));
    bool all_weak = settle_operands(t, node->op, arg, node->args, goal.operation);
    for (int i = 0; i < node->args; i++) {
        nodes[i] = arg[i].node;
        operand[i] = nodes[i]->type;
    }
    check_operator(t, node->span, node->op, operator_name(t->cx, node->op), operand, node->args);
    const struct tin *typed = tin_op(t->cx, node->span, node->op, nodes, node->args);
    return all_weak ? type_constant(t, typed, operator_compute_type(node->op, operand))
                    : strong(typed);
}

/* A reduction by a user's operator needs an identity to start from. */
static void check_accumulator(struct typing *t, const struct tin *reduction)
{
    const char *name = operator_name(t->cx, reduction->op);
    const enum type operand[2] = {reduction->type, reduction->type};
    struct value identity;
    check_operator(t, reduction->span, reduction->op, name, operand, 1);
    if (t->errors == 0
        && !operator_identity(t->cx, reduction->op, SIDE_LEFT, reduction->type, &identity)
        && complains(t))
        diag_error(t->cx, DIAG_ALGEBRA, reduction->span,
                   "the identity of %s is not a value of the type %s, in which it reduces here",
                   name, type_name(reduction->type));
}

static struct goal goal_of_body(enum op op, struct goal goal)
{
    if (op == OP_OR || op == OP_AND) /* of any type, compared with 0 */
        return compared;
    if (op == OP_ADD || op == OP_MUL || op_is_user(op))
        goal.operation = goal.sum;
    if (op == OP_XOR)
        goal.operation = TYPE_BOOL;
    return goal;
}

static struct typed type_reduction(struct typing *t, const struct tin *node, struct goal goal)
{
    struct typed body = type_expression(t, node->arg[0], goal_of_body(node->op, goal));
    bool logical = node->op == OP_OR || node->op == OP_AND;
    const struct tin *settled = settle_beside(t, body, logical ? TYPE_BOOL : goal.sum);
    enum type operand[2] = {settled->type, settled->type};
    if (!logical && !op_is_user(node->op))
        check_operator(t, node->span, node->op, reduction_name(node->op), operand, 1);
    struct tin *typed =
        (struct tin *)tin_reduce(t->cx, node->span, node->op, node->index, node->indices, settled);
    typed->index_span = node->index_span;
    if (node->op == OP_ADD || node->op == OP_MUL || op_is_user(node->op))
        typed->type = accumulator(settled->type, goal.sum);
    if (op_is_user(node->op))
        check_accumulator(t, typed);
    return strong(typed);
}

static struct typed type_expression(struct typing *t, const struct tin *node, struct goal goal)
{
    switch (node->kind) {
    case TIN_LITERAL: return type_literal(node);
    case TIN_OP: return type_op(t, node, goal);
    case TIN_REDUCE: return type_reduction(t, node, goal);
    case TIN_ACCESS:
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
    return strong(node);
}

static void check_assignment(struct typing *t, enum op op, const struct tin *result,
                             const struct tin *value)
{
    enum type operand[2] = {result->type, value->type}, stored[2] = {result->type, result->type};
    struct span span = span_join(result->span, value->span);
    const char *name = op_is_user(op) ? operator_name(t->cx, op) : assignment_sign(op);
    if (op != OP_NONE)
        check_operator(t, span, op, name, operand, 2);
    if (op_is_user(op) && t->errors == 0)
        check_operator(t, span, op, name, stored, 2);
    if (t->errors == 0 && type_is_complex(value->type) && !type_is_complex(result->type)
        && complains(t)) {
        struct diag *diag = diag_error(t->cx, DIAG_TYPE, value->span,
                                       "a complex value does not go into %s, which is %s",
                                       result->tensor->name, type_name(result->type));
        diag_help(t->cx, diag, "take its real(...), imag(...) or abs(...), or give %s the type %s",
                  result->tensor->name, type_name(value->type));
    }
}

/* Types the value for its goal; literals without a neighbour take the goal's type.  The condition
 * of keep(e, c) has no goal. */
static const struct tin *type_value(struct typing *t, const struct tin *value, struct goal goal,
                                    enum type beside)
{
    if (value->kind != TIN_OP || value->op != OP_KEEP)
        return settle_beside(t, type_expression(t, value, goal), beside);
    const struct tin *arg[] = {
        type_value(t, value->arg[0], goal, beside),
        settle_beside(t, type_expression(t, value->arg[1], compared), TYPE_BOOL)};
    return tin_op(t->cx, value->span, OP_KEEP, arg, 2);
}

const struct tin *tin_type(struct context *cx, struct span span, enum op op,
                           const struct tin *result, const struct tin *value)
{
    struct typing t = {cx, 0};
    const struct goal goal = {result->type, result->type};
    const struct tin *typed = type_value(&t, value, goal, result->type);
    if (t.errors == 0)
        check_assignment(&t, op, result, typed);
    return t.errors ? NULL : tin_assign(cx, span, op, result, typed);
}

const struct tin *tin_type_value(struct context *cx, const struct tin *value, enum type beside)
{
    struct typing t = {cx, 0};
    const struct goal goal = {TYPE_BOOL, TYPE_BOOL};
    const struct tin *typed = type_value(&t, value, goal, beside);
    return t.errors ? NULL : typed;
}
