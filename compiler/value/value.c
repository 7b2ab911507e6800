/* value.c - constants of the value types.
 *
 * Integers are kept in 64 bits and brought back into their type's range after every conversion.
 * f32 and c64 are kept in double precision, and rounded.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/value/decimal.h"

/* ---- construction and conversion ---- */

static int type_bits(enum type type) { return 8 * (int)type_size(type); }

static int64_t signed_max(enum type type)
{
    return (int64_t)(UINT64_MAX >> (65 - type_bits(type)));
}

static int64_t signed_min(enum type type) { return -signed_max(type) - 1; }

static uint64_t unsigned_max(enum type type) { return UINT64_MAX >> (64 - type_bits(type)); }

static double round_to(enum type type, double f)
{
    return type == TYPE_F32 || type == TYPE_C64 ? (double)(float)f : f;
}

/* Makes a value of a bool or integer type from the low bits of a number in two's complement. */
static struct value from_bits(enum type type, uint64_t bits)
{
    struct value v = {.type = type};
    if (type == TYPE_BOOL) {
        v.b = bits != 0;
    } else if (type_kind(type) == KIND_UINT) {
        v.u = bits & unsigned_max(type);
    } else {
        uint64_t low = bits & (UINT64_MAX >> (64 - type_bits(type)));
        v.i = low > (uint64_t)signed_max(type)
                  ? (int64_t)(low - (uint64_t)signed_max(type) - 1) + signed_min(type)
                  : (int64_t)low;
    }
    return v;
}

static struct value from_parts(enum type type, double re, double im)
{
    struct value v = {.type = type};
    if (type_is_complex(type)) {
        v.c.re = round_to(type, re);
        v.c.im = round_to(type, im);
    } else {
        v.f = round_to(type, re);
    }
    return v;
}

/* Converts toward zero, clamped. */
static struct value integer_from_double(enum type type, double f)
{
    struct value v = {.type = type};
    f = trunc(f);
    if (isnan(f))
        return v;
    if (type_kind(type) == KIND_UINT)
        v.u = f <= 0 ? 0 : f >= ldexp(1, type_bits(type)) ? unsigned_max(type) : (uint64_t)f;
    else if (f >= ldexp(1, type_bits(type) - 1))
        v.i = signed_max(type);
    else
        v.i = f < (double)signed_min(type) ? signed_min(type) : (int64_t)f;
    return v;
}

struct value value_zero(enum type type) { return value_int(type, 0); }

struct value value_int(enum type type, int64_t i)
{
    if (type_is_float(type) || type_is_complex(type)) /* straight to f32, without double rounding */
        return from_parts(type, type_size(type_real(type)) == 4 ? (double)(float)i : (double)i, 0);
    return from_bits(type, (uint64_t)i);
}

struct value value_real(enum type type, double f) { return value_complex(type, f, 0); }

struct value value_complex(enum type type, double re, double im)
{
    if (type == TYPE_BOOL)
        return from_bits(type, re != 0 || im != 0);
    if (type_is_integer(type))
        return integer_from_double(type, re);
    return from_parts(type, re, im);
}

struct value value_highest(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL: return value_int(type, 1);
    case KIND_INT: return value_int(type, signed_max(type));
    case KIND_UINT: return value_int(type, -1);
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    return value_real(type, INFINITY);
}

struct value value_lowest(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_UINT: return value_zero(type);
    case KIND_INT: return value_int(type, signed_min(type));
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    return value_real(type, -INFINITY);
}

struct value value_convert(struct value v, enum type type)
{
    if (v.type == type)
        return v;
    switch (type_kind(v.type)) {
    case KIND_BOOL: return value_int(type, v.b);
    case KIND_INT: return value_int(type, v.i);
    case KIND_UINT:
        if (type_is_float(type) || type_is_complex(type))
            return from_parts(
                type, type_size(type_real(type)) == 4 ? (double)(float)v.u : (double)v.u, 0);
        return from_bits(type, v.u);
    case KIND_FLOAT: return value_real(type, v.f);
    case KIND_COMPLEX: break;
    }
    return value_complex(type, v.c.re, v.c.im);
}

/* ---- queries ---- */

static bool same_double(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

bool value_equal(struct value a, struct value b)
{
    if (a.type != b.type)
        return false;
    switch (type_kind(a.type)) {
    case KIND_BOOL: return a.b == b.b;
    case KIND_INT: return a.i == b.i;
    case KIND_UINT: return a.u == b.u;
    case KIND_FLOAT: return same_double(a.f, b.f);
    case KIND_COMPLEX: break;
    }
    return same_double(a.c.re, b.c.re) && same_double(a.c.im, b.c.im);
}

bool value_is_zero(struct value v) { return value_equal(v, value_zero(v.type)); }

bool value_is_one(struct value v) { return value_equal(v, value_int(v.type, 1)); }

bool value_truth(struct value v) { return !value_is_zero(v); }

double value_double(struct value v) { return value_convert(v, TYPE_F64).f; }

/* ---- text ---- */

enum { NUMBER_MAX = 500 }; /* the longest number that is read, in bytes */

static size_t count_digits(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= '0' && s[i] <= '9')
        i++;
    return i;
}

static size_t sign_length(const char *s, size_t n) { return n > 0 && (*s == '-' || *s == '+'); }

static bool is_word(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* Also reads inf and nan.  false if it is too large. */
static bool parse_float(const char *s, size_t n, bool single, double *f)
{
    char text[NUMBER_MAX + 1];
    struct decimal decimal;
    if (n > NUMBER_MAX)
        return false;
    memcpy(text, s, n);
    text[n] = '\0';
    if (decimal_scan(text, text + n + 1, &decimal) != text + n)
        return false;
    *f = single ? (double)decimal_float(&decimal) : decimal_double(&decimal);
    return !isinf(*f) || decimal.kind == DECIMAL_INFINITE;
}

static bool parse_digits(const char *s, size_t n, uint64_t *u)
{
    *u = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(s[i] - '0');
        if (*u > (UINT64_MAX - digit) / 10)
            return false;
        *u = *u * 10 + digit;
    }
    return n > 0;
}

/* Reads digits, or another form of a whole number in range: 1e9, 2.0. */
static bool parse_integer(const char *s, size_t n, enum type type, struct value *v)
{
    size_t sign = sign_length(s, n);
    bool negative = sign && *s == '-';
    uint64_t u;
    if (count_digits(s + sign, n - sign) == n - sign) {
        if (!parse_digits(s + sign, n - sign, &u))
            return false;
    } else {
        double f;
        if (!parse_float(s, n, false, &f) || f != trunc(f) || fabs(f) > ldexp(1, 53))
            return false;
        u = (uint64_t)fabs(f);
    }
    uint64_t limit = type_kind(type) == KIND_UINT ? (negative ? 0 : unsigned_max(type))
                                                  : (uint64_t)signed_max(type) + negative;
    if (u > limit)
        return false;
    *v = from_bits(type, negative ? 0 - u : u);
    return true;
}

static bool parse_bool(const char *s, size_t n, struct value *v)
{
    bool yes = is_word(s, n, "true") || is_word(s, n, "1");
    *v = value_int(TYPE_BOOL, yes);
    return yes || is_word(s, n, "false") || is_word(s, n, "0");
}

/* Reads (re,im), re, or im followed by i. */
static bool parse_complex(const char *s, size_t n, enum type type, struct value *v)
{
    bool single = type == TYPE_C64;
    double re = 0, im = 0;
    bool ok;
    if (n > 2 && s[0] == '(' && s[n - 1] == ')') {
        const char *comma = memchr(s, ',', n);
        if (!comma)
            return false;
        ok = parse_float(s + 1, (size_t)(comma - s) - 1, single, &re)
             && parse_float(comma + 1, (size_t)(s + n - 1 - comma) - 1, single, &im);
    } else if (n > 1 && (s[n - 1] == 'i' || s[n - 1] == 'j')) {
        ok = parse_float(s, n - 1, single, &im);
    } else {
        ok = parse_float(s, n, single, &re);
    }
    *v = from_parts(type, re, im);
    return ok;
}

bool value_parse(const char *s, size_t n, enum type type, struct value *v)
{
    double f;
    switch (type_kind(type)) {
    case KIND_BOOL: return parse_bool(s, n, v);
    case KIND_INT:
    case KIND_UINT: return parse_integer(s, n, type, v);
    case KIND_FLOAT:
        if (!parse_float(s, n, type == TYPE_F32, &f))
            return false;
        *v = from_parts(type, f, 0);
        return true;
    case KIND_COMPLEX: break;
    }
    return parse_complex(s, n, type, v);
}

static void print_double(double f, bool single, char text[DECIMAL_TEXT + 1])
{
    text[decimal_print(text, f, single)] = '\0';
}

void value_print(struct value v, char *buffer, size_t size)
{
    char re[DECIMAL_TEXT + 1], im[DECIMAL_TEXT + 1];
    bool single = type_size(type_real(v.type)) == 4;
    switch (type_kind(v.type)) {
    case KIND_BOOL: snprintf(buffer, size, "%s", v.b ? "true" : "false"); return;
    case KIND_INT: snprintf(buffer, size, "%lld", (long long)v.i); return;
    case KIND_UINT: snprintf(buffer, size, "%llu", (unsigned long long)v.u); return;
    case KIND_FLOAT:
        print_double(v.f, single, re);
        snprintf(buffer, size, "%s", re);
        return;
    case KIND_COMPLEX: break;
    }
    print_double(v.c.re, single, re);
    print_double(v.c.im, single, im);
    snprintf(buffer, size, "(%s,%s)", re, im);
}

/* ---- memory ---- */

static struct value load_complex(enum type type, const void *at)
{
    if (type == TYPE_C64) {
        float part[2];
        memcpy(part, at, sizeof part);
        return value_complex(type, (double)part[0], (double)part[1]);
    }
    double part[2];
    memcpy(part, at, sizeof part);
    return value_complex(type, part[0], part[1]);
}

struct value value_load(enum type type, const void *at)
{
    switch (type) {
#define CASE(NAME, T, make)       \
    case TYPE_##NAME: {           \
        T x;                      \
        memcpy(&x, at, sizeof x); \
        return make;              \
    }
        CASE(BOOL, uint8_t, value_int(type, x != 0))
        CASE(I8, int8_t, value_int(type, x))
        CASE(I16, int16_t, value_int(type, x))
        CASE(I32, int32_t, value_int(type, x))
        CASE(I64, int64_t, value_int(type, x))
        CASE(U8, uint8_t, from_bits(type, x))
        CASE(U16, uint16_t, from_bits(type, x))
        CASE(U32, uint32_t, from_bits(type, x))
        CASE(U64, uint64_t, from_bits(type, x))
        CASE(F32, float, value_real(type, (double)x))
        CASE(F64, double, value_real(type, x))
#undef CASE
    case TYPE_C64:
    case TYPE_C128:
    case TYPE_COUNT: break;
    }
    return load_complex(type, at);
}

/* This is called for every component of a tensor. */
bool value_is_stored(struct value v, const void *at)
{
    double f;
    if (v.type != TYPE_F64)
        return value_equal(v, value_load(v.type, at));
    memcpy(&f, at, sizeof f);
    return same_double(v.f, f);
}

bool value_is_filling(struct value v, const void *at)
{
    char own[16];
    if (!value_is_stored(v, at) || !value_is_zero(v))
        return value_is_stored(v, at);
    value_store(v, own);
    return memcmp(own, at, type_size(v.type)) == 0;
}

void value_store(struct value v, void *at)
{
    switch (v.type) {
#define CASE(NAME, T, member)     \
    case TYPE_##NAME: {           \
        T x = (T)v.member;        \
        memcpy(at, &x, sizeof x); \
        return;                   \
    }
        CASE(BOOL, uint8_t, b)
        CASE(I8, int8_t, i)
        CASE(I16, int16_t, i)
        CASE(I32, int32_t, i)
        CASE(I64, int64_t, i)
        CASE(U8, uint8_t, u)
        CASE(U16, uint16_t, u)
        CASE(U32, uint32_t, u)
        CASE(U64, uint64_t, u)
        CASE(F32, float, f)
        CASE(F64, double, f)
#undef CASE
    case TYPE_C64: {
        float part[2] = {(float)v.c.re, (float)v.c.im};
        memcpy(at, part, sizeof part);
        return;
    }
    case TYPE_C128: {
        double part[2] = {v.c.re, v.c.im};
        memcpy(at, part, sizeof part);
        return;
    }
    case TYPE_COUNT: return;
    }
}
