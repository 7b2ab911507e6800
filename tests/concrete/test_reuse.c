/* test_reuse.c - reuse: one workspace for what two hold, and when the planner says so.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "tests/concrete/support.h"

#define SQUARES                                                   \
    "precompute(A(a,b) * A(b,c), w, {a,a,ap}, {c,c,cp}, dense); " \
    "precompute(A(c,d) * A(d,e), w2, {c,c,cq}, {e,e,ep}, dense); "
static const char power[] = "C(a,e) = A(a,b) * A(b,c) * A(c,d) * A(d,e)";

static void one_for_two(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        {power, SQUARES "reuse(w2, w)",
         "(forall(a) forall(e) forall(c) C(a,e) += w(c,e) * w(a,c) where forall(ap) forall(b) "
         "forall(cp) w(ap,cp) += A(ap,b) * A(b,cp))"},
        /* the inner one for the outer one */
        {power, SQUARES "reuse(w, w2)",
         "(forall(a) forall(e) forall(c) C(a,e) += w2(c,e) * w2(a,c) where forall(ep) forall(cq) "
         "forall(d) w2(cq,ep) += A(cq,d) * A(d,ep))"},
        /* modes in another order, factors as well */
        {power,
         "precompute(A(a,b) * A(b,c), w, {a,a,ap}, {c,c,cp}, dense); "
         "precompute(A(d,e) * A(c,d), w2, {e,e,ep}, {c,c,cq}, dense); reuse(w2, w)",
         "(forall(a) forall(e) forall(c) C(a,e) += w(c,e) * w(a,c) where forall(ap) forall(b) "
         "forall(cp) w(ap,cp) += A(ap,b) * A(b,cp))"},
        {"C(a,e) = A(a,b) * A(c,b) * A(d,c) * A(d,e)",
         "precompute(A(a,b) * A(c,b), w, {a,a,ap}, {c,c,cp}, dense); "
         "precompute(A(d,c) * A(d,e), w2, {c,c,cq}, {e,e,ep}, dense)",
         "((forall(a) forall(e) forall(c) C(a,e) += w2(c,e) * w(a,c) where forall(ep) forall(cq) "
         "forall(d) w2(cq,ep) += A(d,cq) * A(d,ep)) where forall(ap) forall(b) forall(cp) w(ap,cp) "
         "+= A(ap,b) * A(cp,b))"},
        /* scalars, also in the loop that they depend on, in another assignment */
        {"s = sum(a, b, A(a,b) * A(b,a)) * sum(c, d, A(c,d) * A(d,c))", "reuse(t2, t)",
         "(s = t * t where forall(a) forall(b) t += A(a,b) * A(b,a))"},
        {"y(i) = max(sum(j, A(i,j)), 0) + max(sum(j, A(i,j)), 1)", "reuse(t2, t)",
         "forall(i) (y(i) = max(t, 0.0) + max(t, 1.0) where forall(j) t += A(i,j))"},
        {"y(i) = max(sum(j, A(i,j)), sum(j, B(i,j) / sum(k, A(i,k))))", "reuse(t3, t)",
         "forall(i) ((y(i) = max(t, t2) where forall(j2) t2 += B(i,j2) / t) where forall(j) t += "
         "A(i,j))"},
        /* computed around both, in the loop that they are in */
        {"y(i,j) = exp(H(i,j)) / sum(l, exp(H(i,l)))",
         "precompute(exp(H(i,j)), w, {j,j,jp}, dense); "
         "precompute(exp(H(i,l)), w2, {l,l,lp}, dense); reuse(w, w2)",
         "forall(i) ((forall(j) y(i,j) = w2(j) / t where forall(l) t += w2(l)) where forall(lp) "
         "w2(lp) = exp(H(i,lp)))"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        p = lab_apply(cx, p, row[i].schedule);
        if (strcmp(lab_text(cx, p->statement), row[i].after) != 0)
            fail_msg("%s\n%s", row[i].schedule, lab_text(cx, p->statement));
    }
}

static void refusals(void **state)
{
    static const char other[] = "reuse: t holds something else than t2";
    static const struct {
        const char *statement, *declarations, *schedule, *message;
    } row[] = {
        {power, "", "reuse(w2)", "reuse: it takes the names of two workspaces"},
        {power, "", SQUARES "reuse(w2, v)",
         "reuse: no loops around one assignment compute a workspace v"},
        {power, "", SQUARES "reuse(w2, C)",
         "reuse: no loops around one assignment compute a workspace C"},
        {power, "", SQUARES "reuse(w2, w2)", "reuse: w2 holds something else than w2"},
        {power, "", SQUARES "split(d, d0, d1, down, 4); reuse(w2, w)",
         "reuse: a directive has changed the loops that compute one of them"},
        {"s = sum(i, a(i)) * sum(i, b(i))", "", "reuse(t2, t)", other},
        {"s = sum(i, j, A(i,j)) * sum(i, A(i,i))", "", "reuse(t2, t)", other},
        {"s = sum(i, j, A(i,j) * A(j,i)) * sum(i, j, A(i,j) * A(i,j))", "", "reuse(t2, t)", other},
        {"y(i) = sum(j, A(i,j)) * sum(j, A(j,i))", "", "reuse(t2, t)", other},
        {"s = sum(i, a(i)) * max(i, a(i))", "", "reuse(t2, t)", other},
        {"s = max(sum(i, a(i)), sum(i, 2 + a(i)))", "", "reuse(t2, t)", other},
        {"s = max(sum(i, a(i) - b(i)), sum(i, b(i) - a(i)))", "", "reuse(t2, t)", other},
        /* t is made inside the other's loops */
        {"s = max(sum(i, a(i)), sum(j, b(j) / sum(k, a(k))))", "",
         "precompute(t3, w, {j,j,jp}, dense); reuse(t, w)", "reuse: w holds something else than t"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        size_t before = cx->diags.n;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        assert_int_equal(cx->diags.n, before + 1);
        assert_string_equal(cx->diags.at[before].message, row[i].message);
    }
}

/* The plan makes each power once; it reads back, and is not planned again. */
static void planned(void **state)
{
    static const struct {
        const char *statement, *declarations;
        int products; /* of two tensors, each in a nest of its own */
    } row[] = {
        {power, "", 2},
        {power, "A:csr", 2},
        {"C(a,i) = A(a,b) * A(b,c) * A(c,d) * A(d,e) * A(e,f) * A(f,g) * A(g,h) * A(h,i)", "", 3},
        {"C(a,g) = A(a,b) * A(b,c) * A(c,d) * A(d,e) * A(e,f) * A(f,g)", "", 3},
        {"C(a,e) = A(a,b) * B(b,c) * A(c,d) * B(d,e)", "a=99; b=99; c=99; d=99; e=99", 2},
        {"C(a,e) = A(a,b) * B(b,c) * B(c,d) * A(d,e)", "a=99; b=99; c=99; d=99; e=99", 3},
        {"s = sum(a, b, A(a,b) * A(b,a)) * sum(c, d, A(c,d) * A(d,c))", "", 2},
        /* exponentials once, with the sum and the quotient; of two matrices there are two */
        {"S(i,j) = exp(A(i,j)) / sum(l, exp(A(i,l)))", "", 3},
        {"S(i,j) = exp(A(i,j)) / sum(l, exp(A(l,j)))", "", 3},
        {"S(i,j) = exp(A(i,j)) / sum(l, exp(B(i,l)))", "", 2},
        {"S(i,j) = exp(A(i,j) - max(l, A(i,l))) / sum(k, exp(A(i,k) - max(m, A(i,m))))", "", 4},
        {"y(i) = sum(j, exp(A(i,j))) / sum(j, exp(A(i,j)) * x(j))", "", 4},
        {"s = sum(i, exp(a(i))) / sum(i, exp(2 * a(i)))", "", 3},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, lab_plan(cx, p));
        struct cin_list made = cin_assignments(cx, p->statement);
        if ((int)made.n != row[i].products)
            fail_msg("%s: %d products, and not %d", row[i].statement, (int)made.n, row[i].products);
        assert_string_equal(lab_plan(cx, p), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(one_for_two),
        LAB_TEST(refusals),
        LAB_TEST(planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
