/* types.c - the types of expressions.
 *
 * Every operation is carried out in the promoted type of its operands.  A literal has no type of
 * its own: it takes that of what it is combined with, so that 2 * x keeps x's type; a
 * floating-point literal makes integers f64, an imaginary one makes reals complex.  What is built
 * of literals only is as weak as they are ("weak" below), and settles when it meets something that
 * is not.  Sums and products are carried out in the promoted type of their body and of the
 * statement's result, so that a wide result is not summed in narrow numbers.
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
    enum type result;
    int errors;
};

/* May one more mistake be reported? */
static bool complains(struct typing *t) { return ++t->errors <= TIN_ERRORS_MAX; }

static struct typed strong(const struct tin *node) { return (struct typed){node, STRONG}; }

/* ---- settling ---- */

/* The type that a weak expression takes beside one of a type; its own beside bool. */
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
        diag_note(t->cx, diag, "a literal takes the type of what it is combined with");
        if (type_is_integer(type))
            diag_help(t->cx, diag, "write %s.0 to compute in f64", text);
    }
    return tin_literal(t->cx, node->span, converted);
}

/* The type in which a weak operation is carried out where this one is wanted: its own if it is not
 * defined on that or gives another, as and(1, 3) beside a float and abs(2) beside a complex
 * value. */
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

/* A weak expression, computed in a type: its literals become that type. */
static const struct tin *settle(struct typing *t, const struct tin *node, enum type type)
{
    if (node->kind == TIN_LITERAL)
        return settle_literal(t, node, type);
    const struct tin *arg[3];
    int first = node->op == OP_SELECT; /* its condition is settled already */
    type = operation_type(t->cx, node, type);
    for (int i = 0; i < node->args; i++)
        arg[i] = i < first ? node->arg[i] : settle(t, node->arg[i], type);
    return tin_op(t->cx, node->span, node->op, arg, node->args);
}

static const struct tin *settle_beside(struct typing *t, struct typed a, enum type beside)
{
    if (a.weak == STRONG)
        return a.node;
    return settle(t, a.node, settled_type(a, beside));
}

/* ---- expressions ---- */

static struct typed type_expression(struct typing *t, const struct tin *node);

/* And, or, xor take the bits of their operands; what else is not defined on all types needs an
 * order. */
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

/* The operator on operands of these types: is it defined, and what it is declared to be? */
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

/* An operation on literals only is as weak as they are, unless its type no longer follows from
 * theirs: a comparison, the real type of a complex one.  Then it is settled here. */
static struct typed type_constant(struct typing *t, const struct tin *node, enum type compute)
{
    if (node->type == compute)
        return (struct typed){node, type_literal(node).weak};
    return strong(settle(t, node, compute));
}

/* Give the operands their types: weak ones settle beside the strong.  Are all weak? */
static bool settle_operands(struct typing *t, enum op op, struct typed *arg, int args)
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
    for (int i = 0; i < args; i++)
        operand[i] = beside;
    beside = operator_compute_type(op, operand);
    for (int i = first; i < args && !all_weak; i++)
        arg[i] = strong(settle_beside(t, arg[i], beside));
    return all_weak;
}

static struct typed type_op(struct typing *t, const struct tin *node)
{
    struct typed arg[3];
    const struct tin *nodes[3];
    enum type operand[3];
    for (int i = 0; i < node->args; i++)
        arg[i] = type_expression(t, node->arg[i]);
    bool all_weak = settle_operands(t, node->op, arg, node->args);
    for (int i = 0; i < node->args; i++) {
        nodes[i] = arg[i].node;
        operand[i] = nodes[i]->type;
    }
    check_operator(t, node->span, node->op, operator_name(t->cx, node->op), operand, node->args);
    const struct tin *typed = tin_op(t->cx, node->span, node->op, nodes, node->args);
    return all_weak ? type_constant(t, typed, operator_compute_type(node->op, operand))
                    : strong(typed);
}

/* A reduction by an operator of the user's needs an identity to start from. */
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

static struct typed type_reduction(struct typing *t, const struct tin *node)
{
    struct typed body = type_expression(t, node->arg[0]);
    bool logical = node->op == OP_OR || node->op == OP_AND; /* of anything, compared with 0 */
    const struct tin *settled = settle_beside(t, body, logical ? TYPE_BOOL : t->result);
    enum type operand[2] = {settled->type, settled->type};
    if (!logical && !op_is_user(node->op))
        check_operator(t, node->span, node->op, reduction_name(node->op), operand, 1);
    struct tin *typed =
        (struct tin *)tin_reduce(t->cx, node->span, node->op, node->index, node->indices, settled);
    typed->index_span = node->index_span;
    if (node->op == OP_ADD || node->op == OP_MUL || op_is_user(node->op))
        typed->type = type_promote(settled->type, t->result);
    if (op_is_user(node->op))
        check_accumulator(t, typed);
    return strong(typed);
}

static struct typed type_expression(struct typing *t, const struct tin *node)
{
    switch (node->kind) {
    case TIN_LITERAL: return type_literal(node);
    case TIN_OP: return type_op(t, node);
    case TIN_REDUCE: return type_reduction(t, node);
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

const struct tin *tin_type(struct context *cx, struct span span, enum op op,
                           const struct tin *result, const struct tin *value)
{
    struct typing t = {cx, result->type, 0};
    const struct tin *typed = settle_beside(&t, type_expression(&t, value), result->type);
    if (t.errors == 0)
        check_assignment(&t, op, result, typed);
    return t.errors ? NULL : tin_assign(cx, span, op, result, typed);
}

const struct tin *tin_type_value(struct context *cx, const struct tin *value, enum type beside)
{
    struct typing t = {cx, beside, 0};
    const struct tin *typed = settle_beside(&t, type_expression(&t, value), beside);
    return t.errors ? NULL : typed;
}
