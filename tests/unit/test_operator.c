/* test_operator.c - operators that users define: what their text means, what is wrong with it, and
 * whether what they are declared to be is found out.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/notation/operator.h"
#include "tests/support/rng.h"
#include "tests/unit/support.h"

/* The operator, declared. */
static enum op declared(struct context *cx, const char *text)
{
    if (!operator_declare(cx, text))
        fail_msg("%s is refused:\n%s", text, diag_render(cx));
    return cx->operators->at[cx->operators->n - 1]->op;
}

static struct value call(const struct context *cx, enum op op, enum type type,
                         const double *operand)
{
    struct value value[3];
    for (int i = 0; i < op_arity(op); i++)
        value[i] = value_convert(value_real(TYPE_F64, operand[i]), type);
    return operator_fold(cx, op, value);
}

/* ---- what the text means ---- */

static void bodies_mean_what_c_means(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double operand[3], result;
    } cases[] = {
        {"f(x,y) = x > y ? x : y", {1, 2}, 2},
        {"f(x, y) = x + y * 2 - 3", {1, 2}, 2},
        {"f(x,y) = (x + y) * 2 / 4", {1, 2}, 1.5},
        {"f(x,y) = x - y - 1", {5, 3}, 1},
        {"f(x,y) = x % y", {7, 4}, 3},
        {"f(x) = -x", {4}, -4},
        {"f(x) = - -x + +x", {4}, 8},
        {"f(x) = -2*x", {4}, -8},
        {"f(x) = 2 - -1", {4}, 3},
        {"f(x) = !x", {4}, 0},
        {"f(x) = !!x + 0.0", {4}, 1},
        {"f(x,y) = x && y", {4, 0}, 0},
        {"f(x,y) = x && y", {4, 0.5}, 1},
        {"f(x,y) = x || y", {0, 0.5}, 1},
        {"f(x,y) = x || y && 0", {1, 1}, 1},
        {"f(x,y) = x == y || x < y", {1, 2}, 1},
        {"f(x,y) = x < y == 1", {1, 2}, 1},
        {"f(x,y) = x != y && x <= y && y >= x", {1, 2}, 1},
        {"f(x,y) = x ? y ? 1 : 2 : 3", {1, 0}, 2},
        {"f(x,y) = x ? 1 : y ? 2 : 3", {0, 0}, 3},
        {"f(x,y) = fmax(x, fmin(y, 3)) + fabs(-1.5f)", {1, 7}, 4.5},
        {"f(x) = sqrtf(x) + sqrt(x) + pow(x, 0.5)", {4}, 6},
        {"f(x,y) = max(x, y, 10, 3)", {4, 7}, 10},
        {"f(x,y) = fmod(x, y) + mod(x, y)", {7, 4}, 6},
        {"f(x,y,z) = select(x, y, z)", {0, 4, 7}, 7},
        {"f(x) = x < INFINITY && x > -inf", {0}, 1},
        {"f(x) = .5e1 + 1e-1 * x", {10}, 6},
        {"f(x) = true ? x : false", {10}, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        IN_CONTEXT(cx)
        {
            enum op op = declared(cx, cases[i].text);
            double result = value_double(call(cx, op, TYPE_F64, cases[i].operand));
            if (result != cases[i].result)
                fail_msg("%s is %g, not %g", cases[i].text, result, cases[i].result);
        }
    }
}

static void they_are_computed_in_the_type_of_their_operands(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const enum type ints[2] = {TYPE_I32, TYPE_I32}, mixed[2] = {TYPE_I8, TYPE_F32};
        enum op half = declared(cx, "half(x,y) = (x + y) / 2"),
                less = declared(cx, "less(x,y) = x < y");
        enum op real = declared(cx, "real2(x,y) = (x + y) / 2.0"),
                bits = declared(cx, "bits(x,y) = and(x, y)");
        const double operand[2] = {4, 3};
        assert_int_equal(operator_result_type(cx, half, ints), TYPE_I32);
        assert_int_equal(call(cx, half, TYPE_I32, operand).i, 3);
        assert_int_equal(operator_result_type(cx, half, mixed), TYPE_F32);
        assert_int_equal(operator_result_type(cx, less, mixed), TYPE_BOOL);
        assert_int_equal(operator_result_type(cx, real, ints), TYPE_F64);
        assert_true(call(cx, real, TYPE_I32, operand).f == 3.5);
        assert_true(operator_accepts(cx, bits, ints) && !operator_accepts(cx, bits, mixed));
        assert_false(operator_accepts(cx, less, (enum type[]){TYPE_C64, TYPE_F64}));
        assert_true(operator_accepts(cx, half, (enum type[]){TYPE_C64, TYPE_F64}));
    }
}

static void laws_and_numbers(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        enum op f = declared(
            cx, "f(x,y) = x > y ? x : y; commutative, associative, idempotent, identity=-inf");
        enum op g = declared(cx, "g(x,y,z) = x");
        enum op h = declared(cx, "h(x,y) = x * y; annihilator=0; commutative"), found;
        struct value v;
        assert_true(op_is_user(f) && op_is_user(g) && !op_is_user(OP_ADD) && !op_is_user(OP_NONE));
        assert_int_equal(op_arity(f), 2);
        assert_int_equal(op_arity(g), 3);
        assert_int_equal(op_syntax(g), SYNTAX_CALL);
        assert_true(op_commutative(f) && op_associative(f) && op_idempotent(f)
                    && operator_reduces(cx, f));
        assert_true(!op_commutative(g) && !op_associative(g) && !op_idempotent(g)
                    && !operator_reduces(cx, g));
        assert_true(op_commutative(h) && !op_associative(h) && !operator_reduces(cx, h));
        assert_string_equal(operator_name(cx, g), "g");
        assert_true(operator_find(cx, "h", 1, &found) && found == h);
        assert_true(operator_find(cx, "min", 3, &found) && found == OP_MIN);
        assert_false(operator_find(cx, "hh", 2, &found));
        assert_true(operator_identity(cx, f, SIDE_RIGHT, TYPE_F64, &v) && v.f == -INFINITY);
        assert_true(operator_identity(cx, f, SIDE_LEFT, TYPE_I8, &v) && v.i == INT8_MIN);
        assert_true(operator_identity(cx, f, SIDE_LEFT, TYPE_U16, &v) && v.u == 0);
        assert_false(operator_identity(cx, h, SIDE_LEFT, TYPE_F64, &v));
        assert_true(operator_absorbs(cx, h, SIDE_LEFT, value_zero(TYPE_F32), &v)
                    && value_is_zero(v));
        assert_false(operator_absorbs(cx, h, SIDE_LEFT, value_int(TYPE_F32, 1), &v));
    }
}

static void constants_that_a_type_does_not_hold(void **state)
{
    (void)state;
    struct value v;
    assert_false(operator_constant(value_int(TYPE_I64, -1), TYPE_U8, &v));
    assert_false(operator_constant(value_int(TYPE_I64, 256), TYPE_U8, &v));
    assert_false(operator_constant(value_real(TYPE_F64, 0.5), TYPE_I32, &v));
    assert_false(operator_constant(value_complex(TYPE_C128, 0, 1), TYPE_F64, &v));
    assert_true(operator_constant(value_real(TYPE_F64, INFINITY), TYPE_U8, &v) && v.u == 255);
    assert_true(operator_constant(value_real(TYPE_F64, 0.1), TYPE_F32, &v) && v.f == (double)0.1f);
    assert_true(operator_constant(value_int(TYPE_I64, 1), TYPE_BOOL, &v) && v.b);
}

/* ---- calls of others ---- */

static void operators_of_operators(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        declared(cx, "sq(x) = x * x");
        enum op f = declared(cx, "norm(x,y) = sqrt(sq(x) + sq(y))");
        assert_true(call(cx, f, TYPE_F64, (const double[]){3, 4}).f == 5);
        assert_int_equal(operator_user(cx, f)->uses[0], 2);
        assert_false(operator_declare(cx, "sq(x) = x"));
        assert_non_null(strstr(diag_render(cx), "sq is an operator that is defined already"));
    }
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        declared(cx, "f0(x) = x + x");
        int k = 1;
        while (k < 50
               && operator_declare(
                   cx, arena_printf(cx->arena, "f%d(x) = f%d(f%d(x))", k, k - 1, k - 1)))
            k++;
        assert_in_range(k, 3, 6);
        assert_int_equal(cx->diags.at[0].code, DIAG_LIMIT);
        static const char *const opens[][2] = {{"!(", "(-"}, {"or(", "or("}, {"-g(", "+g("}};
        assert_true(operator_declare(cx, "g(x) = -x"));
        for (size_t o = 0; o < sizeof opens / sizeof *opens; o++) {
            struct text deep = text_new(cx->arena);
            text_add(&deep, "f(x) = ");
            for (int i = 0; i < 60000 / 3; i++)
                text_add(&deep, opens[o][i % 2]);
            assert_false(operator_declare(cx, deep.at));
            assert_int_equal(cx->diags.at[cx->diags.n - 1].code, DIAG_LIMIT);
        }
    }
}

/* ---- mistakes ---- */

static void mistakes_are_shown_in_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int code, begin, end;
        const char *said;
    } cases[] = {
        {"", 101, 0, 0, "expected an operator"},
        {"2", 101, 0, 1, "expected an operator"},
        {"f", 101, 1, 1, "expected '('"},
        {"f()", 101, 2, 3, "name of a parameter"},
        {"f(x", 101, 3, 3, "expected ')'"},
        {"f(x)", 101, 4, 4, "expected '='"},
        {"f(x) =", 101, 6, 6, "expected a parameter, a number or a function, not the end"},
        {"f(x) = x +", 101, 10, 10, "not the end"},
        {"f(x) = x y", 101, 9, 10, "expected an operator of C's"},
        {"f(x) = (x", 101, 9, 9, "expected ')'"},
        {"f(x) = x)", 101, 8, 9, "expected an operator of C's"},
        {"f(x) = x ? 1", 101, 12, 12, "expected ':'"},
        {"f(x) = x = 1", 101, 9, 10, "not '='"},
        {"f(x) = x & 1", 101, 9, 10, "not '&'"},
        {"f(x) = x[1]", 101, 8, 9, "not '['"},
        {"f(x) = 1.2.3", 102, 7, 12, "not a number"},
        {"f(x) = y", 201, 7, 8, "y is no parameter"},
        {"f(x) = g(x)", 201, 7, 8, "g is no function"},
        {"f(x) = sum(x, x)", 201, 7, 10, "sum is no function"},
        {"f(x) = max(x)", 101, 7, 13, "max takes at least 2 arguments, not 1"},
        {"f(x) = sqrt(x, x)", 101, 7, 17, "sqrt takes 1 argument, not 2"},
        {"f(x,x) = x", 201, 4, 5, "x is the name of two parameters"},
        {"f(x,y,z,w) = x", 101, 8, 9, "at most 3"},
        {"max(x,y) = x", 201, 0, 3, "max is a word of the language already"},
        {"f(inf) = 1", 201, 2, 5, "inf is a word of the language already"},
        {"f(x) = and(x, 0.5)", 204, 7, 18, "and is not defined on"},
        {"f(x,y) = x; comutative", 101, 12, 22, "a law of the operator"},
        {"f(x,y) = x; identity", 101, 20, 20, "expected '='"},
        {"f(x,y) = x; identity=", 102, 21, 22, "a constant is expected"},
        {"f(x,y) = x; identity=x", 102, 21, 22, "a constant is expected"},
        {"f(x,y) = x; identity=1 2", 102, 21, 24, "a constant is expected"},
        {"f(x) = x; associative", 208, 10, 21, "only an operator with two parameters"},
        {"f(x) = x; distributes over +", 208, 10, 21, "declared as one that distributes"},
        {"f(x,y) = x; distributes +", 101, 24, 25, "expected 'over', not '+'"},
        {"f(x,y) = x; distributes over", 208, 28, 28, "an associative and commutative operator"},
        {"f(x,y) = x; distributes over -", 208, 29, 30, "an associative and commutative operator"},
        {"f(x,y) = x; distributes over f", 208, 29, 30, "an associative and commutative operator"},
        {"f(x,y) = x; distributes over sqrt", 208, 29, 33, "an associative and commutative"},
        {"f(x,y) = x; distributes over +, distributes over +, distributes over +, distributes "
         "over +, distributes over +, distributes over +, distributes over +, distributes over +, "
         "distributes over +",
         604, 189, 190, "distributes over 8 at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        IN_CONTEXT(cx)
        {
            if (operator_declare(cx, cases[i].text))
                fail_msg("%s is accepted", cases[i].text);
            assert_int_equal(cx->diags.n, 1);
            const struct diag *d = &cx->diags.at[0];
            if ((int)d->code != cases[i].code || d->span.begin != cases[i].begin
                || d->span.end != cases[i].end || !strstr(d->message, cases[i].said))
                fail_msg("%s: wrong diagnostic [%d,%d)\n%s", cases[i].text, d->span.begin,
                         d->span.end, diag_render(cx));
            assert_null(cx->operators);
        }
    }
}

static void survive(struct rng *rng, bool begins_well)
{
    static const char *const parts[] = {"f(",   "x",    ",", ")",  "=",         "?",
                                        ":",    "(",    "-", "!",  "&&",        "||",
                                        "max(", "1.5",  "%", ";",  "identity=", "distributes over",
                                        " ",    "\xff", "<", "==", "g(x)",      "inf"};
    IN_CONTEXT(cx)
    {
        struct text text = text_new(cx->arena);
        text_add(&text, begins_well ? "f(x,y) = " : "");
        for (int k = rng_below(rng, 12); k >= 0; k--)
            text_add(&text, parts[rng_below(rng, sizeof parts / sizeof *parts)]);
        bool good = operator_declare(cx, text.at);
        assert_int_equal(good, cx->diags.n == 0);
    }
}

static void hostile_text_is_survived(void **state)
{
    (void)state;
    struct rng rng = {7};
    for (int n = 0; n < 3000; n++)
        survive(&rng, n % 2);
}

/* ---- laws ---- */

static void believe(const char *text)
{
    static const enum type types[] = {TYPE_BOOL, TYPE_I8,  TYPE_U8, TYPE_I32,
                                      TYPE_U64,  TYPE_F32, TYPE_F64};
    IN_CONTEXT(cx)
    {
        enum op op = declared(cx, text);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            if (!operator_obeys(cx, op, types[t]))
                fail_msg("of %s:\n%s", type_name(types[t]), diag_render(cx));
    }
}

static void laws_that_hold_are_believed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f(x,y) = x + y; commutative, associative, identity=0",
        "f(x,y) = x * y; commutative, associative, identity=1, annihilator=0",
        ("f(x,y) = x > y ? x : y; commutative, associative, idempotent, identity=-inf, "
         "annihilator=inf"),
        "f(x,y) = fmin(x, y); commutative, associative, idempotent, identity=inf, annihilator=-inf",
        "f(x,y) = x * y; distributes over +",
        "f(x,y) = fmin(x, y); distributes over max",
        "f(x,y) = fmax(x, y); distributes over min; commutative",
        "f(x,y) = x || y; commutative, associative",
        "f(x,y) = x == 0 ? y : x; associative, idempotent, identity=0",
        "f(x,y) = x",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        believe(texts[i]);
    IN_CONTEXT(cx)
    {
        enum op op = declared(cx, "f(x,y) = x + y + x * y; commutative, associative, identity=0");
        assert_true(operator_obeys(cx, op, TYPE_F64) && operator_obeys(cx, op, TYPE_C64));
        assert_true(operator_obeys(cx, op, TYPE_I16));
        op = declared(cx, "g(x,y) = min(abs(x), abs(y)); commutative, associative, annihilator=0");
        assert_true(operator_obeys(cx, op, TYPE_F64) && operator_obeys(cx, op, TYPE_U8));
        assert_false(operator_obeys(cx, op, TYPE_I8)); /* abs(-128) is -128 */
        cx->diags.n = 0;
        op = declared(cx,
                      "lse(x,y) = log(exp(x) + exp(y)); commutative, associative, identity=-inf");
        if (!operator_obeys(cx, op, TYPE_F64) || !operator_obeys(cx, op, TYPE_F32))
            fail_msg("%s", diag_render(cx));
    }
}

static void find_out(const char *text, enum type type, const char *said)
{
    IN_CONTEXT(cx)
    {
        enum op op = declared(cx, text);
        assert_false(operator_obeys(cx, op, type));
        if (!strstr(diag_render(cx), said) || cx->diags.at[0].code != DIAG_ALGEBRA)
            fail_msg("%s:\n%s", text, diag_render(cx));
        assert_false(operator_obeys(cx, op, type));
        assert_int_equal(cx->diags.n, 1); /* it is told once */
    }
}

static void laws_that_do_not_hold_are_found_out(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum type type;
        const char *said;
    } cases[] = {
        {"f(x,y) = x - y; commutative", TYPE_F64,
         "f is not commutative: f(1,2) = -1 and f(2,1) = 1"},
        {"f(x,y) = x - y; associative", TYPE_I32,
         "f is not associative: f(f(1,1),1) = -1 and f(1,f(1,1)) = 1"},
        {"f(x,y) = (x + y) / 2; associative", TYPE_F64, "f(f(1,1),2) = 1.5 and f(1,f(1,2)) = 1.25"},
        {"f(x,y) = x + y; idempotent", TYPE_F32, "f is not idempotent: f(1,1) = 2"},
        {"f(x,y) = x + y; identity=1", TYPE_F64, "f has another identity, if any: f(1,1) = 2"},
        {"f(x,y) = x - y; identity=0", TYPE_F64, "f(0,1) = -1"},
        {"f(x,y) = x > y ? x : y; identity=0", TYPE_F64, "f(0,-1) = 0"},
        {"f(x,y) = x > y ? x : y; identity=inf", TYPE_F64, "f(inf,1) = inf"},
        {"f(x,y) = x + y; distributes over +", TYPE_F64,
         "f does not distribute over +: f(0,1) = 1, and + of nothing is 0"},
        {"f(x,y) = x * x * y; distributes over +", TYPE_F64,
         "f does not distribute over +: f(1 + 1,1) = 4 and f(1,1) + f(1,1) = 2"},
        {"f(x,y) = x * y * y; distributes over +", TYPE_I32, "f(1,1 + 1) = 4"},
        {"f(x,y) = x + y; distributes over min", TYPE_I8, "f does not distribute over min: "},
        {"f(x,y) = min(x, y); distributes over max, distributes over min", TYPE_F64,
         "f does not distribute over min: f(inf,1) = 1, and min of nothing is inf"},
        {"f(x,y) = x + y; annihilator=0", TYPE_F64,
         "f has another annihilator, if any: f(0,1) = 1"},
        {"f(x,y) = x < 1000 ? x + y : x; commutative", TYPE_F64, "f is not commutative"},
        {"f(x,y) = x == 5 && y == -10 ? 1 : x * y; commutative", TYPE_I32, "f is not commutative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        find_out(cases[i].text, cases[i].type, cases[i].said);
    IN_CONTEXT(cx)
    { /* of unsigned values there is none below 0 */
        enum op op = declared(cx, "f(x,y) = x > y ? x : y; identity=0");
        assert_true(operator_obeys(cx, op, TYPE_U32));
    }
}

/* ---- in notation, and simplified ---- */

static const struct tin *checked(struct context *cx, const char *text)
{
    static const struct tin_declarations nothing_declared = {.defaults = {TYPE_I32, TYPE_I32}};
    const struct tin *parsed = tin_parse(cx, text);
    return parsed ? tin_check(cx, parsed, &nothing_declared) : NULL;
}

static void print_and_read_back(const char *text, const char *printed)
{
    IN_CONTEXT(cx)
    {
        declared(cx, "f(x,y) = x > y ? x : y; commutative, associative, identity=-inf");
        declared(cx, "g(x) = x * x");
        const struct tin *tin = checked(cx, text);
        if (!tin)
            fail_msg("%s is refused:\n%s", text, diag_render(cx));
        struct text out = text_new(cx->arena);
        tin_print(&out, tin);
        assert_string_equal(out.at, printed);
        assert_true(tin_equal(tin, checked(cx, out.at)));
    }
}

static void statements_use_them(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"y(i) = f(a(i), b(i))", "y(i) = f(a(i), b(i))"},
        {"y(i) = f(a(i), b(i), 2)", "y(i) = f(f(a(i), b(i)), 2.0)"},
        {"y(i) = f(j, A(i,j))", "y(i) = f(j, A(i,j))"},
        {"y(i) = f(j, k, A(i,j) * B(i,k))", "y(i) = f(j, k, A(i,j) * B(i,k))"},
        {"y(i) = f(j, 2) + x(j)", "y(i) = f(j, 2.0) + sum(j, x(j))"},
        {"y(i) = g(A(i,j))", "y(i) = sum(j, g(A(i,j)))"},
        {"y(i) f= x(i)", "y(i) f= x(i)"},
        {"y(i) f= f(j, A(i,j))", "y(i) f= f(j, A(i,j))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        print_and_read_back(cases[i].text, cases[i].printed);
}

static void misuse(const char *text, const char *said)
{
    IN_CONTEXT(cx)
    {
        declared(cx, "f(x,y) = x > y ? x : y; commutative, associative, identity=-inf");
        declared(cx, "g(x) = x * x");
        declared(cx, "h(x,y) = x + y; commutative, associative");
        declared(cx, "wrong(x,y) = (x + y) / 2; commutative, associative, identity=nan");
        assert_null(checked(cx, text));
        if (!strstr(diag_render(cx), said))
            fail_msg("%s:\n%s", text, diag_render(cx));
    }
}

static void statements_misuse_them(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"f(i) = x(i)", "f is a word of the language"},
        {"y(i) = f(a(i))", "f takes at least 2 arguments, not 1"},
        {"y(i) = g(a(i), b(i))", "g takes 1 argument, not 2"},
        {"y(i) = h(j, A(i,j))", "h does not reduce"},
        {"y(i) h= x(i)", "h does not reduce"},
        {"y(i) = f * x(i)", "f is the name of a function"},
        {"y(i) = f(a(i), 1i)", "f is not defined on c128"},
        {"y(i) = wrong(j, A(i,j))", "wrong is not associative"},
        {"y(i) = q(x(i))", "the functions are min, max"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        misuse(cases[i].text, cases[i].said);
}

static const struct cin *literal(struct context *cx, double v)
{
    return cin_literal(cx, value_real(TYPE_F64, v));
}

static const struct cin *apply(struct context *cx, enum op op, const struct cin *a,
                               const struct cin *b)
{
    return cin_simplify(cx, cin_op(cx, op, (const struct cin *[]){a, b}, 2));
}

static void calls_are_simplified(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const struct cin *x =
            cin_access(cx, cin_temporary(cx, "x", TYPE_F64, value_zero(TYPE_F64)), NULL, 0);
        enum op f = declared(cx, "f(x,y) = abs(x) < abs(y) ? abs(x) : abs(y); annihilator=0");
        enum op g = declared(cx, "g(x,y) = x == 0 ? y : y == 0 ? x : x * y + 1; identity=0");
        enum op h = declared(cx, "h(x,y) = x * y + y"),
                m = declared(cx, "m(x,y) = fmax(x, y); idempotent");
        assert_ptr_equal(apply(cx, f, x, literal(cx, 0)), literal(cx, 0));
        assert_ptr_equal(apply(cx, f, literal(cx, 0), x), literal(cx, 0));
        assert_int_equal(apply(cx, f, literal(cx, 1), x)->kind, CIN_OP);
        assert_ptr_equal(apply(cx, g, x, literal(cx, 0)), x);
        assert_ptr_equal(apply(cx, g, literal(cx, 0), x), x);
        /* by what it is made of */
        assert_ptr_equal(apply(cx, h, x, literal(cx, 0)), literal(cx, 0));
        assert_ptr_equal(apply(cx, h, literal(cx, 0), x), x);
        assert_ptr_equal(apply(cx, h, literal(cx, 2), literal(cx, 3)), literal(cx, 9));
        assert_ptr_equal(apply(cx, m, x, x), x);
        assert_int_equal(apply(cx, h, x, x)->op, h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_mean_what_c_means),
        cmocka_unit_test(they_are_computed_in_the_type_of_their_operands),
        cmocka_unit_test(laws_and_numbers),
        cmocka_unit_test(constants_that_a_type_does_not_hold),
        cmocka_unit_test(operators_of_operators),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(mistakes_are_shown_in_place),
        cmocka_unit_test(hostile_text_is_survived),
        cmocka_unit_test(laws_that_hold_are_believed),
        cmocka_unit_test(laws_that_do_not_hold_are_found_out),
        cmocka_unit_test(statements_use_them),
        cmocka_unit_test(statements_misuse_them),
        cmocka_unit_test(calls_are_simplified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
