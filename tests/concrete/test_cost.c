/* test_cost.c - costs: which is less whatever the sizes are, and which by numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "tests/concrete/support.h"

#include <math.h>

/* i and j; B by rows: B.2 of a row's children; C by both: C.1, C.2; and as many as there are of
 * diagonals. */
struct sizes {
    struct cost_symbols symbols;
    struct cost one, i, j, b, c1, c2;
};

static struct cost symbol(struct sizes *s, const char *name, int level, double value, int within)
{
    struct cost_symbol made = {.of = name, .level = level, .name = name, .value = value};
    if (within >= 0)
        made.most.power[within] = 1;
    return cost_of_symbol(&s->symbols, cost_new_symbol(&s->symbols, made), value);
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
    a = cost_keep(&s->symbols, a);
    b = cost_keep(&s->symbols, b);
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
    assert_true(cost_value(plus(s, few, s->one)) == 1001);
    assert_true(cost_value(cost_least(many, few)) == 1000);
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
    double expected = 2000.0 * (TERMS_MAX + 10), off = cost_value(sum) / expected - 1;
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

/* A grid is gone through, and has as much as a matrix has by rows. */
static void grids(void **state)
{
    static const char *const row[][3] = {
        {"a:dss", "reorder(i,j,k,l)", "  O(i*a.2*a.3*l)"},
        {"a:dds", "reorder(i,j,k,l)", "  O(i*j + i*a.3*l)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, "y(l) = a(i,j,k) * b(i,l)", row[i][0]);
        struct cost_symbols *symbols = plan_symbols(cx, p);
        struct text out = text_new(cx->arena);
        bool is_whole;
        p = lab_apply(cx, p, row[i][1]);
        cost_print(symbols, &out, plan_cost(symbols, p, &is_whole));
        assert_true(is_whole);
        assert_string_equal(out.at, row[i][2]);
    }
}

/* What an alternative costs does not depend on which were priced before it, and its schedule reads
 * back to its program. */
static void alone(void **state)
{
    static const struct {
        const char *statement, *declarations;
    } row[] = {
        {"y(i,j) = a(i,j) + b(i,j)", "y:hash:1,0; a:bitmap; b:dia"},
        {"y(i,j) = a(i,j) - b(j,i)", "y:bitmap; a:bitmap; b:dcsr"},
        {"y(i,l) = a(i,j) * b(j,k) * c(k,l)", "y:csr; a:dcsr; b:coo; c:csc"},
        {"y(i,l) = 2 * (a(i,j) * b(j,k)) * c(k,l) + 2 * a(i,l)", "y:csr; a:dcsr/f32; b:coo/i32"},
        {"y(i) = a(i,k,l) * b(k,j) * c(l,j)", "a:coo; b:bcsr(2,2); c:dia"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        struct plan_report report = {0};
        int priced = 0;
        plan_schedule(cx, p, &report);
        for (size_t k = 0; k < report.alternative.n; k++) {
            const struct plan_alternative *a = &report.alternative.at[k];
            bool is_whole;
            const struct cin_program *made = lab_apply(cx, p, a->schedule);
            if (a->program)
                lab_check_reads_back(cx, p, a->schedule, a->program);
            struct cost_symbols *symbols = plan_symbols(cx, p);
            struct cost cost = plan_cost(symbols, made, &is_whole);
            double off = cost_value(cost) / a->cost - 1;
            priced += isfinite(a->cost);
            if (isfinite(a->cost) && !(fabs(off) < 1e-9))
                fail_msg("%s: %s: %g, and not %g", row[i].statement, a->schedule, cost_value(cost),
                         a->cost);
        }
        assert_true(priced > 5);
    }
}

/* The best that were weighed: the plan first, then the cheaper before the dearer, and no program
 * twice. */
static void best(void **state)
{
    static const struct {
        const char *statement, *declarations;
    } row[] = {
        {"y(i,j) = a(i,k) * b(k,j)", "y:csr; a:csr; b:csr"},
        {"y(i,l) = a(i,j) * b(j,k) * c(k,l)", "y:csr; a:dcsr; b:coo; c:csc"},
        {"y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)", "A:csr"},
        {"y(i) = a(i)", ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        struct plan_report report = {0};
        struct plan_alternative found[5];
        const char *plan = plan_schedule(cx, p, &report);
        int n = plan_best(cx, p, &report, 1e9, found, 5);
        assert_int_equal(n > 1, i < 3);
        assert_string_equal(found[0].schedule, plan);
        for (int k = 0; k < n; k++) {
            assert_true(isfinite(found[k].cost));
            assert_true(plan_fits(cx, p, found[k].schedule));
            assert_true(k < 2 || found[k].cost >= found[k - 1].cost);
            for (int other = 0; other < k; other++)
                assert_ptr_not_equal(lab_apply(cx, p, found[k].schedule)->statement,
                                     lab_apply(cx, p, found[other].schedule)->statement);
        }
        assert_int_equal(plan_best(cx, p, &report, 1e9, found, 1), 1);
        assert_true(plan_best(cx, p, &report, 1.0001, found, 5) <= n);
    }
}

static void fitting(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "y(i,j) = a(i,k) * b(k,j)", "y:csr; a:csr; b:csr");
    assert_true(plan_fits(cx, p,
                          "reorder(i, k, j); precompute(a(i,k) * b(k,j), w, {j,j,jp}, hash); "
                          "precompute(w(j), w2, {j,j,jp2}, coo)"));
    assert_true(plan_fits(cx, p, ""));
    assert_false(plan_fits(cx, p, "reorder(j, i, k)"));
    assert_false(plan_fits(cx, p, "reorder(i, q)"));
    assert_false(plan_fits(cx, p, "reorder("));
    assert_int_equal(cx->diags.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {LAB_TEST(orders),  LAB_TEST(numbers), LAB_TEST(many),
                                       LAB_TEST(as_text), LAB_TEST(grids),   LAB_TEST(alone),
                                       LAB_TEST(best),    LAB_TEST(fitting)};
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
