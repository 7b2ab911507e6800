/* test_cost.c - costs: which is less whatever the sizes are, and which by numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/cost.h"
#include "tests/concrete/support.h"

/* i and j; B by rows: B.2 of a row's children; C by both: C.1, C.2; and as many as there are of
 * diagonals. */
struct sizes {
    struct cost_symbols symbols;
    struct cost one, i, j, b, c1, c2;
};

static struct cost symbol(struct sizes *s, const char *name, int level, double value, int within)
{
    struct cost_symbol made = {name, level, name, value, false, within};
    return cost_of_symbol(&s->symbols, cost_symbol(&s->symbols, made), value);
}

static struct sizes *make(struct context *cx)
{
    struct sizes *s = arena_make(cx->arena, struct sizes);
    s->symbols.cx = cx;
    s->one = cost_constant(&s->symbols, 1);
    s->i = symbol(s, "i", -1, 1000, -1);
    s->j = symbol(s, "j", -1, 1000, -1);
    s->b = symbol(s, "B", 1, 10, 1);
    s->c1 = symbol(s, "C", 0, 100, 0);
    s->c2 = symbol(s, "C", 1, 10, 1);
    return s;
}

static struct cost times(struct sizes *s, struct cost a, struct cost b)
{
    return cost_multiply(&s->symbols, a, b);
}
static struct cost plus(struct sizes *s, struct cost a, struct cost b)
{
    return cost_add(&s->symbols, a, b);
}

/* 1: a is below b; -1: b is below a; 0: neither. */
static int order(struct sizes *s, struct cost a, struct cost b)
{
    return cost_is_below(&s->symbols, a, b) - cost_is_below(&s->symbols, b, a);
}

static void orders(void **state)
{
    LAB(cx);
    struct sizes *s = make(cx);
    assert_int_equal(order(s, s->one, s->i), 1);
    assert_int_equal(order(s, s->i, cost_scale(&s->symbols, s->i, 100)), 0);
    assert_int_equal(order(s, s->i, s->j), 0);
    /* rows that are stored */
    assert_int_equal(order(s, s->c1, s->i), 1);
    /* positions of levels */
    assert_int_equal(order(s, s->c1, times(s, s->c1, s->c2)), 1);
    assert_int_equal(order(s, times(s, s->c1, s->c2), times(s, s->i, s->j)), 1);
    assert_int_equal(order(s, times(s, s->i, s->b), times(s, s->i, s->j)), 1);
    assert_int_equal(order(s, times(s, s->i, s->b), times(s, s->c1, s->c2)), 0);
    /* each is, not both */
    assert_int_equal(order(s, times(s, s->b, s->c2), s->j), 0);
    assert_int_equal(order(s, plus(s, s->i, s->j), times(s, s->i, s->j)), 1);
    assert_int_equal(order(s, plus(s, s->i, times(s, s->i, s->b)), times(s, s->i, s->b)), 0);
    assert_int_equal(order(s, cost_divide(&s->symbols, times(s, s->i, s->b), s->j), s->i), 1);
    assert_int_equal(order(s, s->one, (struct cost){.impossible = true}), 1);
}

static void numbers(void **state)
{
    LAB(cx);
    struct sizes *s = make(cx);
    struct cost few = times(s, s->c1, s->c2), many = times(s, s->i, s->b);
    assert_true(cost_value(&s->symbols, plus(s, few, s->one)) == 1001);
    assert_true(cost_value(&s->symbols, cost_least(&s->symbols, many, few)) == 1000);
    for (int i = 0; i < s->symbols.n; i++)
        s->symbols.at[i].known = true;
    assert_int_equal(order(s, s->one, s->i), 0); /* the numbers say it all */
}

static void many(void **state)
{
    LAB(cx);
    struct sizes *s = make(cx);
    static char name[TERMS_MAX + 10][2];
    struct cost sum = {0};
    for (int i = 0; i < TERMS_MAX + 10; i++)
        sum = plus(s, sum, times(s, symbol(s, name[i], -1, 2, -1), i % 2 ? s->i : s->j));
    assert_int_equal(s->symbols.n, SYMBOLS_MAX);
    assert_true(sum.terms <= TERMS_MAX);
    double expected = 2000.0 * (TERMS_MAX + 10), off = cost_value(&s->symbols, sum) / expected - 1;
    assert_true(off > -1e-9 && off < 1e-9);
}

static void as_text(void **state)
{
    LAB(cx);
    struct sizes *s = make(cx);
    struct text out = text_new(cx->arena);
    cost_print(
        &s->symbols, &out,
        plus(s, plus(s, s->i, times(s, s->i, s->b)), plus(s, s->one, times(s, s->c1, s->c2))));
    assert_string_equal(out.at, "  O(i*B + C*C)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {LAB_TEST(orders), LAB_TEST(numbers), LAB_TEST(many),
                                       LAB_TEST(as_text)};
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
