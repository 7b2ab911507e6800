/* test_factor.c - factor: products with a sum, of sums of products.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "tests/concrete/support.h"

static void factored(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        /* reductions in loops that are the same but for names, into the result itself */
        {"y(i) = A(i,j) * x(j) + A(i,j) * z(j)", "factor(t + t2)",
         "forall(i) forall(j2) y(i) += A(i,j2) * (x(j2) + z(j2))"},
        {"C(i,j) = A(i,k) * B(k,j) - D(i,k) * B(k,j)", "factor(t - t2)",
         "forall(i) forall(j) forall(k2) C(i,j) += B(k2,j) * (A(i,k2) - D(i,k2))"},
        {"y(i) += A(i,j) * x(j) + A(i,j) * z(j)", "factor(t + t2)",
         "forall(i) forall(j2) y(i) += A(i,j2) * (x(j2) + z(j2))"},
        /* ... in part */
        {"y(i) = A(i,j) * x(j) - A(i,k) * z(k) + b(i)", "factor(t - t2 + b(i))",
         "forall(i) (y(i) = t2 + b(i) where forall(k) t2 += A(i,k) * (x(k) - z(k)))"},
        {"y(i) = A(i,j) * x(j) + B(i,j) * x(j) + B(i,j) * z(j)", "factor(t + t2 + t3)",
         "forall(i) ((y(i) = t2 + t3 where forall(j3) t3 += B(i,j3) * z(j3)) where forall(j2) t2 "
         "+= "
         "x(j2) * (A(i,j2) + B(i,j2)))"},
        {"y(i) = 2 / (sum(j, A(i,j) * x(j)) + sum(j, A(i,j) * z(j)))", "factor(t + t2)",
         "forall(i) (y(i) = 2.0 / t2 where forall(j2) t2 += A(i,j2) * (x(j2) + z(j2)))"},
        /* in the loops of the innermost */
        {"y(i) = sum(j, A(j,j) * x(j)) + sum(j, A(j,j) * B(i,j))", "factor(t + t2)",
         "forall(i) forall(j2) y(i) += A(j2,j2) * (x(j2) + B(i,j2))"},
        /* several factors; one is all of its term; a factor twice */
        {"y(i) = sum(j, A(i,j) * x(j) * b(j) - b(j) * A(i,j) + b(j) * A(i,j) * z(j))",
         "factor(A(i,j) * x(j) * b(j) - b(j) * A(i,j) + b(j) * A(i,j) * z(j))",
         "forall(i) forall(j) y(i) += A(i,j) * b(j) * (x(j) - 1.0 + z(j))"},
        {"y(i) = a(i) * a(i) * b(i) + a(i) * a(i) * a(i)",
         "factor(a(i) * a(i) * b(i) + a(i) * a(i) * a(i))",
         "forall(i) y(i) = a(i) * a(i) * (b(i) + a(i))"},
        /* the first two with a factor in common; others stay */
        {"y(i) = a(i) * b(i) + c(i) * d(i) + a(i) * e(i)",
         "factor(a(i) * b(i) + c(i) * d(i) + a(i) * e(i))",
         "forall(i) y(i) = a(i) * (b(i) + e(i)) + c(i) * d(i)"},
        /* other pairs of operators */
        {"y(i) = min(min(j, A(i,j) + x(j)), min(k, A(i,k) + z(k)))", "factor(min(t, t2))",
         "forall(i) (y(i) = t2 where forall(k) t2 min= A(i,k) + min(x(k), z(k)))"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        p = lab_apply(cx, p, row[i].schedule);
        if (strcmp(lab_text(cx, p->statement), row[i].after) != 0)
            fail_msg("%s\n%s", row[i].schedule, lab_text(cx, p->statement));
    }
}

/* What is of a narrower type is converted first: it would wrap in its own. */
static void types(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "y(i) = a(i) * b(i) + a(i) * c(i)", "a:/i64; b:/i8; c:/i8; y:/i64");
    p = lab_apply(cx, p, "factor(a(i) * b(i) + a(i) * c(i))");
    assert_string_equal(lab_text(cx, p->statement),
                        "forall(i) y(i) = a(i) * (i64(b(i)) + i64(c(i)))");
}

static void refusals(void **state)
{
    static const char none[] = "factor: no two of its terms have a factor in common";
    static const struct {
        const char *statement, *declarations, *schedule, *message;
    } row[] = {
        {"y(i) = a(i) + b(i)", "", "factor(a(i), b(i))", "factor: it takes an expression"},
        {"y(i) = a(i) + b(i)", "", "factor(a(i) + c(i))",
         "factor: nothing that is assigned has this as a part"},
        {"y(i) = a(i) / b(i)", "", "factor(a(i) / b(i))", "factor: it is no sum"},
        {"y(i) = a(i) + b(i)", "", "factor(a(i) + b(i))",
         "factor: none of its terms is a product that distributes over it"},
        {"y(i) = a(i) * b(i) + b(i)", "y:s; a:s", "factor(a(i) * b(i) + b(i))",
         "factor: the result is not dense, and would store other components"},
        {"y(i) = a(i) * b(i) + c(i)", "", "factor(a(i) * b(i) + c(i))", none},
        {"y(i) = 2 * b(i) + 2 * c(i)", "", "factor(2 * b(i) + 2 * c(i))", none},
        /* a loop has no mode of what is common; other loops; a scalar that is read elsewhere */
        {"y(i) = A(i,j) * x(j) + A(j,i) * z(j)", "", "factor(t + t2)", none},
        {"y(i) = sum(j, b(i) * x(j) + 1) + sum(j, b(i) * z(j) + 2)", "", "factor(t + t2)",
         "factor: none of its terms is a product that distributes over it"},
        {"y(i) = max(sum(j, A(i,j) * x(j)) + sum(j, A(i,j) * z(j)), sum(j, A(i,j) * x(j)))", "",
         "reuse(t3, t); factor(t + t2)", none},
        {"y(i) = A(i,j) * x(j) + A(i,j) * z(j)", "", "split(j, j0, j1, down, 4); factor(t + t2)",
         none},
        /* of truth values - is no sum with a negative */
        {"y(i) = a(i) * b(i) + (a(i) * c(i) - d(i))", "a:/bool; b:/bool; c:/bool; d:/bool; y:/bool",
         "factor(a(i) * b(i) + (a(i) * c(i) - d(i)))", none},
        {"y(i) = a(i) * b(i) + -(a(i) * c(i))", "a:/bool; b:/bool; c:/bool; y:/bool",
         "factor(a(i) * b(i) + -(a(i) * c(i)))", none},
        /* what wraps does not keep the order */
        {"y(i) = min(a(i) + b(i), a(i) + c(i))", "a:/i32; b:/i32; c:/i32; y:/i32",
         "factor(min(a(i) + b(i), a(i) + c(i)))",
         "factor: none of its terms is a product that distributes over it"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        size_t before = cx->diags.n;
        if (schedule_apply(cx, registry_schedules, p, row[i].schedule))
            fail_msg("%s is accepted", row[i].schedule);
        assert_int_equal(cx->diags.n, before + 1);
        assert_string_equal(cx->diags.at[before].message, row[i].message);
    }
}

/* With consent the planner takes it where that is cheaper, and only then. */
static void planned(void **state)
{
    static const struct {
        const char *statement, *declarations;
        bool asked;
        const char *begins;
    } row[] = {
        {"C(i,j) = A(i,k) * B(k,j) + A(i,k) * D(k,j)", "", true, "factor(t + t2)"},
        {"C(i,j) = A(i,k) * B(k,j) + A(i,k) * D(k,j)", "", false, "precompute("},
        {"C(i,j) = A(i,k) * B(k,j) + E(i,j) - D(i,k) * B(k,j)", "", true, "factor("},
        /* B + D is something where either is: a sparse product is not */
        {"s = sum(i, j, A(i,j) * B(i,j)) + sum(i, j, A(i,j) * d(i))", "B:csr", true, ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        struct plan_result plan = plan_algebra(cx, p, row[i].asked, NULL);
        if (strncmp(plan.schedule, row[i].begins, strlen(row[i].begins)) != 0
            || (!*row[i].begins && strstr(plan.schedule, "factor(")))
            fail_msg("%s: %s", row[i].statement, plan.schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(factored),
        LAB_TEST(types),
        LAB_TEST(refusals),
        LAB_TEST(planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
