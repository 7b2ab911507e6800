/* number.c - the oracle's arithmetic.
 *
 * Error bounds follow the standard model of floating-point arithmetic, fl(a op b) = (a op b)(1 + d)
 * with |d| <= u, to first order with a factor to spare, and the bound n u sum|x| for sums of n
 * terms in any order (Higham, Accuracy and Stability of Numerical Algorithms, 2.2 and 4.2).  A
 * result that its type represents exactly, computed from exact operands, has no error: whole
 * numbers and quarters, which most tests use, stay exact throughout.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/oracle/number_parts.h"

#include <float.h>
#include <math.h>

#include "tests/oracle/defined.h"

/* ---- types ---- */

static int width(enum type type)
{
    switch (type) {
    case TYPE_BOOL: return 1;
    case TYPE_I8:
    case TYPE_U8: return 8;
    case TYPE_I16:
    case TYPE_U16: return 16;
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F32:
    case TYPE_C64: return 32;
    case TYPE_I64:
    case TYPE_U64:
    case TYPE_F64:
    case TYPE_C128: return 64;
    case TYPE_COUNT: break;
    }
    return 0;
}

static bool is_signed(enum type type) { return type_kind(type) == KIND_INT; }

bool number_is_exact(enum type type) { return type_kind(type) <= KIND_UINT; }

static bool is_single(enum type type) { return !number_is_exact(type) && width(type) == 32; }

static enum type with_width(enum type_kind kind, int bits)
{
    for (enum type t = 0; t < TYPE_COUNT; t++)
        if (type_kind(t) == kind && width(t) == bits)
            return t;
    return TYPE_F64;
}

enum type number_real_type(enum type type)
{
    return type_kind(type) == KIND_COMPLEX ? with_width(KIND_FLOAT, width(type)) : type;
}

enum type number_promote(enum type a, enum type b)
{
    enum type_kind ka = type_kind(a), kb = type_kind(b);
    int wa = width(a), wb = width(b);
    if (ka > kb)
        return number_promote(b, a);
    if (ka == kb)
        return wa > wb ? a : b;
    if (ka == KIND_BOOL)
        return b;
    if (ka == KIND_INT && kb == KIND_UINT) {
        int both = wa > 2 * wb ? wa : 2 * wb;
        return both > 64 ? TYPE_F64 : with_width(KIND_INT, both);
    }
    if (ka == KIND_FLOAT)
        return with_width(KIND_COMPLEX, wa > wb ? wa : wb);
    return with_width(kb, wa >= 32 ? 64 : wb);
}

enum class { CLASS_ANY, CLASS_REALS, CLASS_BITS };

static enum class class_of(enum op op) {
    switch (op){
        case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: return CLASS_BITS;
        case OP_ANY_SHIFT: case OP_ANY_BIT_COUNT: return CLASS_BITS;
        case OP_ASINH: case OP_ACOSH: case OP_ATANH: case OP_EXPM1: case OP_LOG1P: case OP_ERF: case
        OP_RSQRT: case OP_COPYSIGN: case OP_HEAVISIDE: case OP_LT: case OP_LE: case OP_GT: case
        OP_GE: case OP_MIN: case OP_MAX: case OP_SIGN: case OP_CBRT: case OP_LOG2: case
        OP_LOG10: case OP_ASIN: case OP_ACOS: case OP_ATAN: case OP_ATAN2: case OP_MOD: case
        OP_FLOOR: case OP_CEIL: case OP_ROUND: case OP_TRUNC: return CLASS_REALS;
        case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_NEG: case OP_EQ: case
        OP_NE: case OP_ABS: case OP_REAL: case OP_IMAG: case OP_CONJ: case OP_SQRT: case
        OP_EXP: case OP_LOG: case OP_SIN: case OP_COS: case OP_TAN: case OP_POW: case OP_SINH: case
        OP_COSH: case OP_TANH: case OP_ANY_CONVERSION: case OP_SELECT: case OP_KEEP: case
        OP_STORED: case OP_COUNT: break;
    }
return CLASS_ANY;
}

static bool is_comparison(enum op op) { return op >= OP_EQ && op <= OP_GE; }

/* Functions whose value is no integer even where the operand is one. */
static bool is_floating(enum op op) { return op >= OP_SQRT && op <= OP_POW; }

static bool gives_real(enum op op) { return op == OP_ABS || op == OP_REAL || op == OP_IMAG; }

/* The type that a conversion gives. */
static enum type target(enum op op) { return (enum type)(op - OP_TO_BOOL); }

enum type number_computed(enum op op, const enum type *operand)
{
    int first = op == OP_SELECT;
    enum type type = operand[first];
    for (int i = first + 1; i < op_arity(op) && op != OP_KEEP; i++)
        type = number_promote(type, operand[i]);
    return is_floating(op) && number_is_exact(type) ? TYPE_F64 : type;
}

bool number_result(enum op op, const enum type *operand, enum type *result)
{
    if (op_is_user(op))
        return defined_result(op, number_computed(op, operand), result);
    for (int i = 0; i < op_arity(op); i++) {
        if (class_of(op) == CLASS_BITS && !number_is_exact(operand[i]))
            return false;
        if (class_of(op) == CLASS_REALS && type_kind(operand[i]) == KIND_COMPLEX)
            return false;
    }
    if (op_converts(op)) {
        *result = target(op);
        return type_kind(operand[0]) != KIND_COMPLEX || type_kind(*result) == KIND_COMPLEX;
    }
    enum type type = number_computed(op, operand);
    if (class_of(op) == CLASS_BITS && !number_is_exact(type)) /* i64 and u64 meet in f64 */
        return false;
    *result = is_comparison(op) || op == OP_STORED ? TYPE_BOOL
              : gives_real(op)                     ? number_real_type(type)
                                                   : type;
    return true;
}

/* ---- making ---- */

struct number number_exact(enum type type, uint64_t bits)
{
    struct number n = {.type = type};
    int shift = 64 - width(type);
    if (type == TYPE_BOOL)
        n.bits = bits != 0;
    else if (is_signed(type))
        n.bits = (uint64_t)((int64_t)(bits << shift) >> shift);
    else
        n.bits = bits << shift >> shift;
    return n;
}

bool number_represents(enum type type, long double x)
{
    return isnan(x) || (is_single(type) ? (long double)(float)x == x : (long double)(double)x == x);
}

long double number_unit(enum type type)
{
    return is_single(type) ? FLT_EPSILON / 2.0L : DBL_EPSILON / 2.0L;
}

static long double tiny(enum type type) { return is_single(type) ? 0x1p-149L : 0x1p-1074L; }

static long double largest(enum type type) { return is_single(type) ? FLT_MAX : DBL_MAX; }

/* Rounded results: ulps units in the last place come on top of the error that the operands
 * brought. */
struct number number_rounded(enum type type, long double re, long double im, long double error,
                             int ulps)
{
    struct number n = {.type = type, .re = re, .im = im, .error = error};
    long double size = fabsl(re) + fabsl(im);
    bool finite = isfinite(re) && isfinite(im);
    if (finite && size > largest(type) / 4)
        n.unknown = true; /* overflow: too near to tell */
    if (finite
        && (error > 0 || ulps > 1 || !number_represents(type, re) || !number_represents(type, im)))
        n.error += ulps * (number_unit(type) * (size + error) + tiny(type));
    if (isinf(n.error) || isnan(n.error))
        n.unknown = true;
    return n;
}

long number_terms(const struct number *a) { return a->terms ? a->terms : 1; }

long double number_magnitude(const struct number *a)
{
    return a->terms ? a->magnitude : fabsl(a->re) + fabsl(a->im) + a->error;
}

struct number number_unknown(enum type type)
{
    struct number n = {.type = type, .unknown = true};
    return n;
}

struct number number_int(enum type type, int64_t i)
{
    if (number_is_exact(type))
        return number_exact(type, (uint64_t)i);
    return number_rounded(type, (long double)i, 0, 0, 1);
}

struct number number_from(struct value value)
{
    struct number n = {.type = value.type};
    switch (type_kind(value.type)) {
    case KIND_BOOL: n.bits = value.b; break;
    case KIND_INT: n.bits = (uint64_t)value.i; break;
    case KIND_UINT: n.bits = value.u; break;
    case KIND_FLOAT: n.re = value.f; break;
    case KIND_COMPLEX:
        n.re = value.c.re;
        n.im = value.c.im;
        break;
    }
    return n;
}

static bool same_part(long double a, long double b) { return a == b || (isnan(a) && isnan(b)); }

bool number_same(const struct number *a, const struct number *b)
{
    return a->type == b->type && !a->unknown && !b->unknown && a->error == 0 && b->error == 0
           && a->bits == b->bits && same_part(a->re, b->re) && same_part(a->im, b->im);
}

bool number_agrees(const struct number *number, struct value value)
{
    struct number got = number_from(value);
    if (got.type != number->type)
        return false;
    bool same =
        number->bits == got.bits && same_part(number->re, got.re) && same_part(number->im, got.im);
    if (number->unknown || same)
        return true;
    if (number_is_exact(got.type) || !isfinite(number->re) || !isfinite(number->im))
        return false;
    return fabsl(got.re - number->re) + fabsl(got.im - number->im) <= number->error;
}

/* ---- converting ---- */

/* Toward zero and clamped; NaN gives 0. */
static struct number to_integer(struct number a, enum type type)
{
    if (isnan(a.re))
        return number_exact(type, 0);
    long double low = truncl(a.re - a.error), high = truncl(a.re + a.error), x = truncl(a.re);
    if (low != high)
        return number_unknown(type);
    long double least = is_signed(type) ? -ldexpl(1, width(type) - 1) : 0;
    long double most = ldexpl(1, width(type) - is_signed(type)) - 1;
    if (x <= least)
        return number_exact(type, is_signed(type) ? UINT64_C(1) << (width(type) - 1) : 0);
    if (x >= most)
        return number_exact(type,
                            is_signed(type) ? (UINT64_C(1) << (width(type) - 1)) - 1 : UINT64_MAX);
    return number_exact(type, is_signed(type) ? (uint64_t)(int64_t)x : (uint64_t)x);
}

static struct number to_bool(struct number a)
{
    if (number_is_exact(a.type))
        return number_exact(TYPE_BOOL, a.bits);
    long double size = fabsl(a.re) + fabsl(a.im);
    if (a.error > 0 && size <= a.error)
        return number_unknown(TYPE_BOOL);
    return number_exact(TYPE_BOOL, !(size == 0));
}

struct number number_convert(struct number a, enum type type)
{
    if (a.type == type)
        return a;
    if (a.unknown)
        return number_unknown(type);
    if (type == TYPE_BOOL)
        return to_bool(a);
    if (number_is_exact(type))
        return number_is_exact(a.type) ? number_exact(type, a.bits) : to_integer(a, type);
    if (number_is_exact(a.type))
        return number_rounded(
            type, is_signed(a.type) ? (long double)(int64_t)a.bits : (long double)a.bits, 0, 0, 1);
    bool to_complex = type_kind(type) == KIND_COMPLEX;
    if (isnan(a.re) || isinf(a.re)) {
        struct number n = {.type = type, .re = a.re, .im = to_complex ? a.im : 0};
        return n;
    }
    return number_rounded(type, a.re, to_complex ? a.im : 0, a.error, 1);
}

/* ---- integers ---- */

static bool below(uint64_t a, uint64_t b, enum type type)
{
    return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t quotient(uint64_t a, uint64_t b, enum type type)
{
    if (b == 0)
        return 0;
    if (!is_signed(type))
        return a / b;
    if (b == UINT64_MAX)
        return 0 - a; /* where C's quotient may overflow */
    return (uint64_t)((int64_t)a / (int64_t)b);
}

/* One bit after the other, as many as the type has at most. */
static uint64_t shifted(enum op op, enum type type, uint64_t a, uint64_t b)
{
    uint64_t most = (uint64_t)width(type);
    if (type == TYPE_BOOL)
        return b ? 0 : a;
    for (uint64_t n = 0; n < (b < most ? b : most); n++)
        a = op == OP_SHL ? a << 1 : is_signed(type) ? (uint64_t)((int64_t)a >> 1) : a >> 1;
    return a;
}

/* One bit after the other. */
static uint64_t set_bits(uint64_t a, enum type type)
{
    uint64_t n = 0;
    for (int bit = 0; bit < width(type); bit++)
        n += a >> bit & 1;
    return n;
}

static uint64_t trailing_zeros(uint64_t a, enum type type)
{
    uint64_t n = 0;
    while (n < (uint64_t)width(type) && !(a >> n & 1))
        n++;
    return n;
}

static struct number apply_exact(enum op op, enum type type, uint64_t a, uint64_t b)
{
    uint64_t r = 0;
    bool negative = is_signed(type) && (int64_t)a < 0;
    switch (op) {
    case OP_ADD: r = a + b; break;
    case OP_SUB: r = a - b; break;
    case OP_MUL: r = a * b; break;
    case OP_DIV: r = quotient(a, b, type); break;
    case OP_MOD: r = b ? a - b * quotient(a, b, type) : 0; break;
    case OP_NEG: r = 0 - a; break;
    case OP_EQ: return number_exact(TYPE_BOOL, a == b);
    case OP_NE: return number_exact(TYPE_BOOL, a != b);
    case OP_LT: return number_exact(TYPE_BOOL, below(a, b, type));
    case OP_LE: return number_exact(TYPE_BOOL, !below(b, a, type));
    case OP_GT: return number_exact(TYPE_BOOL, below(b, a, type));
    case OP_GE: return number_exact(TYPE_BOOL, !below(a, b, type));
    case OP_MIN: r = below(b, a, type) ? b : a; break;
    case OP_MAX: r = below(a, b, type) ? b : a; break;
    case OP_AND: r = a & b; break;
    case OP_OR: r = a | b; break;
    case OP_XOR: r = a ^ b; break;
    case OP_NOT: r = type == TYPE_BOOL ? !a : ~a; break;
    case OP_ABS: r = negative ? 0 - a : a; break;
    case OP_SIGN: r = negative ? UINT64_MAX : a != 0; break;
    case OP_ANY_SHIFT: r = shifted(op, type, a, b); break;
    case OP_CTZ: r = trailing_zeros(a, type); break;
    case OP_POPCOUNT: r = set_bits(a, type); break;
    case OP_HEAVISIDE: r = negative ? 0 : a ? 1 : b; break;
    case OP_REAL:
    case OP_CONJ:
    case OP_ANY_ROUNDING: r = a; break;
    case OP_IMAG:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return number_exact(type, r);
}

/* ---- operators ---- */

static struct number choose(const struct number *operand, enum type type)
{
    struct number condition = number_convert(operand[0], TYPE_BOOL);
    struct number a = number_convert(operand[1], type), b = number_convert(operand[2], type);
    if (condition.unknown)
        return number_same(&a, &b) ? a : number_unknown(type);
    return condition.bits ? a : b;
}

struct number number_apply(enum op op, const struct number *operand)
{
    enum type types[3] = {0}, result;
    for (int i = 0; i < op_arity(op); i++)
        types[i] = operand[i].type;
    if (!number_result(op, types, &result))
        return number_unknown(TYPE_BOOL);
    enum type type = number_computed(op, types);
    if (op == OP_SELECT)
        return choose(operand, type);
    if (op_converts(op))
        return number_convert(operand[0], result);
    if (op_is_user(op)) {
        struct number converted[3];
        for (int i = 0; i < op_arity(op); i++)
            converted[i] = number_convert(operand[i], type);
        return defined_apply(op, converted);
    }
    struct number a = number_convert(operand[0], type),
                  b = number_convert(operand[op_arity(op) - 1], type);
    if (a.unknown || b.unknown)
        return number_unknown(result);
    return number_is_exact(type) ? apply_exact(op, type, a.bits, b.bits)
                                 : number_apply_float(op, type, &a, &b);
}

static struct number bound(enum type type, bool highest)
{
    if (!number_is_exact(type)) {
        struct number n = {.type = type, .re = highest ? INFINITY : -INFINITY};
        return n;
    }
    uint64_t top = UINT64_C(1) << (width(type) - 1);
    if (is_signed(type))
        return number_exact(type, highest ? top - 1 : top);
    return number_exact(type, highest ? UINT64_MAX : 0);
}

struct number number_identity(enum op op, enum type type)
{
    if (op == OP_MIN || op == OP_MAX)
        return bound(type, op == OP_MIN);
    if (op_is_user(op))
        return defined_identity(op, type);
    return number_int(type, op == OP_MUL ? 1 : op == OP_AND ? -1 : 0);
}

static bool is_int(const struct number *a, int64_t i)
{
    struct number n = number_int(a->type, i);
    return number_same(a, &n);
}

static bool is_infinite(const struct number *a)
{
    return !number_is_exact(a->type) && !a->unknown && isinf(a->re)
           && (type_kind(a->type) == KIND_FLOAT || isinf(a->im));
}

bool number_absorbs(enum op op, int side, const struct number *a, struct number *result)
{
    struct number lowest = bound(a->type, false), highest = bound(a->type, true);
    bool left = side == 0;
    *result = *a;
    if (op_is_user(op))
        return defined_absorbs(op, a, result);
    switch (op) {
    case OP_ADD: return is_infinite(a) || (a->type == TYPE_BOOL && a->bits);
    case OP_MUL: return is_int(a, 0);
    case OP_MIN: return number_same(a, &lowest);
    case OP_MAX: return number_same(a, &highest);
    case OP_AND: return is_int(a, 0);
    case OP_OR: return is_int(a, -1);
    case OP_SUB:
        if (!left)
            result->re = -a->re, result->im = -a->im;
        return is_infinite(a);
    case OP_DIV: return is_int(a, 0) && (left || number_is_exact(a->type));
    case OP_MOD: return is_int(a, 0) && (left || number_is_exact(a->type));
    case OP_SHL:
    case OP_SHR:
    case OP_COPYSIGN: return left && is_int(a, 0);
    case OP_POW: *result = number_int(a->type, 1); return is_int(a, left ? 1 : 0);
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_XOR:
    case OP_NOT:
    case OP_ANY_BIT_COUNT:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_SQRT:
    case OP_CBRT:
    case OP_EXP:
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG10:
    case OP_SIN:
    case OP_COS:
    case OP_TAN:
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
    case OP_ATAN2:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH:
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH:
    case OP_EXPM1:
    case OP_LOG1P:
    case OP_ERF:
    case OP_RSQRT:
    case OP_ANY_ROUNDING:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return false;
}

/* ---- reductions ---- */

struct reduction reduction_begin(enum op op, enum type type)
{
    struct reduction r = {
        .op = op, .value = number_identity(op, type), .coarse = true, .growth = 1, .decay = 1};
    if (op_is_user(op) && defined_of(op)->like != OP_NONE)
        r.op = defined_of(op)->like;
    return r;
}

static void add_to_sum(struct reduction *r, const struct number *term)
{
    bool whole = true;
    if (isnan(term->re) || isnan(term->im)) {
        r->nan = true;
    } else if (isinf(term->re) || isinf(term->im)) {
        r->above |= term->re > 0;
        r->below |= term->re < 0;
        r->value.unknown |= type_kind(term->type) == KIND_COMPLEX;
    } else {
        whole = rintl(term->re * 256) == term->re * 256 && rintl(term->im * 256) == term->im * 256;
        r->value.re += term->re;
        r->value.im += term->im;
        r->value.error += term->error;
        r->terms += number_terms(term);
        r->magnitude += number_magnitude(term);
    }
    r->coarse &= whole && term->error == 0;
}

/* What products of some of the factors come to at most, and at least: in another order they may be
 * beyond the type's range before the others are multiplied in. */
static void note_factor(struct reduction *r, const struct number *factor)
{
    long double size = fabsl(factor->re) + fabsl(factor->im);
    if (!isfinite(size) || size == 0)
        return;
    r->growth *= size > 1 ? size : 1;
    r->decay *= size < 1 ? size : 1;
    enum type type = r->value.type;
    r->lost |= r->growth > largest(type) / 4 || r->decay < tiny(type) / number_unit(type);
}

void reduction_add(struct reduction *r, struct number term)
{
    bool sum = r->op == OP_ADD && !number_is_exact(r->value.type);
    if (!sum) {
        r->terms++;
        struct number pair[2] = {r->value, number_convert(term, r->value.type)};
        r->value = number_convert(number_apply(r->op, pair), pair[0].type);
        r->lost |= op_is_user(r->op) && isnan(pair[1].re + pair[1].im);
        if (r->op == OP_MUL && !number_is_exact(r->value.type))
            note_factor(r, &pair[1]);
    } else if (term.unknown) {
        r->value.unknown = true;
    } else {
        term = number_convert(term, r->value.type);
        add_to_sum(r, &term);
    }
}

struct number reduction_end(const struct reduction *r)
{
    struct number n = r->value;
    enum type type = n.type;
    if (r->lost)
        return number_unknown(type);
    if (r->op != OP_ADD || number_is_exact(type) || n.unknown)
        return n;
    if (r->nan + r->above + r->below > 1)
        return number_unknown(type);
    if (r->nan + r->above + r->below == 1) {
        struct number infinite = {.type = type,
                                  .re = r->nan     ? NAN
                                        : r->above ? INFINITY
                                                   : -INFINITY};
        return infinite;
    }
    bool no_rounding = r->coarse && r->magnitude * 256 <= 1 / number_unit(type);
    if (!no_rounding)
        n.error += 2 * (long double)(r->terms + 2) * number_unit(type) * r->magnitude;
    n = number_rounded(type, n.re, n.im, n.error, 1);
    n.terms = r->terms;
    n.magnitude = r->magnitude;
    return n;
}
