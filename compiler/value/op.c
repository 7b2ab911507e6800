/* op.c - operators: their table, their algebra, and folding.
 *
 * Folding defines what an operator computes; the interpreter and every backend must agree with it.
 * It has no undefined behaviour: signed integers are computed modulo 2^64 and brought back into
 * their range.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/op.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum op_result {
    RESULT_PROMOTED,
    RESULT_BOOL,
    RESULT_FLOATING,
    RESULT_REAL,
    RESULT_CHOICE,
    RESULT_KEPT,
    RESULT_CONVERTED
};
enum op_accept { ACCEPT_ANY, ACCEPT_REALS, ACCEPT_BITS, ACCEPT_COMPONENTS };
enum constant {
    CONSTANT_NONE,
    CONSTANT_ZERO,
    CONSTANT_ONE,
    CONSTANT_HIGHEST,
    CONSTANT_LOWEST,
    CONSTANT_ONES,
    CONSTANT_INFINITE
};

struct op_row {
    const char *name;
    enum op_syntax syntax;
    int arity, precedence;
    enum op_result result;
    enum op_accept accepts;
    const char *algebra;
    enum constant identity[2], annihilator[2]; /* by enum op_side */
};

static const struct op_row ops[OP_COUNT] = {
#define OP(NAME, name, syntax, arity, prec, result, accepts, algebra, li, ri, la, ra) \
    {name,                                                                            \
     SYNTAX_##syntax,                                                                 \
     arity,                                                                           \
     prec,                                                                            \
     RESULT_##result,                                                                 \
     ACCEPT_##accepts,                                                                \
     algebra,                                                                         \
     {CONSTANT_##li, CONSTANT_##ri},                                                  \
     {CONSTANT_##la, CONSTANT_##ra}},
#include "compiler/value/op.def"
#undef OP
};

/* ---- queries of the table ---- */

const char *op_name(enum op op) { return ops[op].name; }

/* The fields of a user's operator's number, from the lowest bit. */
enum {
    USER_ASSOCIATIVE = 1,
    USER_COMMUTATIVE = 2,
    USER_IDEMPOTENT = 4,
    USER_ARITY = 8,
    USER_NUMBER = 32
};

enum op op_of_user(int k, int arity, bool associative, bool commutative, bool idempotent)
{
    int laws = USER_ASSOCIATIVE * associative | USER_COMMUTATIVE * commutative
               | USER_IDEMPOTENT * idempotent;
    return (enum op)(OP_USER + k * USER_NUMBER + arity * USER_ARITY + laws);
}

int op_user_number(enum op op) { return ((int)op - OP_USER) / USER_NUMBER; }

static bool has_law(enum op op, int user_law, char law)
{
    return op_is_user(op) ? (((int)op - OP_USER) & user_law) != 0
                          : strchr(ops[op].algebra, law) != NULL;
}

enum op_syntax op_syntax(enum op op) { return op_is_user(op) ? SYNTAX_CALL : ops[op].syntax; }

int op_arity(enum op op)
{
    return op_is_user(op) ? ((int)op - OP_USER) % USER_NUMBER / USER_ARITY : ops[op].arity;
}

int op_precedence(enum op op) { return ops[op].precedence; }

bool op_is_analytic(enum op op)
{
    return !op_is_user(op) && op < OP_COUNT && ops[op].result == RESULT_FLOATING;
}

bool op_associative(enum op op) { return has_law(op, USER_ASSOCIATIVE, 'A'); }

bool op_commutative(enum op op) { return has_law(op, USER_COMMUTATIVE, 'C'); }

bool op_idempotent(enum op op) { return has_law(op, USER_IDEMPOTENT, 'I'); }

bool op_find(const char *name, size_t n, enum op_syntax syntax, enum op *op)
{
    for (int o = 0; o < OP_COUNT; o++) {
        const char *known = ops[o].name;
        if (*known == *name && ops[o].syntax == syntax && strncmp(known, name, n) == 0
            && !known[n]) {
            *op = (enum op)o;
            return true;
        }
    }
    return false;
}

/* ---- distribution ---- */

enum { ON_LEFT = 1 << SIDE_LEFT, ON_RIGHT = 1 << SIDE_RIGHT, ON_BOTH = ON_LEFT | ON_RIGHT };

static const struct {
    enum op op, over;
    int sides;
} distributions[] = {
    {OP_MUL, OP_ADD, ON_BOTH}, {OP_MUL, OP_SUB, ON_BOTH}, {OP_DIV, OP_ADD, ON_LEFT},
    {OP_DIV, OP_SUB, ON_LEFT}, {OP_ADD, OP_MIN, ON_BOTH}, {OP_ADD, OP_MAX, ON_BOTH},
    {OP_SUB, OP_MIN, ON_LEFT}, {OP_SUB, OP_MAX, ON_LEFT}, {OP_MIN, OP_MIN, ON_BOTH},
    {OP_MIN, OP_MAX, ON_BOTH}, {OP_MAX, OP_MIN, ON_BOTH}, {OP_MAX, OP_MAX, ON_BOTH},
    {OP_AND, OP_AND, ON_BOTH}, {OP_AND, OP_OR, ON_BOTH},  {OP_AND, OP_XOR, ON_BOTH},
    {OP_OR, OP_OR, ON_BOTH},   {OP_OR, OP_AND, ON_BOTH},
};

bool op_distributes(enum op op, enum op_side side, enum op over)
{
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++)
        if (distributions[i].op == op && distributions[i].over == over)
            return distributions[i].sides >> side & 1;
    return false;
}

/* A complex product with n would multiply infinities by 0. */
enum op op_repeated(enum op op, enum type type)
{
    return op == OP_ADD && !type_is_complex(type) ? OP_MUL : OP_NONE;
}

static bool adds(enum op op) { return op == OP_ADD || op == OP_SUB; }

bool op_updates_commute(enum op a, enum op b, enum type type)
{
    return a == b || (type != TYPE_BOOL && adds(a) && adds(b));
}

/* ---- types ---- */

static bool is_exact(enum type type) { return type == TYPE_BOOL || type_is_integer(type); }

static enum type converted(enum op op) { return (enum type)(op - OP_TO_BOOL); }

bool op_accepts(enum op op, const enum type *operand)
{
    if (ops[op].accepts == ACCEPT_COMPONENTS)
        return false;
    for (int i = 0; i < ops[op].arity; i++)
        if (ops[op].accepts == ACCEPT_REALS && type_is_complex(operand[i]))
            return false;
    if (op_converts(op) && type_is_complex(operand[0])) /* its parts are taken by name */
        return type_is_complex(converted(op));
    /* the promoted type, since i64 and u64 meet in f64 */
    return ops[op].accepts != ACCEPT_BITS || is_exact(op_compute_type(op, operand));
}

enum type op_compute_type(enum op op, const enum type *operand)
{
    int first = ops[op].result == RESULT_CHOICE;
    int end = ops[op].result == RESULT_KEPT ? 1 : ops[op].arity;
    enum type type = operand[first];
    for (int i = first + 1; i < end; i++)
        type = type_promote(type, operand[i]);
    if (ops[op].result == RESULT_FLOATING && !type_is_float(type) && !type_is_complex(type))
        return TYPE_F64;
    return type;
}

enum type op_result_type(enum op op, const enum type *operand)
{
    enum type type = op_compute_type(op, operand);
    switch (ops[op].result) {
    case RESULT_PROMOTED:
    case RESULT_FLOATING:
    case RESULT_CHOICE:
    case RESULT_KEPT: return type;
    case RESULT_BOOL: return TYPE_BOOL;
    case RESULT_REAL: return type_real(type);
    case RESULT_CONVERTED: return converted(op);
    }
    return type;
}

/* ---- identities and annihilators ---- */

bool op_identity(enum op op, enum op_side side, enum type type, struct value *identity)
{
    enum type operands[3] = {type, type, type};
    if (ops[op].arity != 2 || !op_accepts(op, operands))
        return false;
    switch (ops[op].identity[side]) {
    case CONSTANT_NONE:
    case CONSTANT_INFINITE: return false;
    case CONSTANT_ZERO: *identity = value_zero(type); return true;
    case CONSTANT_ONE: *identity = value_int(type, 1); return true;
    case CONSTANT_HIGHEST: *identity = value_highest(type); return true;
    case CONSTANT_LOWEST: *identity = value_lowest(type); return true;
    case CONSTANT_ONES: *identity = value_int(type, -1); return true;
    }
    return false;
}

/* Both parts of a complex value must be infinite: (inf,0) + x still depends on x. */
static bool is_infinite(struct value v)
{
    if (type_is_complex(v.type))
        return isinf(v.c.re) && isinf(v.c.im);
    return type_is_float(v.type) && isinf(v.f);
}

static bool is_constant(struct value v, enum constant constant)
{
    switch (constant) {
    case CONSTANT_NONE: return false;
    case CONSTANT_ZERO: return value_is_zero(v);
    case CONSTANT_ONE: return value_is_one(v);
    case CONSTANT_HIGHEST: return value_equal(v, value_highest(v.type));
    case CONSTANT_LOWEST: return value_equal(v, value_lowest(v.type));
    case CONSTANT_ONES: return value_equal(v, value_int(v.type, -1));
    case CONSTANT_INFINITE: return is_infinite(v);
    }
    return false;
}

/* Annihilators other than an operand that is passed through: x - inf, pow(x, 0), and for integers x
 * / 0 and mod(x, 0). */
static bool absorbs_on_right(enum op op, struct value v)
{
    return (op == OP_SUB && is_infinite(v)) || (op == OP_POW && value_is_zero(v))
           || ((op == OP_DIV || op == OP_MOD) && is_exact(v.type) && value_is_zero(v));
}

/* The sum of truth values is "or". */
static bool is_true_in_sum(enum op op, struct value v)
{
    return op == OP_ADD && v.type == TYPE_BOOL && v.b;
}

bool op_absorbs(enum op op, enum op_side side, struct value v, struct value *result)
{
    enum type operands[3] = {v.type, v.type, v.type};
    if (ops[op].arity != 2 || !op_accepts(op, operands))
        return false;
    struct value pair[2] = {value_int(v.type, 1), value_int(v.type, 1)};
    pair[side] = v;
    if (is_constant(v, ops[op].annihilator[side]) || is_true_in_sum(op, v))
        *result = v;
    else if (side == SIDE_RIGHT && absorbs_on_right(op, v))
        *result = op_fold(op, pair);
    else
        return false;
    return true;
}

/* ---- folding: one function for each kind of type ----
 *
 * Each lists every operator.  Those that the types exclude come last, with arbitrary values. */

static double sign_of(double a) { return isnan(a) ? a : (a > 0) - (a < 0); }

static double least(double a, double b) { return isnan(a) || a < b ? a : b; }

static double greatest(double a, double b) { return isnan(a) || a > b ? a : b; }

/* The step function, with the value b at 0. */
static double heaviside(double a, double b) { return isnan(a) ? a : a == 0 ? b : a > 0; }

static double fold_real(enum op op, double a, double b)
{
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_NEG: return -a;
    case OP_MIN: return least(a, b);
    case OP_MAX: return greatest(a, b);
    case OP_ABS: return fabs(a);
    case OP_SIGN: return sign_of(a);
    case OP_REAL:
    case OP_CONJ: return a;
    case OP_IMAG: return 0;
    case OP_SQRT: return sqrt(a);
    case OP_CBRT: return cbrt(a);
    case OP_EXP: return exp(a);
    case OP_LOG: return log(a);
    case OP_LOG2: return log2(a);
    case OP_LOG10: return log10(a);
    case OP_SIN: return sin(a);
    case OP_COS: return cos(a);
    case OP_TAN: return tan(a);
    case OP_ASIN: return asin(a);
    case OP_ACOS: return acos(a);
    case OP_ATAN: return atan(a);
    case OP_ATAN2: return atan2(a, b);
    case OP_SINH: return sinh(a);
    case OP_COSH: return cosh(a);
    case OP_TANH: return tanh(a);
    case OP_ASINH: return asinh(a);
    case OP_ACOSH: return acosh(a);
    case OP_ATANH: return atanh(a);
    case OP_EXPM1: return expm1(a);
    case OP_LOG1P: return log1p(a);
    case OP_ERF: return erf(a);
    case OP_RSQRT: return 1 / sqrt(a);
    case OP_COPYSIGN: return copysign(a, b);
    case OP_HEAVISIDE: return heaviside(a, b);
    case OP_POW: return pow(a, b);
    case OP_MOD: return fmod(a, b);
    case OP_FLOOR: return floor(a);
    case OP_CEIL: return ceil(a);
    case OP_ROUND: return round(a);
    case OP_TRUNC: return trunc(a);
    case OP_ANY_COMPARISON:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return NAN;
}

static double complex fold_complex(enum op op, double complex a, double complex b)
{
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_NEG: return -a;
    case OP_ABS: return cabs(a);
    case OP_REAL: return creal(a);
    case OP_IMAG: return cimag(a);
    case OP_CONJ: return conj(a);
    case OP_SQRT: return csqrt(a);
    case OP_EXP: return cexp(a);
    case OP_LOG: return clog(a);
    case OP_SIN: return csin(a);
    case OP_COS: return ccos(a);
    case OP_TAN: return ctan(a);
    case OP_SINH: return csinh(a);
    case OP_COSH: return ccosh(a);
    case OP_TANH: return ctanh(a);
    /* exact where the table says so */
    case OP_POW: return b == 0 ? 1 : b == 1 ? a : cpow(a, b);
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_SIGN:
    case OP_CBRT:
    case OP_LOG2:
    case OP_LOG10:
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
    case OP_ATAN2:
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH:
    case OP_EXPM1:
    case OP_LOG1P:
    case OP_ERF:
    case OP_RSQRT:
    case OP_COPYSIGN:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return NAN;
}

/* Returns an integer or bool as 64 bits in two's complement. */
static uint64_t bits_of(struct value v)
{
    switch (type_kind(v.type)) {
    case KIND_BOOL: return v.b;
    case KIND_INT: return (uint64_t)v.i;
    case KIND_UINT: return v.u;
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    return 0;
}

static bool is_negative(uint64_t a, bool has_sign) { return has_sign && a >> 63; }

static bool is_less(uint64_t a, uint64_t b, bool has_sign)
{
    uint64_t flip = has_sign ? UINT64_C(1) << 63 : 0;
    return (a ^ flip) < (b ^ flip);
}

static uint64_t magnitude(uint64_t a, bool has_sign)
{
    return is_negative(a, has_sign) ? 0 - a : a;
}

/* Divides toward zero; by zero gives 0. */
static uint64_t divide(uint64_t a, uint64_t b, bool has_sign)
{
    uint64_t quotient = b ? magnitude(a, has_sign) / magnitude(b, has_sign) : 0;
    return is_negative(a, has_sign) != is_negative(b, has_sign) ? 0 - quotient : quotient;
}

/* Has the dividend's sign, so that a = b * (a / b) + mod(a, b); by zero gives 0. */
static uint64_t modulo(uint64_t a, uint64_t b, bool has_sign)
{
    return b ? a - b * divide(a, b, has_sign) : 0;
}

/* Shifts by b bits, by all if b is negative or too large. */
static uint64_t shift(enum op op, uint64_t a, uint64_t b, enum type type)
{
    bool beyond = b >= 8 * type_size(type) || (type == TYPE_BOOL && b > 0);
    if (op == OP_SHL)
        return beyond ? 0 : a << b;
    uint64_t sign = is_negative(a, type_kind(type) == KIND_INT) ? UINT64_MAX : 0;
    return beyond ? sign : b == 0 ? a : a >> b | sign << (64 - b);
}

static int bits_in(enum type type) { return type == TYPE_BOOL ? 1 : 8 * (int)type_size(type); }

/* Counts the set bits among the lowest ones. */
static uint64_t set_bits(uint64_t a, int bits)
{
    uint64_t n = 0;
    for (int bit = 0; bit < bits; bit++)
        n += a >> bit & 1;
    return n;
}

/* Counts the zeros below the lowest set bit; for 0, all bits. */
static uint64_t trailing_zeros(uint64_t a, enum type type)
{
    return set_bits(~a & (a - 1), bits_in(type));
}

static uint64_t fold_bits(enum op op, uint64_t a, uint64_t b, enum type type)
{
    bool has_sign = type_kind(type) == KIND_INT;
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return divide(a, b, has_sign);
    case OP_MOD: return modulo(a, b, has_sign);
    case OP_NEG: return 0 - a;
    case OP_MIN: return is_less(a, b, has_sign) ? a : b;
    case OP_MAX: return is_less(a, b, has_sign) ? b : a;
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_NOT: return type == TYPE_BOOL ? !a : ~a;
    case OP_ABS: return magnitude(a, has_sign);
    case OP_SIGN: return is_negative(a, has_sign) ? UINT64_MAX : a != 0;
    case OP_REAL:
    case OP_CONJ:
    case OP_ANY_ROUNDING: return a;
    case OP_IMAG: return 0;
    case OP_ANY_SHIFT: return shift(op, a, b, type);
    case OP_CTZ: return trailing_zeros(a, type);
    case OP_POPCOUNT: return set_bits(a, bits_in(type));
    case OP_HEAVISIDE: return is_negative(a, has_sign) ? 0 : a ? 1 : b;
    case OP_ANY_COMPARISON:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return 0;
}

static bool value_less(struct value a, struct value b)
{
    if (type_is_float(a.type))
        return a.f < b.f;
    return is_less(bits_of(a), bits_of(b), type_kind(a.type) == KIND_INT);
}

/* Compares as C does: a NaN is unequal to everything, itself included. */
static bool equal_as_numbers(struct value a, struct value b)
{
    if (type_is_float(a.type))
        return a.f == b.f;
    if (type_is_complex(a.type))
        return a.c.re == b.c.re && a.c.im == b.c.im;
    return bits_of(a) == bits_of(b);
}

static bool fold_comparison(enum op op, struct value a, struct value b)
{
    if (op == OP_EQ || op == OP_NE)
        return equal_as_numbers(a, b) == (op == OP_EQ);
    if (op == OP_LT || op == OP_GT)
        return op == OP_LT ? value_less(a, b) : value_less(b, a);
    return equal_as_numbers(a, b) || (op == OP_LE ? value_less(a, b) : value_less(b, a));
}

/* Not every library has CMPLX, and re + im * I loses infinities. */
static double complex complex_of(struct value v)
{
    double part[2] = {v.c.re, v.c.im};
    double complex c;
    memcpy(&c, part, sizeof c);
    return c;
}

struct value op_fold(enum op op, const struct value *operand)
{
    if (op == OP_SELECT)
        return value_truth(operand[0]) ? operand[1] : operand[2];
    if (op == OP_STORED)
        return value_int(TYPE_BOOL, 0);
    if (op_converts(op))
        return value_convert(operand[0], converted(op));
    struct value a = operand[0], b = operand[ops[op].arity - 1];
    if (ops[op].result == RESULT_BOOL)
        return value_int(TYPE_BOOL, fold_comparison(op, a, b));
    enum type result = ops[op].result == RESULT_REAL ? type_real(a.type) : a.type;
    if (type_is_float(a.type))
        return value_real(result, fold_real(op, a.f, b.f));
    if (type_is_complex(a.type)) {
        double complex c = fold_complex(op, complex_of(a), complex_of(b));
        return value_complex(result, creal(c), cimag(c));
    }
    return value_int(result, (int64_t)fold_bits(op, bits_of(a), bits_of(b), a.type));
}
