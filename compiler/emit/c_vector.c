/* c_vector.c - expressions on vectors, in the vector types of GNU C.
 *
 * A condition on vectors is a vector of integers of the same width whose lanes are 0 or -1; C has
 * no `?:` on vectors (only C++ has), so that a choice is made of bits: b ^ ((a ^ b) & mask).  A
 * vector is never passed to a function, since how that is done depends on the processor; functions
 * take its place in memory, and are inlined.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* Returns the type of masks: the signed integer type of the same width. */
static enum type mask_type(enum type type)
{
    switch (type_size(type)) {
    case 1: return TYPE_I8;
    case 2: return TYPE_I16;
    case 4: return TYPE_I32;
    default: return TYPE_I64;
    }
}

static struct c_piece piece(enum c_place place, const char *text)
{
    return (struct c_piece){.text = text, .place = place};
}

const char *c_vector_at(struct c_writer *w, const struct imp_var *array, const struct imp *position,
                        int lanes)
{
    bool plain = type_kind(position->type) == KIND_INT; /* x + (a + b) is x + a + b */
    const char *at = c_position(w, position, plain ? C_ADD : C_MUL);
    bool zero = position->kind == IMP_LITERAL && value_is_zero(position->value);
    return arena_printf(w->cx->arena, zero ? "*(%s%s *)%s" : "*(%s%s *)(%s + %s)",
                        array->constant ? "const " : "", c_vector_type(w, array->type, lanes),
                        c_name(w, array), at);
}

/* Returns a scalar of exactly its type, because GNU C refuses to narrow one into a lane.  A value
 * computed from bytes is an int until it is cast, even where it fits, and so may `a < b ? a : b`
 * be. */
static const char *scalar(struct c_writer *w, const struct imp *imp, enum c_place place)
{
    bool chosen = imp->op == OP_SELECT || imp->op == OP_MIN || imp->op == OP_MAX;
    if (imp->kind == IMP_LITERAL)
        return c_strong_literal(w, imp->value);
    struct c_piece exact = c_expression(w, imp);
    if (imp->kind != IMP_OP || !type_is_integer(imp->type)
        || (!chosen && type_size(imp->type) >= 4))
        return c_enclose(w, exact, place);
    const char *cast = arena_printf(w->cx->arena, "(%s)", c_type(w, imp->type));
    if (strncmp(c_enclose(w, exact, C_UNARY), cast, strlen(cast)) == 0)
        return c_enclose(w, exact, place);
    return arena_printf(w->cx->arena, "%s%s", cast, c_enclose(w, exact, C_POSTFIX));
}

/* Has it no bit that is set? */
static bool is_unset(const struct imp *imp)
{
    const struct imp *a = imp->kind == IMP_BROADCAST ? imp->arg[0] : imp;
    return a->kind == IMP_LITERAL && value_is_zero(a->value)
           && !__builtin_signbit(value_double(a->value));
}

static struct c_piece broadcast(struct c_writer *w, const struct imp *imp)
{
    const struct imp *a = imp->arg[0];
    const char *type = c_vector_type(w, imp->type, imp->lanes);
    if (is_unset(imp))
        return piece(C_POSTFIX, arena_printf(w->cx->arena, "(%s){0}", type));
    return piece(C_ADD, arena_printf(w->cx->arena, "%s - (%s){0}", scalar(w, a, C_ADD), type));
}

/* Returns an operand of an operator whose other operand is a vector: GNU C then broadcasts it by
 * itself. */
static const char *operand(struct c_writer *w, const struct imp *imp, const struct imp *other,
                           enum c_place place)
{
    if (imp->kind == IMP_BROADCAST && other->kind != IMP_BROADCAST)
        return scalar(w, imp->arg[0], place);
    return c_at(w, imp, place);
}

static const char *infix_text(struct c_writer *w, const struct imp *imp, const char *sign,
                              enum c_place left, enum c_place right)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    const char *first = operand(w, a, b, left), *second = operand(w, b, a, right);
    return arena_printf(w->cx->arena, "%s" C_BREAK "%s %s", first, sign, second);
}

/* Returns `sign` between the operands as masks. */
static struct c_piece mask_op(struct c_writer *w, const struct imp *imp, const char *sign)
{
    const char *a = c_at(w, imp->arg[0], C_UNARY), *b = c_at(w, imp->arg[1], C_UNARY);
    return piece(C_BITAND - 1, arena_printf(w->cx->arena, "%s" C_BREAK "%s %s", a, sign, b));
}

static struct c_piece comparison(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_vector_type(w, mask_type(imp->computed), imp->lanes);
    return piece(C_UNARY, arena_printf(w->cx->arena, "(%s)(%s)", type,
                                       infix_text(w, imp, op_name(imp->op), C_ADD, C_ADD)));
}

/* Returns a where the mask is set, else b. */
static struct c_piece choice(struct c_writer *w, enum type type, int lanes, const char *mask,
                             const char *a, const char *b)
{
    enum type bits = mask_type(type);
    const char *to =
        bits == type ? "" : arena_printf(w->cx->arena, "(%s)", c_vector_type(w, type, lanes));
    const char *from =
        bits == type ? "" : arena_printf(w->cx->arena, "(%s)", c_vector_type(w, bits, lanes));
    return piece(C_UNARY,
                 arena_printf(w->cx->arena, "%s(%s%s ^" C_BREAK "((%s%s ^ %s%s) &" C_BREAK "%s))",
                              to, from, b, from, a, from, b, mask));
}

static struct c_piece least(struct c_writer *w, const struct imp *imp)
{
    const char *a = c_at(w, imp->arg[0], C_UNARY), *b = c_at(w, imp->arg[1], C_UNARY);
    const char *type = c_vector_type(w, mask_type(imp->computed), imp->lanes);
    const char *sign = imp->op == OP_MIN ? "<" : ">";
    const char *format =
        type_is_float(imp->computed) ? "(%s)((%s %s %s) | (%s != %s))" : "(%s)(%s %s %s)";
    return choice(w, imp->type, imp->lanes,
                  arena_printf(w->cx->arena, format, type, a, sign, b, a, a), a, b);
}

/* Returns a where the mask is set, else 0. */
static struct c_piece masked(struct c_writer *w, const struct imp *imp, const char *mask,
                             const char *a)
{
    const char *to = c_vector_type(w, imp->type, imp->lanes),
               *bits = c_vector_type(w, mask_type(imp->type), imp->lanes);
    return piece(C_UNARY,
                 arena_printf(w->cx->arena, "(%s)((%s)%s &" C_BREAK "%s)", to, bits, a, mask));
}

static struct c_piece select(struct c_writer *w, const struct imp *imp)
{
    const char *condition = c_at(w, imp->arg[0], C_UNARY), *a = c_at(w, imp->arg[1], C_UNARY);
    if (is_unset(imp->arg[2]))
        return masked(w, imp, condition, a);
    return choice(w, imp->type, imp->lanes, condition, a, c_at(w, imp->arg[2], C_UNARY));
}

static struct c_piece op(struct c_writer *w, const struct imp *imp)
{
    switch (imp->op) {
    case OP_ADD: return piece(C_ADD, infix_text(w, imp, "+", C_ADD, C_ADD + 1));
    case OP_SUB: return piece(C_ADD, infix_text(w, imp, "-", C_ADD, C_ADD + 1));
    case OP_MUL: return piece(C_MUL, infix_text(w, imp, "*", C_MUL, C_MUL + 1));
    case OP_DIV: return piece(C_MUL, infix_text(w, imp, "/", C_MUL, C_MUL + 1));
    case OP_NEG:
        return piece(C_UNARY, arena_printf(w->cx->arena, "-%s", c_at(w, imp->arg[0], C_POSTFIX)));
    case OP_NOT:
        return piece(C_UNARY, arena_printf(w->cx->arena, "~%s", c_at(w, imp->arg[0], C_POSTFIX)));
    case OP_AND: return mask_op(w, imp, "&");
    case OP_OR: return mask_op(w, imp, "|");
    case OP_XOR: return mask_op(w, imp, "^");
    case OP_ANY_COMPARISON: return comparison(w, imp);
    case OP_MIN:
    case OP_MAX: return least(w, imp);
    case OP_SELECT: return select(w, imp);
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    context_bug(w->cx, "%s of vectors", op_name(imp->op));
}

/* ---- statements ---- */

/* Returns a helper that sets a to the lesser or greater of a and b, lane by lane.  Gcc recognizes
 * the processor's instruction only in a loop that it does not unroll; Clang recognizes it in the
 * bits, and may make branches of a loop. */
static const char *choice_helper(struct c_writer *w, enum op op, enum type type, int lanes)
{
    const char *vector = c_vector_type(w, type, lanes),
               *mask = c_vector_type(w, mask_type(type), lanes),
               *most = op == OP_MIN ? "least" : "most", *sign = op == OP_MIN ? "<" : ">",
               *name = c_helper_name(w, arena_printf(w->cx->arena, "%s_%s", op_name(op), vector));
    if (!c_helper_begin(w, name))
        return name;
    text_printf(&w->helpers,
                "/* Lane by lane; NaN where a or b is. */\n%svoid %s(%s *a, const %s *b)\n{\n"
                "    %s is_nan = *a != *a;\n#ifdef __clang__\n    %s is_a = *a %s *b;\n",
                c_inline(w), name, vector, vector, mask, mask, sign);
    text_printf(&w->helpers, "    %s %s = (%s)(((%s)*a & is_a) | ((%s)*b & ~is_a));\n", vector,
                most, vector, mask, mask);
    text_printf(&w->helpers,
                "#else\n    %s %s = *b;\n#pragma GCC unroll 1\n    for (int k = 0; k < %d; k++)\n"
                "        %s[k] = (*a)[k] %s (*b)[k] ? (*a)[k] : (*b)[k];\n#endif\n",
                vector, most, lanes, most, sign);
    text_printf(&w->helpers, "    *a = (%s)(((%s)*a & is_nan) | ((%s)%s & ~is_nan));\n}\n", vector,
                mask, mask, most);
    c_helper_end(w);
    return name;
}

bool c_vector_choice(struct c_writer *w, const struct imp *assign)
{
    const struct imp *value = assign->arg[0];
    if ((assign->op != OP_MIN && assign->op != OP_MAX) || value->lanes == 1
        || !type_is_float(value->type) || value->kind != IMP_VAR)
        return false;
    c_line(w, C_INDENT, "%s(&%s, &%s);", choice_helper(w, assign->op, value->type, value->lanes),
           c_name(w, assign->var), c_name(w, value->var));
    return true;
}

/* ---- expressions of lanes ---- */

static struct c_piece lanes(struct c_writer *w, const struct imp *imp)
{
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "(%s){", c_vector_type(w, imp->type, imp->lanes));
    for (int i = 0; i < imp->args; i++)
        text_printf(&text, "%s%s", i ? "," C_BREAK : "", scalar(w, imp->arg[i], C_ANY));
    text_add(&text, "}");
    return piece(C_POSTFIX, text.at);
}

static struct c_piece shuffle(struct c_writer *w, const struct imp *imp)
{
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "__builtin_shufflevector(%s," C_BREAK "%s", c_at(w, imp->arg[0], C_ANY),
                c_at(w, imp->arg[1], C_ANY));
    for (int i = 2; i < imp->args; i++)
        text_printf(&text, "," C_BREAK "%d", (int)imp->arg[i]->value.i);
    text_add(&text, ")");
    return piece(C_POSTFIX, text.at);
}

struct c_piece c_vector_expression(struct c_writer *w, const struct imp *imp)
{
    switch (imp->kind) {
    case IMP_VAR: return piece(C_POSTFIX, c_name(w, imp->var));
    case IMP_OP: return op(w, imp);
    case IMP_CAST:
        return piece(C_POSTFIX, arena_printf(w->cx->arena, "__builtin_convertvector(%s, %s)",
                                             c_at(w, imp->arg[0], C_ANY),
                                             c_vector_type(w, imp->type, imp->lanes)));
    case IMP_LOAD: return piece(C_UNARY, c_vector_at(w, imp->var, imp->arg[0], imp->lanes));
    case IMP_LANES: return lanes(w, imp);
    case IMP_BROADCAST: return broadcast(w, imp);
    case IMP_SHUFFLE: return shuffle(w, imp);
    case IMP_LITERAL:
    case IMP_CALL:
    case IMP_LANE:
    case IMP_IN_LINE:
    case IMP_THREADS:
    case IMP_STOPPED:
    case IMP_EXCHANGE:
    case IMP_UPDATE:
    case IMP_FETCH:
    case IMP_ANY_STATEMENT: break;
    }
    context_bug(w->cx, "a vector that is none");
}
