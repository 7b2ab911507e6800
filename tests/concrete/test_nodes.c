/* test_nodes.c - interning, questions, replacing and simplifying.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "tests/concrete/support.h"

/* What the tests take their names from: tensors a b c (f64), s (f32), k l (i32), m n (bool), u
 * (u8). */
static const char *const vocabulary =
    "a(i) = b(i) + c(i) + s(i) + k(i) + l(i) + m(i) + n(i) + u(i) + e + sum(j, D(i,j))";
static const char *const types = "s:/f32; k:/i32; l:/i32; m:/bool; n:/bool; u:/u8";

static const struct cin *read(struct context *cx, const char *text)
{
    const struct cin *s = lab_program(cx, vocabulary, types)->statement;
    struct cin_names names = lab_names(cx, s);
    return lab_parse(cx, text, &names);
}

/* ---- interning ---- */

/* Tensors and variables are themselves made anew by every statement: both texts must be over one
 * vocabulary. */
static void equal_nodes_are_one(void **state)
{
    static const char *const text[] = {
        "forall(i) a(i) = b(i) * c(i) + 2",
        "forall(i) (a(i) = t + b(i) where forall(j) t += D(i,j))",
        "(e = 1 ; e += 2)",
        "(e = 1 | e = 2)",
        "nothing",
        "forall(i) a(i) = select(m(i), b(i), -c(i))",
    };
    LAB(cx);
    const struct cin *s = lab_program(cx, vocabulary, types)->statement;
    struct cin_names names = lab_names(cx, s);
    const size_t n = sizeof text / sizeof *text;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            assert_int_equal(lab_parse(cx, text[i], &names) == lab_parse(cx, text[j], &names),
                             i == j);
}

static void literals(void **state)
{
    LAB(cx);
    assert_ptr_equal(cin_literal(cx, value_real(TYPE_F64, 1)),
                     cin_literal(cx, value_int(TYPE_F64, 1)));
    assert_ptr_equal(cin_literal(cx, value_real(TYPE_F64, NAN)),
                     cin_literal(cx, value_real(TYPE_F64, -NAN)));
    assert_ptr_not_equal(cin_literal(cx, value_real(TYPE_F64, 0)),
                         cin_literal(cx, value_real(TYPE_F64, -0.0)));
    assert_ptr_equal(cin_literal(cx, value_real(TYPE_F32, -0.0)),
                     cin_literal(cx, value_real(TYPE_F32, -0.0)));
    assert_ptr_not_equal(cin_literal(cx, value_real(TYPE_F64, 1)),
                         cin_literal(cx, value_real(TYPE_F32, 1)));
    assert_ptr_not_equal(cin_literal(cx, value_int(TYPE_I64, 1)),
                         cin_literal(cx, value_real(TYPE_F64, 1)));
    assert_ptr_not_equal(cin_literal(cx, value_int(TYPE_I64, 0)),
                         cin_literal(cx, value_int(TYPE_BOOL, 0)));
    assert_ptr_not_equal(cin_literal(cx, value_complex(TYPE_C128, 0, 1)),
                         cin_literal(cx, value_complex(TYPE_C128, 1, 0)));
    assert_ptr_not_equal(cin_literal(cx, value_real(TYPE_F64, INFINITY)),
                         cin_literal(cx, value_real(TYPE_F64, -INFINITY)));
}

/* The table grows without forgetting anybody. */
static void many_nodes(void **state)
{
    enum { MANY = 5000 };
    LAB(cx);
    const struct cin **made = arena_array(cx->arena, const struct cin *, MANY);
    for (int i = 0; i < MANY; i++)
        made[i] = cin_literal(cx, value_int(TYPE_I64, i));
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(made[i], cin_literal(cx, value_int(TYPE_I64, i)));
}

/* ---- questions ---- */

static void questions(void **state)
{
    LAB(cx);
    const struct cin *s =
        lab_program(cx, "y(i) = A(i,j) * x(j) + A(j,i) * x(j) + d(i)", "")->statement;
    struct cin_list read = cin_operands(cx, s), made = cin_assignments(cx, s);
    const char *text = "";
    for (size_t i = 0; i < read.n; i++)
        text = arena_printf(cx->arena, "%s%s ", text, lab_text(cx, read.at[i]));
    assert_string_equal(text, "t t2 d(i) A(j2,i) x(j2) A(i,j) x(j) ");
    assert_int_equal(made.n, 3);
    assert_true(cin_uses_var(s, lab_var(cx, s, "j2")));
    assert_false(cin_uses_var(made.at[0], lab_var(cx, s, "j2")));
    assert_true(cin_uses_tensor(s, lab_tensor(cx, s, "y")));
    assert_false(cin_uses_tensor(made.at[0], lab_tensor(cx, s, "A")));
    assert_true(cin_contains(s, read.at[4]));
    assert_false(cin_contains(made.at[0], read.at[4]));
    assert_true(cin_is_expression(read.at[0]));
    assert_false(cin_is_expression(made.at[0]));
}

/* ---- rewriting ---- */

static void replacing(void **state)
{
    LAB(cx);
    const struct cin *s = read(cx, "forall(i) a(i) = b(i) * (b(i) + c(i))");
    struct cin_list operands = cin_operands(cx, s->arg[0]);
    const struct cin *b = operands.at[0], *c = operands.at[1],
                     *one = cin_literal(cx, value_real(TYPE_F64, 1));
    assert_string_equal(lab_text(cx, cin_replace(cx, s, b, one)),
                        "forall(i) a(i) = 1.0 * (1.0 + c(i))");
    assert_ptr_equal(cin_replace(cx, cin_replace(cx, s, b, one), one, b), s);
    assert_ptr_equal(cin_replace(cx, s, s, b), b);
    assert_ptr_equal(cin_replace(cx, s, one, c), s); /* not there: the same node */
    assert_ptr_equal(cin_replace(cx, s, b, b), s);
    assert_ptr_equal(cin_with_args(cx, s, s->arg), s);
}

/* An operator's type follows from its operands. */
static void types_follow(void **state)
{
    LAB(cx);
    const struct cin *s = read(cx, "forall(i) a(i) = s(i) * s(i)")->arg[0];
    const struct cin *product = s->arg[1], *half = cin_literal(cx, value_real(TYPE_F64, 0.5));
    assert_int_equal(product->type, TYPE_F32);
    assert_int_equal(cin_replace(cx, product, product->arg[0], half)->type, TYPE_F64);
}

struct pair {
    const char *before, *after;
};

static void check_simplified(struct context *cx, const struct pair *pair, size_t pairs)
{
    const struct cin *s = lab_program(cx, vocabulary, types)->statement;
    struct cin_names names = lab_names(cx, s);
    for (size_t i = 0; i < pairs; i++) {
        const struct cin *before = lab_parse(cx, pair[i].before, &names),
                         *after = cin_simplify(cx, before);
        if (strcmp(lab_text(cx, after), pair[i].after))
            fail_msg("%s became %s, and not %s", pair[i].before, lab_text(cx, after),
                     pair[i].after);
        assert_ptr_equal(cin_simplify(cx, after), after);
        assert_int_equal(before == after, strcmp(lab_text(cx, before), pair[i].after) == 0);
    }
}

static void simplifying_expressions(void **state)
{
    static const struct pair pair[] = {
        {"e = 2.0 * 3.0 - 1.0", "e = 5.0"},
        {"e = select(1.0 < 2.0, b(i), c(i))", "e = b(i)"},
        {"e = select(m(i), b(i), b(i))", "e = b(i)"},
        {"e = select(m(i), b(i), c(i))", "e = select(m(i), b(i), c(i))"},
        {"e = b(i) + 0.0", "e = b(i)"},
        {"e = 0.0 + b(i)", "e = b(i)"},
        {"e = b(i) - 0.0", "e = b(i)"},
        {"e = 0.0 - b(i)", "e = 0.0 - b(i)"},
        {"e = 1.0 * b(i) * 1.0", "e = b(i)"},
        {"e = b(i) / 1.0", "e = b(i)"},
        {"e = 1.0 / b(i)", "e = 1.0 / b(i)"},
        {"e = pow(b(i), 1.0)", "e = b(i)"},
        {"e += c(i) + b(i) * 0.0", "e += c(i)"},
        {"e += c(i) + 0.0 / b(i)", "e += c(i)"},
        {"e += b(i) / 0.0", "e += b(i) / 0.0"},
        {"e += k(i) / 0", "nothing"}, /* integers: x / 0 is 0 */
        {"e = min(b(i), inf)", "e = b(i)"},
        {"e = max(b(i), inf)", "e = inf"},
        {"e = max(b(i), b(i))", "e = b(i)"},
        {"e = max(u(i), 0)", "e = u(i)"},
        {"e = min(u(i), 255)", "e = u(i)"},
        {"e = 1.0 + max(u(i), 255)", "e = 256.0"},
        {"e = or(m(i), true)", "e = true"},
        {"e = or(m(i), false)", "e = m(i)"},
        {"e = and(m(i), and(n(i), false)) + 3", "e = 3"},
        {"e = b(i) + inf", "e = inf"},
        {"e = s(i) + 0.0", "e = s(i)"}, /* the literal is f32 here */
        {"e = -(-b(i))", "e = --b(i)"},
    };
    LAB(cx);
    check_simplified(cx, pair, sizeof pair / sizeof *pair);
}

/* What annihilates all that is there need not annihilate a fill. */
static void simplifying_what_is_unsure(void **state)
{
    static const struct pair pair[] = {
        {"e = 0.0 / b(i)", "e = 0.0 / b(i)"},
        {"e = 0.0 / c(i)", "nothing"},
        {"e = 0.0 * b(i)", "nothing"},
        {"e = 0.0 / (b(i) * c(i))", "e = 0.0 / (b(i) * c(i))"},
        {"e = 0.0 / (b(i) + 1.0)", "nothing"},
        {"e = 0.0 / (b(i) + c(i))", "nothing"},
        {"e = 0.0 * (b(i) - 1.0)", "nothing"}, /* or -0 */
        {"e = 0.0 * (1.0 / b(i))", "e = 0.0 * (1.0 / b(i))"},
        {"e = inf - (b(i) + 1.0)", "e = inf"},
        {"e = pow(b(i), 0.0)", "e = 1.0"},
    };
    LAB(cx);
    const struct cin *s = lab_program(cx, vocabulary, types)->statement;
    struct cin_names names = lab_names(cx, s);
    struct cin_list b = cin_operands(cx, lab_parse(cx, "e = b(i)", &names));
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        const struct cin *simple =
            cin_simplify_unsure(cx, lab_parse(cx, pair[i].before, &names), &b);
        if (strcmp(lab_text(cx, simple), pair[i].after))
            fail_msg("%s became %s, and not %s", pair[i].before, lab_text(cx, simple),
                     pair[i].after);
    }
}

/* A rule that would change the type is not applied: the sum of f32 and an f64 zero is f64. */
static void simplifying_keeps_types(void **state)
{
    LAB(cx);
    const struct cin *s = read(cx, "forall(i) a(i) = s(i) + c(i)")->arg[0]->arg[1];
    const struct cin *zero = cin_literal(cx, value_zero(TYPE_F64)),
                     *one = cin_literal(cx, value_int(TYPE_F64, 1));
    const struct cin *narrow = cin_replace(cx, s, s->arg[1], zero),
                     *wide = cin_replace(cx, s, s->arg[0], zero);
    assert_ptr_equal(cin_simplify(cx, narrow), narrow);
    assert_ptr_equal(cin_simplify(cx, wide), s->arg[1]);
    const struct cin *pair[] = {cin_literal(cx, value_int(TYPE_BOOL, 1)), s->arg[0], one};
    const struct cin *chosen = cin_op(cx, OP_SELECT, pair, 3);
    assert_ptr_equal(cin_simplify(cx, chosen), chosen); /* s(i) alone would be f32 */
}

static void simplifying_statements(void **state)
{
    static const struct pair pair[] = {
        {"a(i) = 0.0", "nothing"}, /* it holds its fill already */
        {"a(i) = 1.0", "a(i) = 1.0"},
        {"a(i) += 0.0", "nothing"},
        {"a(i) *= 1.0", "nothing"},
        {"a(i) *= 0.0", "a(i) *= 0.0"},
        {"a(i) min= inf", "nothing"},
        {"a(i) max= 0.0", "a(i) max= 0.0"},
        {"u(i) max= 0", "nothing"},
        {"m(i) |= false", "nothing"},
        {"m(i) &= true", "nothing"},
        /* 0 once converted, but it is for the target to say so */
        {"k(i) += 0.25", "k(i) += 0.25"},
        {"forall(i) a(i) = b(i) * 0.0", "nothing"},
        {"(a(i) = b(i) ; a(i) += 0.0)", "a(i) = b(i)"},
        {"(a(i) = 0.0 ; a(i) += b(i))", "a(i) += b(i)"},
        {"(a(i) = b(i) | k(i) = 0)", "a(i) = b(i)"},
        {"(a(i) = 0.0 | k(i) = 0)", "nothing"},
        {"(a(i) = t where forall(j) t += D(i,j))", "(a(i) = t where forall(j) t += D(i,j))"},
        {"(a(i) = t where forall(j) t += D(i,j) * 0.0)", "nothing"},
        {"(a(i) = t + b(i) where forall(j) t += D(i,j) * 0.0)", "a(i) = b(i)"},
        {"(a(i) = exp(t) where forall(j) t += D(i,j) * 0.0)", "a(i) = 1.0"},
        {"(a(i) = t * 0.0 where forall(j) t += D(i,j))", "nothing"},
        {"(a(i) = b(i) where forall(j) t += D(i,j))", "a(i) = b(i)"},
        {"(a(i) = b(i) + t * 0.0 where forall(j) t += D(i,j))", "a(i) = b(i)"},
    };
    LAB(cx);
    check_simplified(cx, pair, sizeof pair / sizeof *pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(equal_nodes_are_one),
        LAB_TEST(literals),
        LAB_TEST(many_nodes),
        LAB_TEST(questions),
        LAB_TEST(replacing),
        LAB_TEST(types_follow),
        LAB_TEST(simplifying_expressions),
        LAB_TEST(simplifying_keeps_types),
        LAB_TEST(simplifying_what_is_unsure),
        LAB_TEST(simplifying_statements),
    };
    return cmocka_run_group_tests_name("nodes", tests, NULL, NULL);
}
