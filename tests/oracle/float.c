/* float.c - operators on floats and complex numbers, with what rounding can add up to.
 *
 * SPDX-License-Identifier: MIT
 */
#include <complex.h>
#include <math.h>

#include "tests/oracle/number_parts.h"

static bool is_finite(const struct number *a) { return isfinite(a->re) && isfinite(a->im); }

/* May 0 be meant to annihilate, which 0 * inf in C does not? */
static bool is_torn(const struct number *zero, const struct number *other)
{
    return zero->re == 0 && zero->im == 0 && !is_finite(other);
}

static struct number compare(enum op op, const struct number *a, const struct number *b)
{
    long double apart = fabsl(a->re - b->re) + fabsl(a->im - b->im), error = a->error + b->error;
    if (error > 0 && apart <= error)
        return number_unknown(TYPE_BOOL);
    bool equal = a->re == b->re && a->im == b->im, less = a->re<b->re, more = a->re> b->re;
    bool holds = op == OP_EQ   ? equal
                 : op == OP_NE ? !equal
                 : op == OP_LT ? less
                 : op == OP_GT ? more
                 : op == OP_LE ? less || equal
                               : more || equal;
    return number_exact(TYPE_BOOL, holds);
}

static struct number extreme(enum op op, const struct number *a, const struct number *b)
{
    long double absorber = op == OP_MIN ? -INFINITY : INFINITY;
    if ((isnan(a->re) && b->re == absorber) || (isnan(b->re) && a->re == absorber))
        return number_unknown(a->type);
    if (isnan(a->re) || isnan(b->re))
        return isnan(a->re) ? *a : *b;
    struct number r = (op == OP_MIN ? a->re <= b->re : a->re >= b->re) ? *a : *b;
    if (a->error > 0 || b->error > 0)
        r.error = a->error > b->error ? a->error : b->error;
    return r;
}

static struct number add(enum type type, const struct number *a, const struct number *b, int sign)
{
    if (!is_finite(a) || !is_finite(b)) {
        bool clear = type_kind(type) == KIND_FLOAT
                     && !(isnan(a->re) != isnan(b->re) && (isinf(a->re) || isinf(b->re)))
                     && !(isinf(a->re) && isinf(b->re) && isnan(a->re + sign * b->re));
        return clear ? number_rounded(type, a->re + sign * b->re, 0, 0, 1) : number_unknown(type);
    }
    struct number r =
        number_rounded(type, a->re + sign * b->re, a->im + sign * b->im, a->error + b->error, 1);
    r.terms = number_terms(a) + number_terms(b);
    r.magnitude = number_magnitude(a) + number_magnitude(b);
    if (r.error > 0 && r.terms > 2)
        r.error += 2 * (long double)r.terms * number_unit(type) * r.magnitude;
    return r;
}

static long double size_of(const struct number *a) { return hypotl(a->re, a->im); }

/* As errors are measured: that of a product is at most the product of these. */
static long double sum_of_parts(const struct number *a) { return fabsl(a->re) + fabsl(a->im); }

static struct number multiply(enum type type, const struct number *a, const struct number *b)
{
    if (is_torn(a, b) || is_torn(b, a))
        return number_unknown(type);
    bool complex_type = type_kind(type) == KIND_COMPLEX;
    if (!is_finite(a) || !is_finite(b))
        return complex_type || a->error + b->error > 0
                   ? number_unknown(type)
                   : number_rounded(type, a->re * b->re, 0, 0, 1);
    long double rr = a->re * b->re, ii = a->im * b->im, ri = a->re * b->im, ir = a->im * b->re;
    long double size = sum_of_parts(a), other = sum_of_parts(b);
    long double error = size * b->error + other * a->error + a->error * b->error;
    bool parts = number_represents(type, rr) && number_represents(type, ii)
                 && number_represents(type, ri) && number_represents(type, ir)
                 && number_represents(type, rr - ii) && number_represents(type, ri + ir);
    if (complex_type && !(error == 0 && parts))
        error += 4 * number_unit(type) * size * other;
    return number_rounded(type, rr - ii, ri + ir, error, 1);
}

/* 0 / 0: a sparse 0 annihilates, C says NaN.  x / 0: which infinity depends on the sign of a
 * zero that is not kept. */
static struct number divide(enum type type, const struct number *a, const struct number *b)
{
    bool complex_type = type_kind(type) == KIND_COMPLEX;
    bool zero = a->re == 0 && a->im == 0;
    long double divisor = size_of(b);
    if (divisor == 0 || (zero && (divisor <= b->error || !is_finite(b))))
        return number_unknown(type);
    if ((b->error > 0 && divisor <= 2 * b->error)
        || (complex_type && (!is_finite(a) || !is_finite(b))))
        return number_unknown(type);
    if (!complex_type) {
        long double r = a->re / b->re;
        if (!isfinite(r))
            return number_rounded(type, r, 0, 0, 1);
        return number_rounded(type, r, 0, (a->error + fabsl(r) * b->error) / (divisor - b->error),
                              1);
    }
    long double square = b->re * b->re + b->im * b->im;
    long double re = (a->re * b->re + a->im * b->im) / square,
                im = (a->im * b->re - a->re * b->im) / square;
    /* the sum of both parts is at most 1.42 times the length */
    long double error = 1.5L * (a->error + hypotl(re, im) * b->error) / (divisor - b->error);
    return number_rounded(type, re, im, error, 16);
}

static long double to_whole(enum op op, long double a)
{
    return op == OP_FLOOR   ? floorl(a)
           : op == OP_CEIL  ? ceill(a)
           : op == OP_ROUND ? roundl(a)
                            : truncl(a);
}

/* Functions that jump: unknown where rounding decides which side of the jump the operand is on. */
static struct number step(enum op op, const struct number *a)
{
    struct number r = {.type = a->type};
    long double low = a->re - a->error, high = a->re + a->error;
    if (op == OP_SIGN) {
        r.re = isnan(a->re) ? a->re : (long double)((a->re > 0) - (a->re < 0));
        r.unknown = a->error > 0 && low <= 0 && high >= 0;
    } else {
        r.re = to_whole(op, a->re);
        r.unknown = to_whole(op, low) != to_whole(op, high) && !isnan(a->re);
    }
    return r;
}

static struct number jump(enum type type, const struct number *a, const struct number *b)
{
    if (a->error > 0 && fabsl(a->re) <= a->error)
        return number_unknown(type);
    if (a->re == 0)
        return *b;
    struct number r = {.type = type, .re = isnan(a->re) ? a->re : a->re > 0};
    return r;
}

static struct number remainder_of(const struct number *a, const struct number *b)
{
    long double r = fmodl(a->re, b->re);
    if (b->re == 0 || isnan(r) || a->error > 0 || b->error > 0)
        return number_unknown(a->type);
    return number_rounded(a->type, r, 0, 0, 1);
}

static long double real_function(enum op op, long double a, long double b)
{
    switch (op) {
    case OP_SQRT: return sqrtl(a);
    case OP_CBRT: return cbrtl(a);
    case OP_EXP: return expl(a);
    case OP_LOG: return logl(a);
    case OP_LOG2: return log2l(a);
    case OP_LOG10: return log10l(a);
    case OP_SIN: return sinl(a);
    case OP_COS: return cosl(a);
    case OP_TAN: return tanl(a);
    case OP_ASIN: return asinl(a);
    case OP_ACOS: return acosl(a);
    case OP_ATAN: return atanl(a);
    case OP_ATAN2: return atan2l(a, b);
    case OP_SINH: return sinhl(a);
    case OP_COSH: return coshl(a);
    case OP_TANH: return tanhl(a);
    case OP_ASINH: return asinhl(a);
    case OP_ACOSH: return acoshl(a);
    case OP_ATANH: return atanhl(a);
    case OP_EXPM1: return expm1l(a);
    case OP_LOG1P: return log1pl(a);
    case OP_ERF: return erfl(a);
    case OP_RSQRT: return 1 / sqrtl(a);
    case OP_COPYSIGN: return copysignl(a, b);
    case OP_POW: return powl(a, b);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
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

static long double complex complex_function(enum op op, long double complex a,
                                            long double complex b)
{
    switch (op) {
    case OP_SQRT: return csqrtl(a);
    case OP_EXP: return cexpl(a);
    case OP_LOG: return clogl(a);
    case OP_SIN: return csinl(a);
    case OP_COS: return ccosl(a);
    case OP_TAN: return ctanl(a);
    case OP_SINH: return csinhl(a);
    case OP_COSH: return ccoshl(a);
    case OP_TANH: return ctanhl(a);
    case OP_POW: return cpowl(a, b);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
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
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return NAN;
}

/* A complex power is exp(b log a), whose relative error is the absolute one of what is rounded
 * there. */
static long double power_error(enum type type, long double complex a, long double complex b,
                               long double complex power)
{
    return 8 * number_unit(type) * cabsl(b * clogl(a)) * cabsl(power);
}

/* Functions of a complex operand: on a branch cut, or from an inexact operand, nothing is
 * certain. */
static struct number complex_call(enum op op, enum type type, const struct number *a,
                                  const struct number *b)
{
    long double complex x = a->re + a->im * (long double complex)I,
                        y = b->re + b->im * (long double complex)I, r = complex_function(op, x, y);
    long double error = op == OP_POW ? power_error(type, x, y, r) : 0;
    bool cut = a->im == 0 && a->re <= 0;
    if (a->error + b->error > 0 || cut || !isfinite(creall(r)) || !isfinite(cimagl(r)))
        return number_unknown(type);
    return number_rounded(type, creall(r), cimagl(r), error, 64);
}

/* Does the sign of a zero count?  Nothing says which zero -0 + 0 or min(0, -0) is. */
static bool asks_sign_of_zero(enum op op, const struct number *a, const struct number *b)
{
    bool zero_a = fabsl(a->re) <= a->error, zero_b = fabsl(b->re) <= b->error;
    return (op == OP_RSQRT && zero_a) || (op == OP_COPYSIGN && zero_b)
           || (op == OP_ATAN2 && zero_a && b->re <= b->error);
}

/* Smooth functions: the error is what moving the operands by theirs makes of the value. */
static struct number call(enum op op, enum type type, const struct number *a,
                          const struct number *b)
{
    long double r = real_function(op, a->re, b->re), error = 0;
    for (int corner = 0; corner < 4 && a->error + b->error > 0; corner++) {
        long double moved = real_function(op, a->re + (corner & 1 ? a->error : -a->error),
                                          b->re + (corner & 2 ? b->error : -b->error));
        if (!isfinite(moved))
            return number_unknown(type);
        error = fmaxl(error, 2 * fabsl(moved - r));
    }
    if (asks_sign_of_zero(op, a, b))
        return number_unknown(type);
    if (op == OP_POW && !(isfinite(a->re) && isfinite(b->re) && a->re > 0))
        return number_unknown(type);
    return number_rounded(type, r, 0, error, op == OP_SQRT ? 1 : 8);
}

struct number number_apply_float(enum op op, enum type type, const struct number *a,
                                 const struct number *b)
{
    struct number r = *a;
    switch (op) {
    case OP_ADD: return add(type, a, b, 1);
    case OP_SUB: return add(type, a, b, -1);
    case OP_MUL: return multiply(type, a, b);
    case OP_DIV: return divide(type, a, b);
    case OP_NEG:
        r.re = -r.re;
        r.im = -r.im;
        return r;
    case OP_ANY_COMPARISON: return compare(op, a, b);
    case OP_MIN:
    case OP_MAX: return extreme(op, a, b);
    case OP_REAL:
        r.type = number_real_type(type);
        r.im = 0;
        return r;
    case OP_IMAG:
        r.type = number_real_type(type);
        r.re = r.im;
        r.im = 0;
        return r;
    case OP_CONJ: r.im = -r.im; return r;
    case OP_ABS:
        return number_rounded(number_real_type(type), size_of(a), 0, a->error,
                              type_kind(type) == KIND_COMPLEX ? 4 : 1);
    case OP_HEAVISIDE: return jump(type, a, b);
    case OP_SIGN:
    case OP_ANY_ROUNDING: return step(op, a);
    case OP_MOD: return remainder_of(a, b);
    case OP_ANY_ANALYTIC:
    case OP_POW:
        return type_kind(type) == KIND_COMPLEX ? complex_call(op, type, a, b)
                                               : call(op, type, a, b);
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
    return number_unknown(type);
}
