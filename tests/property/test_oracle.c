/* test_oracle.c - the oracle, on statements whose values are known.
 *
 * What everything else is compared with has to be compared with something, too: numbers worked out
 * by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/notation/operator.h"
#include "tests/oracle/defined.h"
#include "tests/oracle/oracle.h"

enum { TENSORS = 5, COMPONENTS = 16, SIDE = 2 };

/* Tensors with every dimension 2; of a sparse one the components that are NAN here are not
 * stored. */
struct given {
    const char *name;
    int order;
    enum type type;
    double fill;
    bool sparse;
    double component[COMPONENTS];
};

struct asked {
    struct given given[TENSORS];
    int n;
    struct oracle_tensor tensor[TENSORS];
    struct oracle_level level[TENSORS][4];
    int64_t dimension[4], coordinate[TENSORS][COMPONENTS * 4];
    struct value component[TENSORS][COMPONENTS];
    struct context *cx;
    struct oracle_result result;
};

static struct value value_as(enum type type, double x)
{
    return value_convert(value_real(TYPE_F64, x), type);
}

static const struct map_expr mode_maps[] = {{MAP_MODE, 0, 0, NULL, NULL},
                                            {MAP_MODE, 1, 0, NULL, NULL},
                                            {MAP_MODE, 2, 0, NULL, NULL},
                                            {MAP_MODE, 3, 0, NULL, NULL}};

static void place(struct asked *a, int t)
{
    const struct given *g = &a->given[t];
    struct oracle_tensor *o = &a->tensor[t];
    *o = (struct oracle_tensor){.name = g->name,
                                .type = g->type,
                                .order = g->order,
                                .dimension = a->dimension,
                                .fill = value_as(g->type, g->fill),
                                .component = a->component[t],
                                .levels = g->order,
                                .level = a->level[t],
                                .coordinate = a->coordinate[t]};
    for (int l = 0; l < g->order; l++)
        a->level[t][l] = (struct oracle_level){&mode_maps[l], !g->sparse};
    for (int c = 0; c < 1 << g->order; c++) {
        bool stored = !g->sparse || !isnan(g->component[c]);
        a->component[t][c] = value_as(g->type, stored ? g->component[c] : g->fill);
        for (int m = 0; stored && m < g->order; m++)
            a->coordinate[t][o->entries * g->order + m] = c >> (g->order - 1 - m) & 1;
        o->entries += stored;
    }
}

static void prepare(struct asked *a, const struct given *given, int n)
{
    memset(a, 0, sizeof *a);
    memcpy(a->given, given, sizeof *given * (size_t)n);
    a->n = n;
    for (int m = 0; m < 4; m++)
        a->dimension[m] = SIDE;
    for (int t = 0; t < n; t++)
        place(a, t);
}

/* The operators of the table. */
static void declare_all(struct context *cx)
{
    enum op op;
    for (int k = 0; defined_operator(k, &op); k++)
        if (!operator_declare(cx, defined_of(op)->text))
            fail_msg("%s", diag_render(cx));
}

static void evaluate(struct asked *a, const char *statement)
{
    a->cx = context_new();
    assert_non_null(a->cx);
    assert_true(context_protect(a->cx));
    declare_all(a->cx);
    const struct tin *tin = tin_parse(a->cx, statement);
    if (!tin)
        fail_msg("%s", diag_render(a->cx));
    struct oracle_input input = {a->tensor, a->n, NULL, 0};
    a->result = oracle_evaluate(a->cx, tin, &input);
}

static void ask(struct asked *a, const char *statement, const struct given *given, int n)
{
    prepare(a, given, n);
    evaluate(a, statement);
}

/* Expected values, and for each A (absent), M (maybe) or S (stored). */
static void expect(const char *statement, const struct given *given, int n, const double *value,
                   const char *pattern)
{
    struct asked a;
    ask(&a, statement, given, n);
    if (a.result.refusal)
        fail_msg("%s: %s", statement, a.result.refusal);
    assert_int_equal(a.result.components, strlen(pattern));
    for (int64_t i = 0; i < a.result.components; i++) {
        const struct oracle_component *c = &a.result.at[i];
        if (!number_agrees(&c->number, value_as(given[0].type, value[i])) || c->number.unknown)
            fail_msg("%s: component %d is %Lg (bits %llx), not %g", statement, (int)i, c->number.re,
                     (unsigned long long)c->number.bits, value[i]);
        if ("AMS"[c->pattern] != pattern[i])
            fail_msg("%s: component %d is %c, not %c", statement, (int)i, "AMS"[c->pattern],
                     pattern[i]);
    }
    context_free(a.cx);
}

static void expect_refusal(const char *statement, const struct given *given, int n,
                           const char *part)
{
    struct asked a;
    ask(&a, statement, given, n);
    if (!a.result.refusal || !strstr(a.result.refusal, part))
        fail_msg("%s: %s", statement, a.result.refusal ? a.result.refusal : "not refused");
    context_free(a.cx);
}

#define _ NAN

static const struct given scalar = {"y", 0, TYPE_F64, 0, false, {100}},
                          vector = {"y", 1, TYPE_F64, 0, false, {100, 200}};
static const struct given B = {"B", 2, TYPE_F64, 0, true, {1, 2, _, 4}},
                          C = {"C", 2, TYPE_F64, 0, true, {_, 3, _, 5}},
                          c = {"c", 1, TYPE_F64, 0, false, {10, 20}},
                          d = {"d", 1, TYPE_F64, 0, false, {7, 8}},
                          v = {"v", 1, TYPE_F64, 0, true, {_, 6}};

static void test_einstein(void **state)
{
    (void)state;
    expect("y(i) = B(i,j) * c(j)", (struct given[]){vector, B, c}, 3, (double[]){50, 80}, "SS");
    expect("y(i) = B(i,j) * c(j) + d(i)", (struct given[]){vector, B, c, d}, 4, (double[]){57, 88},
           "SS");
    expect("y = c(i) + 3", (struct given[]){scalar, c}, 2, (double[]){33}, "S");
    expect("y(i) = 2 * (B(i,j) + d(i))", (struct given[]){vector, B, d}, 3, (double[]){20, 24},
           "SS");
    expect("y(i) = (B(i,j) + d(i)) * c(j)", (struct given[]){vector, B, d, c}, 4,
           (double[]){260, 320}, "SS");
    expect("y(i) = sqrt(B(i,j) * c(j) * c(j) * B(i,j))", (struct given[]){vector, B, c}, 3,
           (double[]){50, 80}, "SS");
    expect("y(i) = B(i,j) / c(j) * 20", (struct given[]){vector, B, c}, 3, (double[]){4, 4}, "SS");
    expect("y(i) = (B(i,j) + d(i)) / 2", (struct given[]){vector, B, d}, 3, (double[]){5, 6}, "SS");
    expect("y = -(B(i,j) - c(j))", (struct given[]){scalar, B, c}, 3, (double[]){23}, "S");
    expect("y(i) = max(k, B(i,k)) + v(j)", (struct given[]){vector, B, v}, 3, (double[]){8, 10},
           "SS");
    expect("y(i) = max(k, B(i,k) * c(j))", (struct given[]){vector, B, c}, 3, (double[]){60, 120},
           "SS");
    expect("y(i) = B(i,j) < c(j)", (struct given[]){vector, B, c}, 3, (double[]){2, 2}, "SS");
    expect_refusal("y(i) = (B(i,j) + d(i)) * (C(i,j) + c(i))", (struct given[]){vector, B, d, C, c},
                   5, "ambiguous");
    expect_refusal("y(i) = sum(j, B(i,j)) + sum(i, c(i))", (struct given[]){vector, B, c}, 3,
                   "bound around");
    expect_refusal("y = sum(j, B(i,j) * max(j, c(j)))", (struct given[]){scalar, B, c}, 3,
                   "bound around");
}

static void test_arithmetic(void **state)
{
    static const struct given bytes = {"b", 1, TYPE_I8, 0, false, {100, -128}},
                              w = {"y", 1, TYPE_I64, 0, false, {0}},
                              u = {"u", 1, TYPE_U8, 0, false, {200, 7}},
                              f = {"f", 1, TYPE_F32, 0, false, {0.5, 3}};
    (void)state;
    expect("y(i) = b(i) + b(i)", (struct given[]){w, bytes}, 2, (double[]){200, -256}, "SS");
    expect("y(i) = b(i) + u(i)", (struct given[]){w, bytes, u}, 3, (double[]){300, -121}, "SS");
    expect("y(i) = b(i) / 0", (struct given[]){w, bytes}, 2, (double[]){0, 0}, "AA");
    expect("y(i) = -b(i)", (struct given[]){w, bytes}, 2, (double[]){-100, 128}, "SS");
    expect("y(i) = b(i) * 0.5", (struct given[]){w, bytes}, 2, (double[]){50, -64}, "SS");
    expect("y(i) = sum(j, b(j))", (struct given[]){w, bytes}, 2, (double[]){-28, -28}, "SS");
    expect("y(i) = prod(j, u(j))", (struct given[]){w, u}, 2, (double[]){1400, 1400}, "SS");
    expect("y(i) = f(i) + 0.5", (struct given[]){w, f}, 2, (double[]){1, 3}, "SS");
    expect("y(i) = any(j, u(j) == 7)", (struct given[]){w, u}, 2, (double[]){1, 1}, "SS");
    expect("y(i) = select(u(i) > 100, min(u(i), 50), 9)", (struct given[]){w, u}, 2,
           (double[]){50, 9}, "SS");
    expect("y(i) += c(i)", (struct given[]){vector, c}, 2, (double[]){110, 220}, "SS");
    expect("y(i) max= c(i) * 15", (struct given[]){vector, c}, 2, (double[]){150, 300}, "SS");
    expect_refusal("y(i) = max(u(i), 300)", (struct given[]){w, u}, 2, "literal");
}

static void test_pattern(void **state)
{
    static const struct given s2 = {"y", 2, TYPE_F64, 0, true, {_, _, _, _}};
    static const struct given far = {"F", 2, TYPE_F64, INFINITY, true, {_, 1, _, _}},
                              inf1 = {"y", 1, TYPE_F64, INFINITY, true, {_, _}};
    (void)state;
    expect("y(i,j) = B(i,j) + C(i,j)", (struct given[]){s2, B, C}, 3, (double[]){1, 5, 0, 9},
           "SSAS");
    expect("y(i,j) = B(i,j) * C(i,j)", (struct given[]){s2, B, C}, 3, (double[]){0, 6, 0, 20},
           "ASAS");
    expect("y(i,j) = B(i,j) - B(i,j)", (struct given[]){s2, B}, 2, (double[]){0, 0, 0, 0}, "SSAS");
    expect("y(i,j) = B(i,j) + 1", (struct given[]){s2, B}, 2, (double[]){2, 3, 1, 5}, "SSSS");
    expect("y(i,j) = B(i,j) * v(j)", (struct given[]){s2, B, v}, 3, (double[]){0, 12, 0, 24},
           "ASAS");
    expect("y(i) = min(j, F(i,j) + c(j))", (struct given[]){inf1, far, c}, 3,
           (double[]){21, INFINITY}, "SA");
}

/* A row in which nothing is stored need not be, but a loop over the rows comes across it. */
static void test_hierarchy(void **state)
{
    static const struct given s1 = {"y", 1, TYPE_F64, 0, true, {_, _}};
    static const struct given empty = {"E", 2, TYPE_F64, 0, true, {_, _, 1, _}};
    struct asked a;
    (void)state;
    expect("y(i) = E(i,j) * c(j)", (struct given[]){s1, empty, c}, 3, (double[]){0, 10}, "AS");
    expect("y(j) = E(i,j) * c(i)", (struct given[]){s1, empty, c}, 3, (double[]){20, 0}, "SM");
    prepare(&a, (struct given[]){s1, empty, c}, 3);
    a.level[1][0].full = true; /* CSR */
    evaluate(&a, "y(i) = E(i,j) * c(j)");
    assert_int_equal(a.result.at[0].pattern, ORACLE_MAYBE);
    assert_int_equal(a.result.at[1].pattern, ORACLE_STORED);
    context_free(a.cx);
}

/* Blocks and diagonals are there as a whole or not at all. */
static void test_maps(void **state)
{
    static const struct map_expr two = {MAP_CONSTANT, 0, 2, NULL, NULL};
    static const struct map_expr block = {MAP_DIV, 0, 0, &mode_maps[1], &two};
    static const struct map_expr in_block = {MAP_MOD, 0, 0, &mode_maps[1], &two};
    static const struct map_expr diagonal = {MAP_SUB, 0, 0, &mode_maps[1], &mode_maps[0]};
    static const struct given s2 = {"y", 2, TYPE_F64, 0, true, {_, _, _, _}};
    static const struct given one = {"E", 2, TYPE_F64, 0, true, {_, _, 1, _}};
    static const struct oracle_level blocks[] = {{&mode_maps[0], true},
                                                 {&block, false},
                                                 {&in_block, true}},
                                     diagonals[] = {{&diagonal, false},
                                                    {&mode_maps[0], true},
                                                    {&mode_maps[1], true}};
    static const char *const patterns[] = {"AASS", "AASA"};
    struct asked a;
    int64_t value;
    (void)state;
    assert_true(oracle_level_value(&diagonals[0], (int64_t[]){1, 0}, &value) && value == -1);
    assert_false(oracle_level_value(&diagonals[0], (int64_t[]){1, -1}, &value));
    for (int format = 0; format < 2; format++) {
        prepare(&a, (struct given[]){s2, one}, 2);
        a.tensor[1].levels = 3;
        a.tensor[1].level = format == 0 ? blocks : diagonals;
        assert_int_equal(oracle_leading_levels(&a.tensor[1]), format == 0 ? 2 : 1);
        evaluate(&a, "y(i,j) = E(i,j)");
        for (int i = 0; i < 4; i++)
            assert_int_equal("AMS"[a.result.at[i].pattern], patterns[format][i]);
        context_free(a.cx);
    }
}

static void test_uncertain(void **state)
{
    static const struct given inf1 = {"w", 1, TYPE_F64, 0, false, {INFINITY, NAN}},
                              third = {"z", 1, TYPE_F64, 0, false, {0, 0.1}};
    struct asked a;
    (void)state;
    ask(&a, "y(i) = w(i) * z(i)", (struct given[]){vector, inf1, third}, 3);
    assert_true(a.result.at[0].number.unknown); /* 0 * inf */
    assert_false(a.result.at[1].number.unknown);
    assert_true(isnan((double)a.result.at[1].number.re));
    context_free(a.cx);
    ask(&a, "y = z(i) * 3", (struct given[]){scalar, third}, 2);
    assert_true(a.result.at[0].number.error > 0 && a.result.at[0].number.error < 1e-15L);
    assert_true(number_agrees(&a.result.at[0].number, value_real(TYPE_F64, 0.1 * 3)));
    assert_false(number_agrees(&a.result.at[0].number, value_real(TYPE_F64, 0.3000001)));
    context_free(a.cx);
    ask(&a, "y = z(i) * 3 == 0.3", (struct given[]){scalar, third}, 2);
    assert_true(a.result.at[0].number.unknown);
    context_free(a.cx);
    ask(&a, "y(i) = rsqrt(z(i))", (struct given[]){vector, third}, 2);
    assert_true(a.result.at[0].number.unknown); /* of which zero? */
    assert_false(a.result.at[1].number.unknown);
    context_free(a.cx);
}

/* Of a sum of nothing, a factor that is infinite by itself, or a sum over what is. */
static void test_uncertain_factors(void **state)
{
    static const struct given far = {"w", 1, TYPE_F64, 0, false, {1, INFINITY}};
    static const char *const statements[] = {
        "y = sum(j, d(j) * w(i))", "y = sum(j, sum(i, d(j) * w(i)))",
        "y = sum(j, d(j) * sum(i, w(i)))", "y = sum(j, d(j) * sum(i, c(i)))"};
    static int64_t none[1] = {0};
    struct asked a;
    (void)state;
    for (int s = 0; s < 4; s++) {
        prepare(&a, (struct given[]){scalar, far, d, c}, 4);
        a.tensor[2].dimension = none;
        a.tensor[2].entries = 0;
        evaluate(&a, statements[s]);
        assert_null(a.result.refusal);
        assert_int_equal(a.result.at[0].number.unknown, s < 3);
        context_free(a.cx);
    }
}

/* ---- operators of the table ---- */

static void test_operators(void **state)
{
    static const struct given bytes = {"b", 1, TYPE_I8, 0, false, {100, -128}},
                              w = {"y", 1, TYPE_I64, 0, false, {3, -900}},
                              truth = {"t", 1, TYPE_BOOL, 0, false, {0, 1}},
                              u = {"u", 1, TYPE_U8, 0, false, {200, 7}};
    (void)state;
    expect("y(i) = larger(j, B(i,j) * c(j))", (struct given[]){vector, B, c}, 3, (double[]){40, 80},
           "SS");
    expect("y(i) = larger(B(i,j), v(j))", (struct given[]){vector, B, v}, 3, (double[]){7, 6},
           "SS");
    expect("y = join(i, -v(i))", (struct given[]){scalar, v}, 2, (double[]){-6}, "S");
    expect("y(i) plus= plus(c(i), d(i), 1)", (struct given[]){vector, c, d}, 3,
           (double[]){118, 229}, "SS");
    expect("y(i) smaller= b(i)", (struct given[]){w, bytes}, 2, (double[]){3, -900}, "SS");
    expect("y(i) = larger(j, b(i) * t(j))", (struct given[]){w, bytes, truth}, 3,
           (double[]){100, 0}, "SS");
    expect("y(i) = larger(k, b(k))", (struct given[]){w, bytes}, 2, (double[]){100, 100}, "SS");
    expect("y(i) = parity(j, u(j))", (struct given[]){w, u}, 2, (double[]){207, 207}, "SS");
    expect("y(i) = apart(b(i), 27)", (struct given[]){w, bytes}, 2, (double[]){73, 155}, "SS");
    expect("y(i) = capped(u(i), 0)", (struct given[]){w, u}, 2, (double[]){100, 7}, "SS");
    expect("y(i) = polynomial(t(i)) + square(d(i))", (struct given[]){vector, truth, d}, 3,
           (double[]){50, 66}, "SS");
    expect("y(i) = clamp(c(i), 12, d(i) + 4)", (struct given[]){vector, c, d}, 3,
           (double[]){12, 12}, "SS");
    expect("y(i) = cyclic(c(i), d(i)) + mean(c(i), d(i))", (struct given[]){vector, c, d}, 3,
           (double[]){11.5, 14}, "SS");
    expect("y(i) = chosen(unless(d(i), c(i)), 1, first(c(i), d(i)))",
           (struct given[]){vector, c, d}, 3, (double[]){10, 20}, "SS");
    expect_refusal("y(i) = flags(c(i), 1)", (struct given[]){vector, c}, 2, "not defined");
}

/* An absent operand is an annihilator, or makes the body a constant, or neither. */
static void test_operators_pattern(void **state)
{
    static const struct given s1 = {"y", 1, TYPE_F64, 0, true, {_, _}},
                              p = {"p", 1, TYPE_F64, 0, true, {2, _}};
    (void)state;
    expect("y(i) = times(p(i), c(i))", (struct given[]){s1, p, c}, 3, (double[]){20, 0}, "SA");
    expect("y(i) = meet(p(i), v(i))", (struct given[]){s1, p, v}, 3, (double[]){0, 0}, "AA");
    expect("y(i) = join(p(i), v(i))", (struct given[]){s1, p, v}, 3, (double[]){2, 6}, "SS");
    expect("y(i) = multiply_add(p(i), c(i), 0)", (struct given[]){s1, p, c}, 3, (double[]){20, 0},
           "SA");
    expect("y(i) = first(p(i), c(i))", (struct given[]){s1, p, c}, 3, (double[]){2, 0}, "SA");
    expect("y(i) = clamp(c(i), p(i), p(i))", (struct given[]){s1, p, c}, 3, (double[]){2, 0}, "SM");
    expect("y(i) = smaller(p(i), c(i))", (struct given[]){s1, p, c}, 3, (double[]){2, 0}, "SS");
}

/* NaN and infinity, about which the laws say nothing, or something else than the body. */
static void test_operators_uncertain(void **state)
{
    static const struct given odd = {"w", 1, TYPE_F64, 0, false, {INFINITY, NAN}};
    static const char *const statements[] = {"y = larger(i, w(i))", "y(i) = larger(w(i), c(i))"};
    static const bool unknown[2][2] = {{true, true}, {false, true}};
    struct asked a;
    (void)state;
    for (int s = 0; s < 2; s++) {
        ask(&a, statements[s], (struct given[]){s ? vector : scalar, odd, c}, 3);
        assert_null(a.result.refusal);
        for (int64_t i = 0; i < a.result.components; i++)
            assert_int_equal(a.result.at[i].number.unknown, unknown[s][i]);
        context_free(a.cx);
    }
}

/* The compiler's folding of the text's body gives what the function gives. */
static void compare_values(struct context *cx, enum op op, enum op compiled, enum type type)
{
    static const double tried[] = {0, 1, -1, 2, 3.5, -7, 100, -128};
    int n = sizeof tried / sizeof *tried, arity = op_arity(op);
    for (int k = 0; k < n * n * n; k++) {
        int at[3] = {k % n, k / n % n, k / n / n};
        struct value operand[3];
        struct number number[3];
        for (int i = 0; i < arity; i++) {
            operand[i] = value_as(type, tried[at[i]]);
            number[i] = number_from(operand[i]);
        }
        struct number right = number_apply(op, number);
        struct value got = operator_fold(cx, compiled, operand);
        bool unknown = right.unknown && !type_is_complex(type); /* whose abs(...) is rounded */
        if (unknown || !number_agrees(&right, value_convert(got, right.type)))
            fail_msg("%s of %s: %g, %g, %g", defined_of(op)->name, type_name(type), tried[at[0]],
                     tried[at[1]], tried[at[2]]);
    }
}

static void compare_constant(bool has, struct value written, enum type type,
                             const struct number *expected)
{
    struct value value;
    bool is_there = has && operator_constant(written, type, &value);
    assert_int_equal(is_there, expected != NULL);
    assert_true(!is_there || number_agrees(expected, value));
}

/* On a type: is it defined, of which type is it, are its laws true and the same? */
static void compare_type(struct context *cx, enum op op, enum op compiled, enum type type)
{
    const struct user_op *user = operator_user(cx, compiled);
    enum type result, types[3] = {type, type, type};
    bool defined = number_result(op, types, &result);
    assert_int_equal(defined, user->body[type] != NULL);
    if (!defined)
        return;
    assert_int_equal(result, user->body[type]->type);
    if (!operator_obeys(cx, compiled, type))
        fail_msg("%s", diag_render(cx));
    struct number identity = number_identity(op, type), zero = number_int(type, 0), absorbed;
    compare_constant(user->has_identity, user->identity, type, identity.unknown ? NULL : &identity);
    struct value annihilator;
    if (user->has_annihilator && operator_constant(user->annihilator, type, &annihilator)) {
        struct number a = number_from(annihilator);
        assert_true(number_absorbs(op, 0, &a, &absorbed) && absorbed.type == result);
    } else {
        assert_false(number_absorbs(op, 0, &zero, &absorbed));
    }
    compare_values(cx, op, compiled, type);
}

static void test_operators_table(void **state)
{
    struct context *cx = context_new();
    enum op op, compiled, found;
    (void)state;
    assert_non_null(cx);
    assert_true(context_protect(cx));
    declare_all(cx);
    for (int k = 0; defined_operator(k, &op); k++) {
        const char *name = defined_of(op)->name;
        assert_true(defined_named(name, &found) && found == op
                    && defined_as(defined_of(op)->text, &found) && found == op);
        assert_true(operator_find(cx, name, strlen(name), &compiled));
        /* all are declared, in order: arity and laws are in the number */
        assert_int_equal(op, compiled);
        assert_int_equal(defined_reduces(op), operator_reduces(cx, compiled));
        for (int type = 0; type < TYPE_COUNT; type++)
            compare_type(cx, op, compiled, (enum type)type);
    }
    context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_einstein),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_uncertain),
        cmocka_unit_test(test_uncertain_factors),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_operators_pattern),
        cmocka_unit_test(test_operators_uncertain),
        cmocka_unit_test(test_operators_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
