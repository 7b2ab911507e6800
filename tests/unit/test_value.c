/* test_value.c - types, constants and the operators' algebra.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <complex.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compiler/value/op.h"
#include "compiler/value/type.h"
#include "compiler/value/value.h"

/* ---- types ---- */

static void types_parse(void **state)
{
    (void)state;
    enum type type;
    for (int t = 0; t < TYPE_COUNT; t++) {
        const char *name = type_name((enum type)t);
        assert_true(type_parse(name, strlen(name), &type));
        assert_int_equal(type, t);
    }
    assert_true(type_parse("float", 5, &type));
    assert_int_equal(type, TYPE_F32);
    assert_true(type_parse("double", 6, &type));
    assert_int_equal(type, TYPE_F64);
    assert_false(type_parse("f65", 3, &type));
    assert_false(type_parse("", 0, &type));
}

static const struct {
    enum type a, b, both;
} promotions[] = {
    {TYPE_BOOL, TYPE_BOOL, TYPE_BOOL}, {TYPE_BOOL, TYPE_U8, TYPE_U8},
    {TYPE_BOOL, TYPE_C64, TYPE_C64},   {TYPE_I8, TYPE_I32, TYPE_I32},
    {TYPE_U16, TYPE_U8, TYPE_U16},     {TYPE_I8, TYPE_U8, TYPE_I16},
    {TYPE_I32, TYPE_U8, TYPE_I32},     {TYPE_I32, TYPE_U16, TYPE_I32},
    {TYPE_I8, TYPE_U32, TYPE_I64},     {TYPE_I64, TYPE_U32, TYPE_I64},
    {TYPE_I64, TYPE_U64, TYPE_F64},    {TYPE_I8, TYPE_U64, TYPE_F64},
    {TYPE_I16, TYPE_F32, TYPE_F32},    {TYPE_I32, TYPE_F32, TYPE_F64},
    {TYPE_U64, TYPE_F32, TYPE_F64},    {TYPE_F32, TYPE_F64, TYPE_F64},
    {TYPE_F32, TYPE_C64, TYPE_C64},    {TYPE_F64, TYPE_C64, TYPE_C128},
    {TYPE_I16, TYPE_C64, TYPE_C64},    {TYPE_I64, TYPE_C64, TYPE_C128},
    {TYPE_C64, TYPE_C128, TYPE_C128},
};

static void types_promote(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof promotions / sizeof *promotions; i++) {
        assert_int_equal(type_promote(promotions[i].a, promotions[i].b), promotions[i].both);
        assert_int_equal(type_promote(promotions[i].b, promotions[i].a), promotions[i].both);
    }
    for (int a = 0; a < TYPE_COUNT; a++) {
        assert_int_equal(type_promote((enum type)a, (enum type)a), a);
        for (int b = 0; b < TYPE_COUNT; b++) {
            enum type both = type_promote((enum type)a, (enum type)b);
            assert_int_equal(both, type_promote((enum type)b, (enum type)a));
            assert_int_equal(both, type_promote(both, (enum type)a));
        }
    }
}

/* ---- constants ---- */

static void converting(void **state)
{
    (void)state;
    assert_int_equal(value_int(TYPE_I8, 300).i, 44);
    assert_int_equal(value_int(TYPE_I8, 128).i, -128);
    assert_true(value_int(TYPE_U64, -1).u == UINT64_MAX);
    assert_true(value_int(TYPE_I64, INT64_MIN).i == INT64_MIN);
    assert_int_equal(value_real(TYPE_I32, 1e300).i, INT32_MAX);
    assert_int_equal(value_real(TYPE_I32, -INFINITY).i, INT32_MIN);
    assert_int_equal(value_real(TYPE_I32, -2.9).i, -2);
    assert_true(value_real(TYPE_I64, 0x1p63).i == INT64_MAX);
    assert_true(value_real(TYPE_I64, -0x1p63).i == INT64_MIN);
    assert_true(value_real(TYPE_U64, 0x1p64).u == UINT64_MAX);
    assert_int_equal(value_real(TYPE_U8, -3).u, 0);
    assert_int_equal(value_real(TYPE_U8, 255.9).u, 255);
    assert_int_equal(value_real(TYPE_I16, NAN).i, 0);
    assert_true(value_real(TYPE_BOOL, NAN).b);
    assert_true(value_complex(TYPE_BOOL, 0, 1).b);
    assert_true(value_real(TYPE_F32, 0.1).f == (double)0.1f);
    assert_true(value_real(TYPE_F32, 1e300).f == INFINITY);
    assert_true(value_convert(value_complex(TYPE_C128, 2, 3), TYPE_F64).f == 2);
    assert_true(value_convert(value_int(TYPE_U64, -1), TYPE_F64).f == 0x1p64);
    assert_true(value_convert(value_int(TYPE_I32, -1), TYPE_U16).u == 65535);
    assert_true(value_int(TYPE_F32, INT64_C(0x20000030000001)).f
                == (double)(float)INT64_C(0x20000030000001));
}

static void comparing(void **state)
{
    (void)state;
    assert_true(value_equal(value_real(TYPE_F64, NAN), value_real(TYPE_F64, NAN)));
    assert_true(value_equal(value_real(TYPE_F64, 0.0), value_real(TYPE_F64, -0.0)));
    assert_false(value_equal(value_int(TYPE_I32, 1), value_int(TYPE_I64, 1)));
    assert_false(value_equal(value_complex(TYPE_C64, 1, 0), value_complex(TYPE_C64, 1, 1)));
    assert_true(value_is_zero(value_complex(TYPE_C64, 0, 0)));
    assert_true(value_is_one(value_int(TYPE_BOOL, 1)));
    assert_false(value_is_one(value_highest(TYPE_F64)));
    assert_true(value_truth(value_real(TYPE_F64, NAN)));
}

static void highest_and_lowest(void **state)
{
    (void)state;
    assert_int_equal(value_highest(TYPE_I8).i, 127);
    assert_int_equal(value_lowest(TYPE_I8).i, -128);
    assert_true(value_highest(TYPE_U64).u == UINT64_MAX);
    assert_true(value_lowest(TYPE_I64).i == INT64_MIN);
    assert_true(value_highest(TYPE_F32).f == INFINITY);
    assert_true(value_highest(TYPE_BOOL).b);
    assert_false(value_lowest(TYPE_BOOL).b);
}

static void reads(const char *s, enum type type, const char *expected)
{
    struct value v;
    char buffer[64];
    bool ok = value_parse(s, strlen(s), type, &v);
    if (ok)
        value_print(v, buffer, sizeof buffer);
    if (ok != (expected != NULL) || (ok && strcmp(buffer, expected) != 0))
        fail_msg("'%s' as %s reads as %s, not %s", s, type_name(type), ok ? buffer : "nothing",
                 expected ? expected : "nothing");
}

static void reading(void **state)
{
    (void)state;
    reads("1.5", TYPE_F64, "1.5");
    reads("+.5e+1", TYPE_F64, "5");
    reads("0.1", TYPE_F64, "0.1");
    reads("0.1", TYPE_F32, "0.1");
    reads("300", TYPE_F64, "300");
    reads("100.0", TYPE_F64, "100");
    reads("0.001", TYPE_F64, "0.001");
    reads("1e20", TYPE_F32, "1e+20");
    reads("Infinity", TYPE_F64, "inf");
    reads("1e15", TYPE_F64, "1000000000000000");
    reads("1e22", TYPE_F64, "1e+22");
    reads("123456.78125", TYPE_F64, "123456.78125");
    reads("1e-5", TYPE_F64, "0.00001");
    reads("1.25e-6", TYPE_F64, "1.25e-06");
    reads("-0.0", TYPE_F64, "-0");
    reads("16777216", TYPE_F32, "16777216");
    reads("inf", TYPE_F64, "inf");
    reads("-inf", TYPE_F32, "-inf");
    reads("nan", TYPE_F64, "nan");
    reads("1e400", TYPE_F64, NULL);
    reads("1e39", TYPE_F32, NULL);
    reads("1e-400", TYPE_F64, "0");
    reads("0x10", TYPE_F64, NULL);
    reads(" 1", TYPE_F64, NULL);
    reads("1 ", TYPE_F64, NULL);
    reads("", TYPE_F64, NULL);
    reads("-", TYPE_F64, NULL);
    reads(".", TYPE_F64, NULL);
    reads("1e", TYPE_F64, NULL);
    reads("--1", TYPE_F64, NULL);
    reads("1,5", TYPE_F64, NULL);
    reads("nan(1)", TYPE_F64, NULL);
    reads("1e9", TYPE_I32, "1000000000");
    reads("1e10", TYPE_I32, NULL);
    reads("2.0", TYPE_I32, "2");
    reads("2.5", TYPE_I32, NULL);
    reads("-128", TYPE_I8, "-128");
    reads("128", TYPE_I8, NULL);
    reads("-1", TYPE_U8, NULL);
    reads("-0", TYPE_U8, "0");
    reads("18446744073709551615", TYPE_U64, "18446744073709551615");
    reads("18446744073709551616", TYPE_U64, NULL);
    reads("-9223372036854775808", TYPE_I64, "-9223372036854775808");
    reads("inf", TYPE_I64, NULL);
    reads("true", TYPE_BOOL, "true");
    reads("0", TYPE_BOOL, "false");
    reads("2", TYPE_BOOL, NULL);
    reads("2.5", TYPE_C64, "(2.5,0)");
    reads("2i", TYPE_C128, "(0,2)");
    reads("(1,-2)", TYPE_C128, "(1,-2)");
    reads("(inf,nan)", TYPE_C128, "(inf,nan)");
    reads("(1)", TYPE_C128, NULL);
    reads("(1,2,3)", TYPE_C128, NULL);
    reads("i", TYPE_C128, NULL);
}

static void reading_long_text(void **state)
{
    (void)state;
    static char s[100000];
    memset(s, '1', sizeof s);
    struct value v;
    for (int t = 0; t < TYPE_COUNT; t++)
        assert_false(value_parse(s, sizeof s, (enum type)t, &v));
}

static void reads_what_it_prints(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int n = 0; n < 200000; n++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        unsigned char bytes[16];
        memcpy(bytes, &random, 8);
        memcpy(bytes + 8, &random, 8);
        enum type type = (enum type)(n % TYPE_COUNT);
        struct value v = value_load(type, bytes), back;
        char buffer[64];
        value_print(v, buffer, sizeof buffer);
        if (!value_parse(buffer, strlen(buffer), type, &back) || !value_equal(v, back))
            fail_msg("%s %s does not read back", type_name(type), buffer);
    }
}

static void a_host_with_decimal_commas(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE"))
        skip();
    reads("1.5", TYPE_F64, "1.5");
    reads("1.5e-7", TYPE_F32, "1.5e-07");
    reads("1.5e-4", TYPE_F32, "0.00015");
    reads("1,5", TYPE_F64, NULL);
    setlocale(LC_NUMERIC, "C");
}

static void storing(void **state)
{
    (void)state;
    for (int t = 0; t < TYPE_COUNT; t++) {
        enum type type = (enum type)t;
        unsigned char bytes[17];
        memset(bytes, 0xAA, sizeof bytes);
        struct value v = value_complex(type, 1, 0);
        value_store(v, bytes);
        assert_true(value_equal(v, value_load(type, bytes)));
        assert_int_equal(bytes[type_size(type)], 0xAA); /* and no more than its bytes */
        value_store(value_lowest(type), bytes);
        assert_true(value_equal(value_lowest(type), value_load(type, bytes)));
    }
    float f = 2.5f;
    assert_true(value_load(TYPE_F32, &f).f == 2.5);
}

/* ---- operators ---- */

static void operators_are_found(void **state)
{
    (void)state;
    enum op op;
    for (int o = 0; o < OP_COUNT; o++) {
        const char *name = op_name((enum op)o);
        assert_true(op_find(name, strlen(name), op_syntax((enum op)o), &op));
        assert_int_equal(op, o);
    }
    assert_true(op_find("-", 1, SYNTAX_PREFIX, &op) && op == OP_NEG);
    assert_false(op_find("mi", 2, SYNTAX_CALL, &op));
    assert_false(op_find("+", 1, SYNTAX_CALL, &op));
}

static void operators_type(void **state)
{
    (void)state;
    enum type ints[3] = {TYPE_I32, TYPE_I64, TYPE_I64},
              complexes[3] = {TYPE_C64, TYPE_C64, TYPE_C64};
    enum type choice[3] = {TYPE_BOOL, TYPE_F32, TYPE_I16};
    assert_int_equal(op_result_type(OP_ADD, ints), TYPE_I64);
    assert_int_equal(op_result_type(OP_LT, ints), TYPE_BOOL);
    assert_int_equal(op_compute_type(OP_LT, ints), TYPE_I64);
    assert_int_equal(op_result_type(OP_SQRT, ints), TYPE_F64);
    assert_int_equal(op_result_type(OP_ABS, complexes), TYPE_F32);
    assert_int_equal(op_compute_type(OP_ABS, complexes), TYPE_C64);
    assert_int_equal(op_result_type(OP_SELECT, choice), TYPE_F32);
    assert_false(op_accepts(OP_MIN, complexes));
    assert_true(op_accepts(OP_MUL, complexes));
    assert_false(op_accepts(OP_AND, choice));
    assert_true(op_accepts(OP_AND, ints));
    enum type signs[2] = {TYPE_I64, TYPE_U64}; /* which meet in f64 */
    assert_false(op_accepts(OP_AND, signs));
}

static struct value fold2(enum op op, struct value a, struct value b)
{
    struct value pair[2] = {a, b};
    return op_fold(op, pair);
}

static int64_t fold_int(enum op op, enum type type, int64_t a, int64_t b)
{
    struct value v = fold2(op, value_int(type, a), value_int(type, b));
    return v.type == TYPE_BOOL                                        ? v.b
           : type_is_integer(v.type) && type_kind(v.type) == KIND_INT ? v.i
                                                                      : (int64_t)v.u;
}

static double fold_float(enum op op, double a, double b)
{
    struct value v = fold2(op, value_real(TYPE_F64, a), value_real(TYPE_F64, b));
    return v.type == TYPE_BOOL ? v.b : v.f;
}

static void folding_integers(void **state)
{
    (void)state;
    assert_int_equal(fold_int(OP_ADD, TYPE_I8, 127, 1), -128);
    assert_true(fold_int(OP_MUL, TYPE_I64, INT64_MIN, -1) == INT64_MIN);
    assert_true(fold_int(OP_DIV, TYPE_I64, INT64_MIN, -1) == INT64_MIN);
    assert_int_equal(fold_int(OP_DIV, TYPE_I8, -128, -1), -128);
    assert_int_equal(fold_int(OP_MOD, TYPE_I64, INT64_MIN, -1), 0);
    assert_int_equal(fold_int(OP_DIV, TYPE_I32, 7, 0), 0);
    assert_int_equal(fold_int(OP_MOD, TYPE_I32, 7, 0), 0);
    assert_int_equal(fold_int(OP_DIV, TYPE_I32, -7, 2), -3);
    assert_int_equal(fold_int(OP_MOD, TYPE_I32, -7, 2), -1);
    assert_int_equal(fold_int(OP_MOD, TYPE_I32, 7, -2), 1);
    assert_int_equal(fold_int(OP_SUB, TYPE_U8, 0, 1), 255);
    assert_int_equal(fold_int(OP_MIN, TYPE_U8, 200, 100), 100);
    assert_int_equal(fold_int(OP_MIN, TYPE_I8, -56, 100), -56);
    assert_int_equal(fold_int(OP_LT, TYPE_U64, -1, 1), 0);
    assert_int_equal(fold_int(OP_LT, TYPE_I64, -1, 1), 1);
    assert_int_equal(fold_int(OP_GE, TYPE_I64, 1, 1), 1);
    assert_int_equal(fold_int(OP_ABS, TYPE_I16, -32768, 0), -32768);
    assert_int_equal(fold_int(OP_SIGN, TYPE_I16, -7, 0), -1);
    assert_int_equal(fold_int(OP_SIGN, TYPE_U8, 200, 0), 1);
    assert_int_equal(fold_int(OP_NOT, TYPE_U8, 1, 0), 254);
    assert_int_equal(fold_int(OP_NOT, TYPE_BOOL, 1, 0), 0);
    assert_int_equal(fold_int(OP_CTZ, TYPE_U64, 0, 0), 64);
    assert_int_equal(fold_int(OP_CTZ, TYPE_I8, -128, 0), 7);
    assert_int_equal(fold_int(OP_CTZ, TYPE_I16, 0, 0), 16);
    assert_int_equal(fold_int(OP_CTZ, TYPE_BOOL, 0, 0), 1);
    assert_int_equal(fold_int(OP_POPCOUNT, TYPE_I64, -1, 0), 64);
    assert_int_equal(fold_int(OP_POPCOUNT, TYPE_I8, -1, 0), 8);
    assert_int_equal(fold_int(OP_POPCOUNT, TYPE_BOOL, 1, 0), 1);
    assert_int_equal(fold_int(OP_ADD, TYPE_BOOL, 1, 1), 1);
    assert_int_equal(fold_int(OP_SUB, TYPE_BOOL, 0, 1), 1);
    assert_int_equal(fold_int(OP_NEG, TYPE_BOOL, 1, 0), 1);
    assert_int_equal(fold_int(OP_MUL, TYPE_BOOL, 1, 0), 0);
}

static void folding_floats(void **state)
{
    (void)state;
    assert_true(isnan(fold_float(OP_MIN, NAN, 1)) && isnan(fold_float(OP_MIN, 1, NAN)));
    assert_true(isnan(fold_float(OP_MAX, NAN, INFINITY))
                && isnan(fold_float(OP_MAX, INFINITY, NAN)));
    assert_true(fold_float(OP_MIN, 1, -INFINITY) == -INFINITY);
    assert_true(fold_float(OP_DIV, 1, 0) == INFINITY);
    assert_true(isnan(fold_float(OP_SUB, INFINITY, INFINITY)));
    assert_true(isnan(fold_float(OP_SIGN, NAN, 0)) && fold_float(OP_SIGN, -3, 0) == -1);
    assert_true(fold_float(OP_ROUND, -2.5, 0) == -3);
    assert_true(fold_float(OP_MOD, -7, 2) == -1);
    for (enum op op = OP_EQ; op <= OP_GE; op++)
        assert_true(fold_float(op, NAN, NAN) == (op == OP_NE));
    struct value third = fold2(OP_DIV, value_int(TYPE_F32, 1), value_int(TYPE_F32, 3));
    assert_true(third.type == TYPE_F32 && third.f == (double)(1.0f / 3.0f));
}

static void folding_complex(void **state)
{
    (void)state;
    struct value a = value_complex(TYPE_C128, 3, 4), i = value_complex(TYPE_C128, 0, 1);
    struct value product = fold2(OP_MUL, i, i);
    assert_true(value_equal(product, value_complex(TYPE_C128, -1, 0)));
    assert_true(value_equal(op_fold(OP_ABS, &a), value_real(TYPE_F64, 5)));
    assert_true(value_equal(op_fold(OP_CONJ, &a), value_complex(TYPE_C128, 3, -4)));
    assert_true(value_equal(op_fold(OP_IMAG, &a), value_real(TYPE_F64, 4)));
    assert_true(value_equal(fold2(OP_POW, value_zero(TYPE_C128), value_zero(TYPE_C128)),
                            value_int(TYPE_C128, 1)));
    assert_true(fold2(OP_NE, a, i).b);
    struct value half = value_complex(TYPE_C64, 0.1, 0);
    assert_true(op_fold(OP_ABS, &half).type == TYPE_F32);
}

static void selecting(void **state)
{
    (void)state;
    struct value yes[3] = {value_int(TYPE_BOOL, 1), value_int(TYPE_I32, 5), value_int(TYPE_I32, 6)};
    struct value no[3] = {value_int(TYPE_BOOL, 0), value_int(TYPE_I32, 5), value_int(TYPE_I32, 6)};
    assert_int_equal(op_fold(OP_SELECT, yes).i, 5);
    assert_int_equal(op_fold(OP_SELECT, no).i, 6);
}

/* Some values of a type, the extreme ones among them. */
static struct value sample(enum type type, int n)
{
    switch (n) {
    case 0: return value_zero(type);
    case 1: return value_int(type, 1);
    case 2: return value_lowest(type);
    case 3: return value_highest(type);
    case 4: return value_int(type, 7);
    case 5: return value_int(type, -3);
    default: return value_complex(type, 2.5, -1.5);
    }
}

enum { SAMPLES = 7 };

static bool is_finite(struct value v)
{
    if (type_is_complex(v.type))
        return isfinite(v.c.re) && isfinite(v.c.im);
    return !type_is_float(v.type) || isfinite(v.f);
}

static bool takes(enum op op, enum type type)
{
    enum type operands[3] = {type, type, type};
    return op_accepts(op, operands) && op_compute_type(op, operands) == type;
}

/* Every operator folds every value of every type that it accepts (the sanitizers watch), to its
 * result type. */
static void operators_are_total(void **state)
{
    (void)state;
    for (int o = 0; o < OP_COUNT; o++)
        for (int t = 0; t < TYPE_COUNT; t++)
            for (int n = 0; n < SAMPLES * SAMPLES; n++) {
                enum op op = (enum op)o;
                enum type type = (enum type)t, operands[3] = {type, type, type};
                if (!takes(op, type))
                    continue;
                struct value operand[3] = {sample(type, n / SAMPLES), sample(type, n % SAMPLES),
                                           sample(type, n / SAMPLES)};
                if (op == OP_SELECT)
                    operand[0] = value_int(TYPE_BOOL, n % 2);
                assert_int_equal(op_fold(op, operand).type, op_result_type(op, operands));
            }
}

/* What the table claims holds for the sampled values. */
static void identities_and_annihilators_hold(void **state)
{
    (void)state;
    for (int o = 0; o < OP_COUNT; o++)
        for (int t = 0; t < TYPE_COUNT; t++)
            for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
                for (int n = 0; n < SAMPLES; n++) {
                    enum op op = (enum op)o;
                    enum type type = (enum type)t;
                    if (op_arity(op) != 2 || !takes(op, type))
                        continue;
                    struct value x = sample(type, n), v, pair[2] = {x, x};
                    bool known = op_identity(op, (enum op_side)side, type, &v);
                    pair[side] = v;
                    if (known && !(type_is_complex(type) && !is_finite(x))
                        && !value_equal(op_fold(op, pair), x))
                        fail_msg("%s of %s: wrong identity", op_name(op), type_name(type));
                    for (int m = 0; m < SAMPLES; m++) {
                        struct value absorbed;
                        pair[side] = sample(type, m);
                        known = op_absorbs(op, (enum op_side)side, pair[side], &absorbed);
                        bool defined = is_finite(x) && !(op == OP_DIV && value_is_zero(x))
                                       && !(op == OP_MOD && value_is_zero(x));
                        if (known && defined && !value_equal(op_fold(op, pair), absorbed))
                            fail_msg("%s of %s: wrong annihilator", op_name(op), type_name(type));
                    }
                }
}

static void absorbing(void **state)
{
    (void)state;
    struct value r;
    struct value inf = value_real(TYPE_F64, INFINITY);
    assert_true(op_absorbs(OP_MUL, SIDE_LEFT, value_zero(TYPE_F64), &r) && value_is_zero(r));
    assert_true(op_absorbs(OP_ADD, SIDE_RIGHT, inf, &r) && r.f == INFINITY);
    assert_true(op_absorbs(OP_SUB, SIDE_LEFT, inf, &r) && r.f == INFINITY);
    assert_true(op_absorbs(OP_SUB, SIDE_RIGHT, inf, &r) && r.f == -INFINITY);
    assert_true(op_absorbs(OP_POW, SIDE_RIGHT, value_zero(TYPE_F64), &r) && r.f == 1);
    assert_true(op_absorbs(OP_POW, SIDE_LEFT, value_int(TYPE_F64, 1), &r) && r.f == 1);
    assert_true(op_absorbs(OP_DIV, SIDE_RIGHT, value_zero(TYPE_I32), &r) && r.i == 0);
    assert_false(op_absorbs(OP_DIV, SIDE_RIGHT, value_zero(TYPE_F64), &r));
    assert_true(op_absorbs(OP_MIN, SIDE_LEFT, value_lowest(TYPE_I32), &r) && r.i == INT32_MIN);
    assert_false(op_absorbs(OP_ADD, SIDE_LEFT, value_highest(TYPE_I32), &r));
    assert_true(op_absorbs(OP_ADD, SIDE_LEFT, value_int(TYPE_BOOL, 1), &r) && r.b);
    assert_false(op_absorbs(OP_ADD, SIDE_LEFT, value_zero(TYPE_BOOL), &r));
    assert_false(op_absorbs(OP_MUL, SIDE_LEFT, inf, &r));
    assert_false(op_absorbs(OP_ADD, SIDE_LEFT, value_real(TYPE_C128, INFINITY), &r));
    assert_true(op_absorbs(OP_ADD, SIDE_LEFT, value_complex(TYPE_C128, INFINITY, INFINITY), &r));
    assert_false(op_absorbs(OP_NEG, SIDE_LEFT, value_zero(TYPE_F64), &r));
    assert_false(op_absorbs(OP_MIN, SIDE_LEFT, value_lowest(TYPE_C64), &r));
    assert_false(op_identity(OP_MIN, SIDE_LEFT, TYPE_C64, &r));
    assert_false(op_identity(OP_SUB, SIDE_LEFT, TYPE_F64, &r));
}

/* Small numbers only: ADD over MIN does not hold where integers wrap. */
static void distribution_holds(void **state)
{
    (void)state;
    static const enum type type_of[] = {TYPE_F64, TYPE_I32, TYPE_U8, TYPE_BOOL};
    int found = 0;
    for (size_t t = 0; t < sizeof type_of / sizeof *type_of; t++)
        for (int o = 0; o < OP_COUNT; o++)
            for (int v = 0; v < OP_COUNT; v++)
                for (int n = 0; n < 4 * 4 * 4 * 2; n++) {
                    enum op op = (enum op)o, over = (enum op)v;
                    enum op_side side = (enum op_side)(n % 2),
                                 other = side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
                    enum type type = type_of[t];
                    bool integer_division = op == OP_DIV && type != TYPE_F64;
                    if (!op_distributes(op, side, over) || !takes(op, type) || !takes(over, type)
                        || integer_division || (type == TYPE_U8 && op == OP_SUB))
                        continue;
                    found++;
                    struct value x = value_int(type, 1 + n / 2 % 4),
                                 y = value_int(type, 1 + n / 8 % 4),
                                 z = value_int(type, 1 + n / 32);
                    struct value whole[2], left[2], right[2];
                    whole[side] = fold2(over, y, z);
                    left[side] = y;
                    right[side] = z;
                    whole[other] = left[other] = right[other] = x;
                    struct value a = op_fold(op, whole),
                                 b = fold2(over, op_fold(op, left), op_fold(op, right));
                    if (fabs(value_double(a) - value_double(b)) > 1e-12)
                        fail_msg("%s does not distribute over %s of %s", op_name(op), op_name(over),
                                 type_name(type));
                }
    assert_true(found > 1000);
    assert_false(op_distributes(OP_DIV, SIDE_RIGHT, OP_ADD));
    assert_false(op_distributes(OP_MUL, SIDE_LEFT, OP_MIN));
}

/* Updates that commute do so on small numbers, also where integers wrap. */
static void updates_commute(void **state)
{
    (void)state;
    static const enum type type_of[] = {TYPE_F64, TYPE_I32, TYPE_U8, TYPE_BOOL};
    for (size_t t = 0; t < sizeof type_of / sizeof *type_of; t++)
        for (int n = 0; n < 4 * 4 * 4 * 4; n++) {
            enum type type = type_of[t];
            enum op a = n % 2 ? OP_ADD : OP_SUB, b = n / 2 % 2 ? OP_ADD : OP_SUB;
            struct value x = value_int(type, n / 4 % 4), y = value_int(type, n / 16 % 4),
                         z = value_int(type, n / 64);
            assert_int_equal(op_updates_commute(a, b, type), a == b || type != TYPE_BOOL);
            if (!op_updates_commute(a, b, type))
                continue;
            assert_true(value_equal(fold2(b, fold2(a, x, y), z), fold2(a, fold2(b, x, z), y)));
        }
    assert_true(op_updates_commute(OP_MAX, OP_MAX, TYPE_F64));
    assert_false(op_updates_commute(OP_MAX, OP_ADD, TYPE_F64));
    assert_false(op_updates_commute(OP_SUB, OP_MUL, TYPE_F64));
}

/* Commutative, associative and idempotent as the table says, on small whole numbers. */
static void algebra_holds(void **state)
{
    (void)state;
    for (int o = 0; o < OP_COUNT; o++)
        for (int n = 0; n < 4 * 4 * 4; n++) {
            enum op op = (enum op)o;
            if (op_arity(op) != 2)
                continue;
            enum type type = takes(op, TYPE_I32) ? TYPE_I32 : TYPE_F64;
            struct value x = value_int(type, n % 4), y = value_int(type, n / 4 % 4),
                         z = value_int(type, n / 16);
            if (op_commutative(op))
                assert_true(value_equal(fold2(op, x, y), fold2(op, y, x)));
            if (op_associative(op))
                assert_true(
                    value_equal(fold2(op, fold2(op, x, y), z), fold2(op, x, fold2(op, y, z))));
            if (op_idempotent(op))
                assert_true(value_equal(fold2(op, x, x), x));
        }
    assert_true(op_commutative(OP_ADD) && op_associative(OP_ADD) && !op_idempotent(OP_ADD));
    assert_false(op_commutative(OP_SUB));
    assert_true(op_precedence(OP_MUL) > op_precedence(OP_ADD));
}

/* Stored values are told from others as loaded ones are: zeros of both signs are one value, and so
 * are all that are no numbers. */
static void stored_values_are_told(void **state)
{
    static const double numbers[] = {0, -0.0, 1, -1, 0.5, INFINITY, -INFINITY, NAN};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int i = 0; i < NUMBERS; i++)
            for (int k = 0; k < NUMBERS; k++) {
                char at[16];
                struct value v = value_complex((enum type)type, numbers[i], numbers[k]),
                             w = value_complex((enum type)type, numbers[k], numbers[i]);
                value_store(w, at);
                assert_int_equal(value_is_stored(v, at), value_equal(v, w));
                value_store(v, at);
                assert_true(value_is_stored(v, at));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_parse),
        cmocka_unit_test(types_promote),
        cmocka_unit_test(converting),
        cmocka_unit_test(comparing),
        cmocka_unit_test(highest_and_lowest),
        cmocka_unit_test(reading),
        cmocka_unit_test(reading_long_text),
        cmocka_unit_test(reads_what_it_prints),
        cmocka_unit_test(a_host_with_decimal_commas),
        cmocka_unit_test(storing),
        cmocka_unit_test(operators_are_found),
        cmocka_unit_test(operators_type),
        cmocka_unit_test(folding_integers),
        cmocka_unit_test(folding_floats),
        cmocka_unit_test(folding_complex),
        cmocka_unit_test(selecting),
        cmocka_unit_test(operators_are_total),
        cmocka_unit_test(identities_and_annihilators_hold),
        cmocka_unit_test(absorbing),
        cmocka_unit_test(distribution_holds),
        cmocka_unit_test(updates_commute),
        cmocka_unit_test(algebra_holds),
        cmocka_unit_test(stored_values_are_told),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
