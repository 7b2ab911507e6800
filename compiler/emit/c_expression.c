/* c_expression.c - expressions in C, with as few parentheses and conversions as C and its
 * compilers' warnings allow.
 *
 * Every expression is first made as a piece: its text, how tightly that binds, and in what its type
 * in C may differ from the type in the IR.  Only where a piece is used is it decided what must be
 * written around it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"
#include "compiler/imperative/query.h"

static struct c_piece raw(struct c_writer *w, const struct imp *imp);

/* ---- pieces ---- */

static struct c_piece atom(const char *text)
{
    return (struct c_piece){.text = text, .place = C_POSTFIX};
}

static struct c_piece narrowed(struct c_writer *w, struct c_piece piece, enum type type)
{
    if (!piece.wide)
        return piece;
    return (struct c_piece){.place = C_UNARY,
                            .text = arena_printf(w->cx->arena, "(%s)%s", c_type(w, type),
                                                 c_enclose(w, piece, C_UNARY))};
}

struct c_piece c_expression(struct c_writer *w, const struct imp *imp)
{
    return narrowed(w, raw(w, imp), imp->type);
}

const char *c_at(struct c_writer *w, const struct imp *imp, enum c_place place)
{
    return c_enclose(w, c_expression(w, imp), place);
}

/* Does C convert `from` to `to` by itself, as the cast would, and without loss of values? */
static bool widens(const struct imp *imp)
{
    if (imp->kind != IMP_CAST || imp->lanes > 1)
        return false;
    enum type from = imp->arg[0]->type, to = imp->type;
    return !type_is_complex(to) && to != TYPE_BOOL && type_promote(from, to) == to;
}

const char *c_value(struct c_writer *w, const struct imp *imp)
{
    if (widens(imp))
        return c_expression(w, imp->arg[0]).text;
    bool real = imp->kind == IMP_LITERAL && type_is_complex(imp->type) && imp->value.c.im == 0
                && !__builtin_signbit(imp->value.c.im);
    if (real)
        return c_literal(w, value_real(type_real(imp->type), imp->value.c.re)).text;
    return raw(w, imp).text;
}

const char *c_position(struct c_writer *w, const struct imp *imp, enum c_place place)
{
    while (widens(imp) && type_is_integer(imp->arg[0]->type))
        imp = imp->arg[0];
    return c_at(w, imp, place);
}

/* ---- operators ---- */

/* Returns a piece of exactly its type where C may take it for an int. */
static struct c_piece strong(struct c_writer *w, struct c_piece piece, const struct imp *imp)
{
    if (!piece.weak)
        return piece;
    const char *text = imp->kind == IMP_LITERAL
                           ? c_strong_literal(w, imp->value)
                           : arena_printf(w->cx->arena, "(%s)%s", c_type(w, imp->type),
                                          c_enclose(w, piece, C_UNARY));
    return (struct c_piece){.text = text, .place = C_UNARY};
}

struct pair {
    struct c_piece a, b;
};

/* Returns the two operands of an operator that converts them to a common type as C's usual
 * arithmetic conversions do: a cast, or the type of a literal, is written only where the other
 * operand does not bring it about. */
static struct pair operands(struct c_writer *w, const struct imp *imp)
{
    const struct imp *x = imp->arg[0], *y = imp->arg[1];
    struct pair p = {c_expression(w, x), c_expression(w, y)};
    bool drop_y = widens(y) && !p.a.weak, drop_x = !drop_y && widens(x) && !p.b.weak;
    if (type_size(imp->computed) < 4 || type_is_complex(imp->computed))
        return p;
    if (drop_y)
        p.b = c_expression(w, y->arg[0]);
    else if (drop_x)
        p.a = c_expression(w, x->arg[0]);
    else if (p.a.weak && p.b.weak)
        p.a = strong(w, p.a, x);
    return p;
}

static struct c_piece infix(struct c_writer *w, const char *a, const char *sign, const char *b,
                            enum c_place place)
{
    return (struct c_piece){.place = place,
                            .text = arena_printf(w->cx->arena, "%s" C_BREAK "%s %s", a, sign, b)};
}

static struct c_piece arithmetic(struct c_writer *w, const struct imp *imp, const char *sign,
                                 enum c_place place)
{
    struct pair p = operands(w, imp);
    bool small = type_size(imp->computed) < 4 && type_is_integer(imp->computed);
    const char *a = c_enclose(w, p.a, place);
    if (imp->computed == TYPE_U16 && imp->op == OP_MUL) /* two of them may overflow an int */
        a = arena_printf(w->cx->arena, "(%s)%s", c_type(w, TYPE_U32), c_enclose(w, p.a, C_UNARY));
    struct c_piece piece = infix(w, a, sign, c_enclose(w, p.b, place + 1), place);
    piece.wide = small;
    return piece;
}

/* Returns a comparison.  Compilers ask for parentheses around comparisons and negations in it. */
static struct c_piece comparison(struct c_writer *w, const struct imp *imp)
{
    struct pair p = operands(w, imp);
    enum c_place place = imp->op == OP_EQ || imp->op == OP_NE ? C_EQUAL : C_LESS;
    return infix(w, c_enclose(w, p.a, C_ADD), op_name(imp->op), c_enclose(w, p.b, C_ADD), place);
}

/* Returns an operand, in parentheses unless it is of the operator's own kind, `place`, or binds at
 * least as tightly as `other`. */
static const char *alike(struct c_writer *w, struct c_piece piece, enum c_place place,
                         enum c_place other)
{
    return c_enclose(w, piece, piece.place == place ? place : other);
}

static struct c_piece bitwise(struct c_writer *w, const struct imp *imp, const char *sign,
                              enum c_place place)
{
    struct pair p = operands(w, imp);
    return infix(w, alike(w, p.a, place, C_UNARY), sign, alike(w, p.b, place, C_UNARY), place);
}

static struct c_piece logical(struct c_writer *w, const struct imp *imp, const char *sign,
                              enum c_place place)
{
    struct c_piece a = c_expression(w, imp->arg[0]), b = c_expression(w, imp->arg[1]);
    const char *left = alike(w, a, place, C_EQUAL);
    return infix(w, left, sign, alike(w, b, place, C_EQUAL), place);
}

static struct c_piece select(struct c_writer *w, const struct imp *imp)
{
    struct c_piece a = c_expression(w, imp->arg[1]), b = c_expression(w, imp->arg[2]);
    return (struct c_piece){.place = C_SELECT,
                            .weak = a.weak && b.weak,
                            .text = arena_printf(w->cx->arena, "%s" C_BREAK "? %s" C_BREAK ": %s",
                                                 c_at(w, imp->arg[0], C_OR), c_enclose(w, a, C_OR),
                                                 c_enclose(w, b, C_SELECT))};
}

/* Returns a call.  C converts the arguments, but compilers may warn about it if the function is
 * their own. */
static struct c_piece call_of(struct c_writer *w, const char *name, const struct imp *const *arg,
                              int args, bool convert)
{
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "%s(", name);
    for (int i = 0; i < args; i++) {
        bool array = arg[i]->kind == IMP_VAR && arg[i]->var->array;
        text_printf(&text, "%s%s", i ? "," C_BREAK : "",
                    array     ? c_name(w, arg[i]->var)
                    : convert ? c_value(w, arg[i])
                              : c_at(w, arg[i], C_ANY));
    }
    text_add(&text, ")");
    return atom(text.at);
}

static struct c_piece helper(struct c_writer *w, const struct imp *imp)
{
    const char *name = c_has_own_type(w, imp->computed)
                           ? w->device->function(w, imp->op, imp->computed)
                           : c_op_helper(w, imp->op, imp->computed);
    return call_of(w, name, imp->arg, imp->args, true);
}

/* Returns a call of the C library: __builtin_sqrt and __builtin_csinf need no header; in plain C
 * they are sqrt and csinf. */
static struct c_piece library(struct c_writer *w, const struct imp *imp, const char *word)
{
    bool single = type_size(type_real(imp->computed)) == 4;
    bool complex = type_is_complex(imp->computed);
    if (c_has_own_type(w, imp->computed))
        return helper(w, imp);
    const char *name = arena_printf(w->cx->arena, "%s%s%s%s", c_library(w, imp->computed),
                                    complex ? "c" : "", word, single ? "f" : "");
    bool inlined = imp->op == OP_CONJ || imp->op == OP_REAL || imp->op == OP_IMAG
                   || (imp->op == OP_ABS && !complex);
    w->uses_libm = w->uses_libm || !inlined;
    return call_of(w, name, imp->arg, imp->args, false);
}

/* May it stand there twice?  In plain C a sum of few things may, rather than have a helper. */
static bool is_repeated(const struct c_writer *w, const struct imp *imp)
{
    enum { FEW = 12 };
    if (imp_is_leaf(imp) || !w->iso || imp->size > FEW)
        return imp_is_leaf(imp);
    bool may = imp->kind == IMP_LOAD || imp->kind == IMP_CAST
               || (imp->kind == IMP_OP && (imp->op == OP_ADD || imp->op == OP_SUB));
    for (int i = 0; i < imp->args && may; i++)
        may = is_repeated(w, imp->arg[i]);
    return may;
}

static struct c_piece least(struct c_writer *w, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    if (type_is_float(imp->computed) || !is_repeated(w, a) || !is_repeated(w, b))
        return helper(w, imp);
    struct c_piece p = c_expression(w, a), q = c_expression(w, b);
    const char *x = c_enclose(w, p, C_ADD), *y = c_enclose(w, q, C_ADD);
    const char *text = arena_printf(w->cx->arena, "%s %s %s" C_BREAK "? %s" C_BREAK ": %s", x,
                                    imp->op == OP_MIN ? "<" : ">", y, x, y);
    return (struct c_piece){.place = C_SELECT, .weak = p.weak && q.weak, .text = text};
}

/* Returns a quotient of integers.  C's is right unless the divisor may be 0 or -1. */
static struct c_piece quotient(struct c_writer *w, const struct imp *imp, const char *sign)
{
    const struct imp *by = imp->arg[1];
    while (by->kind == IMP_CAST && type_is_integer(by->type)
           && type_promote(by->arg[0]->type, by->type) == by->type) /* (i8)(u8)255 is -1 */
        by = by->arg[0];
    bool plain = by->kind == IMP_VAR ? by->var->positive
                                     : by->kind == IMP_LITERAL && !value_is_zero(by->value)
                                           && value_double(by->value) != -1;
    if (imp->op == OP_DIV && !type_is_integer(imp->computed))
        plain = !c_has_own_type(w, imp->computed);
    return plain ? arithmetic(w, imp, sign, C_MUL) : helper(w, imp);
}

static struct c_piece prefix(struct c_writer *w, const struct imp *imp, const char *sign,
                             enum c_place place)
{
    struct c_piece a = strong(w, c_expression(w, imp->arg[0]), imp->arg[0]);
    bool small = type_is_integer(imp->type) && type_size(imp->type) < 4;
    return (struct c_piece){
        .place = place,
        .wide = small,
        .text = arena_printf(w->cx->arena, "%s%s", sign,
                             c_enclose(w, a, a.text[0] == sign[0] ? C_POSTFIX : C_UNARY))};
}

/* Returns the complement.  Of a small x, ~x is an int, and compilers warn when it is compared,
 * however it is written; of a truth value also when it is first converted to a wide type.  They see
 * no int if a function stands between. */
static struct c_piece complement(struct c_writer *w, const struct imp *imp)
{
    const struct imp *arg = imp->arg[0];
    while (arg->kind == IMP_CAST && type_is_integer(arg->type))
        arg = arg->arg[0];
    return type_size(arg->type) < 4 ? helper(w, imp) : prefix(w, imp, "~", C_UNARY);
}

/* Returns an operation on bools: arithmetic followed by conversion to bool is logic. */
static struct c_piece bool_op(struct c_writer *w, const struct imp *imp)
{
    const char *a; /* first, so that its helpers come first, whatever compiled this */
    switch (imp->op) {
    case OP_ADD:
    case OP_OR:
    case OP_HEAVISIDE:
    case OP_MAX: return logical(w, imp, "||", C_OR);
    case OP_MUL:
    case OP_DIV:
    case OP_AND:
    case OP_MIN: return logical(w, imp, "&&", C_AND);
    case OP_SUB:
    case OP_XOR:
    case OP_NE:
        a = c_at(w, imp->arg[0], C_ADD);
        return infix(w, a, "!=", c_at(w, imp->arg[1], C_ADD), C_EQUAL);
    case OP_ANY_SHIFT: /* true is there as long as nothing shifts it away */
        a = c_at(w, imp->arg[0], C_ADD);
        return infix(w, a, ">", c_at(w, imp->arg[1], C_ADD), C_LESS);
    case OP_EQ:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return comparison(w, imp);
    case OP_CTZ: /* of one bit */
    case OP_NOT: return prefix(w, imp, "!", C_NOT);
    case OP_MOD:
    case OP_IMAG: return c_literal(w, value_zero(TYPE_BOOL));
    case OP_SELECT: return select(w, imp);
    case OP_NEG:
    case OP_ABS:
    case OP_SIGN:
    case OP_REAL:
    case OP_CONJ:
    case OP_POPCOUNT:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_ANY_ROUNDING:
    case OP_ANY_CONVERSION:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return c_expression(w, imp->arg[0]);
}

static struct c_piece part(struct c_writer *w, const struct imp *imp)
{
    bool complex = type_is_complex(imp->computed);
    if (!complex)
        return imp->op == OP_REAL ? c_expression(w, imp->arg[0])
                                  : c_literal(w, value_zero(imp->type));
    if (w->device)
        return atom(arena_printf(w->cx->arena, "%s.%s", c_at(w, imp->arg[0], C_POSTFIX),
                                 imp->op == OP_REAL ? "re" : "im"));
    if (w->iso)
        return library(w, imp, imp->op == OP_REAL ? "real" : "imag");
    return prefix(w, imp, imp->op == OP_REAL ? "__real__ " : "__imag__ ", C_UNARY);
}

/* Returns a rounded value, or a conjugate; the operand itself if its type has nothing to round. */
static struct c_piece rounding(struct c_writer *w, const struct imp *imp, const char *word)
{
    bool rounds =
        imp->op == OP_CONJ ? type_is_complex(imp->computed) : type_is_float(imp->computed);
    return rounds ? library(w, imp, word) : c_expression(w, imp->arg[0]);
}

static struct c_piece magnitude(struct c_writer *w, const struct imp *imp)
{
    switch (type_kind(imp->computed)) {
    case KIND_BOOL:
    case KIND_UINT: return c_expression(w, imp->arg[0]);
    case KIND_INT: return helper(w, imp);
    case KIND_FLOAT: return library(w, imp, "fabs");
    case KIND_COMPLEX: break;
    }
    return library(w, imp, "abs");
}

static struct c_piece reciprocal_root(struct c_writer *w, const struct imp *imp)
{
    const char *one = c_literal(w, value_int(imp->computed, 1)).text;
    return (struct c_piece){
        .place = C_MUL,
        .text = arena_printf(w->cx->arena, "%s / %s", one, library(w, imp, "sqrt").text)};
}

static struct c_piece op(struct c_writer *w, const struct imp *imp)
{
    bool integer = type_is_integer(imp->computed);
    if (imp->computed == TYPE_BOOL)
        return bool_op(w, imp);
    switch (imp->op) {
    case OP_ADD: return arithmetic(w, imp, "+", C_ADD);
    case OP_SUB: return arithmetic(w, imp, "-", C_ADD);
    case OP_MUL: return arithmetic(w, imp, "*", C_MUL);
    case OP_DIV: return quotient(w, imp, "/");
    case OP_MOD: return integer ? quotient(w, imp, "%") : library(w, imp, "fmod");
    case OP_NEG: return prefix(w, imp, "-", C_UNARY);
    case OP_ANY_COMPARISON: return comparison(w, imp);
    case OP_MIN:
    case OP_MAX: return least(w, imp);
    case OP_AND: return bitwise(w, imp, "&", C_BITAND);
    case OP_OR: return bitwise(w, imp, "|", C_BITOR);
    case OP_XOR: return bitwise(w, imp, "^", C_BITXOR);
    case OP_NOT: return complement(w, imp);
    case OP_ABS: return magnitude(w, imp);
    case OP_SIGN: return helper(w, imp);
    case OP_REAL:
    case OP_IMAG: return part(w, imp);
    case OP_CONJ: return rounding(w, imp, "onj");
    case OP_SQRT: return library(w, imp, "sqrt");
    case OP_CBRT: return library(w, imp, "cbrt");
    case OP_EXP: return library(w, imp, "exp");
    case OP_LOG: return library(w, imp, "log");
    case OP_LOG2: return library(w, imp, "log2");
    case OP_LOG10: return library(w, imp, "log10");
    case OP_SIN: return library(w, imp, "sin");
    case OP_COS: return library(w, imp, "cos");
    case OP_TAN: return library(w, imp, "tan");
    case OP_ASIN: return library(w, imp, "asin");
    case OP_ACOS: return library(w, imp, "acos");
    case OP_ATAN: return library(w, imp, "atan");
    case OP_ATAN2: return library(w, imp, "atan2");
    case OP_SINH: return library(w, imp, "sinh");
    case OP_COSH: return library(w, imp, "cosh");
    case OP_TANH: return library(w, imp, "tanh");
    case OP_ASINH: return library(w, imp, "asinh");
    case OP_ACOSH: return library(w, imp, "acosh");
    case OP_ATANH: return library(w, imp, "atanh");
    case OP_EXPM1: return library(w, imp, "expm1");
    case OP_LOG1P: return library(w, imp, "log1p");
    case OP_ERF: return library(w, imp, "erf");
    case OP_COPYSIGN: return library(w, imp, "copysign");
    case OP_RSQRT: return reciprocal_root(w, imp);
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE: return helper(w, imp);
    case OP_POW: return type_is_complex(imp->computed) ? helper(w, imp) : library(w, imp, "pow");
    case OP_FLOOR: return rounding(w, imp, "floor");
    case OP_CEIL: return rounding(w, imp, "ceil");
    case OP_ROUND: return rounding(w, imp, "round");
    case OP_TRUNC: return rounding(w, imp, "trunc");
    case OP_SELECT: return select(w, imp);
    case OP_ANY_CONVERSION:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    context_bug(w->cx, "an operator without a form in C");
}

/* ---- conversions ---- */

static struct c_piece plain_cast(struct c_writer *w, enum type to, const char *operand)
{
    return (struct c_piece){.place = C_UNARY,
                            .text = arena_printf(w->cx->arena, "(%s)%s", c_type(w, to), operand)};
}

static struct c_piece cast(struct c_writer *w, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    enum type from = a->type, to = imp->type;
    struct c_piece piece = c_expression(w, a);
    if (to == TYPE_BOOL)
        return infix(w, c_enclose(w, piece, C_ADD), "!=",
                     type_is_integer(from) ? "0" : c_literal(w, value_zero(type_real(from))).text,
                     C_EQUAL);
    if (type_is_complex(from) && !type_is_complex(to)) {
        piece = part(w, imp_op1(w->cx, OP_REAL, a));
        from = type_real(from);
        if (from == to)
            return piece;
    }
    if (c_has_own_type(w, from))
        return atom(
            arena_printf(w->cx->arena, "%s(%s)", w->device->convert(w, to, from), piece.text));
    if (type_is_float(from) && type_is_integer(to))
        return atom(arena_printf(w->cx->arena, "%s(%s)", c_cast_helper(w, to, from), piece.text));
    return plain_cast(w, to, c_enclose(w, piece, C_UNARY));
}

/* ---- all ---- */

static const char *variable(struct c_writer *w, const struct imp_var *var)
{
    for (size_t i = 0; i < w->stepped.n; i++)
        if (w->stepped.at[i] == var)
            return arena_printf(w->cx->arena, "%s++", c_name(w, var));
    return c_name(w, var);
}

static struct c_piece raw(struct c_writer *w, const struct imp *imp)
{
    if (imp->lanes > 1)
        return c_vector_expression(w, imp);
    switch (imp->kind) {
    case IMP_LITERAL: return c_literal(w, imp->value);
    case IMP_VAR: return atom(variable(w, imp->var));
    case IMP_OP: return op(w, imp);
    case IMP_CAST: return cast(w, imp);
    case IMP_LOAD:
        return atom(arena_printf(w->cx->arena, "%s[%s]", c_name(w, imp->var),
                                 c_position(w, imp->arg[0], C_ANY)));
    case IMP_CALL:
        if (w->iso && c_plain_library(imp->function))
            return c_plain_call(w, imp);
        return call_of(w, c_helper_name(w, imp->function->name), imp->arg, imp->args, true);
    case IMP_LANE:
        return atom(
            arena_printf(w->cx->arena, "%s[%d]", c_at(w, imp->arg[0], C_POSTFIX), (int)imp->n));
    case IMP_IN_LINE: return (struct c_piece){.text = c_in_line(w, imp), .place = C_UNARY};
    case IMP_THREADS: return atom(arena_printf(w->cx->arena, "%s()", c_threads_helper(w)));
    case IMP_STOPPED: return (struct c_piece){.text = "*stop", .place = C_UNARY};
    case IMP_EXCHANGE: return w->device->exchange(w, imp);
    case IMP_UPDATE:
    case IMP_FETCH:
    case IMP_LANES:
    case IMP_BROADCAST:
    case IMP_SHUFFLE:
    case IMP_ANY_STATEMENT: break;
    }
    context_bug(w->cx, "a statement stands for a value");
}
