/* test_several.c - programs of several results: statements together, in loops of their own and in
 * common ones (thesis 4-16, multi).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "compiler/tree/tree.h"
#include "tests/concrete/support.h"

#include <string.h>

/* Each statement has loops of its own: variables that one before has get other names. */
static void concretized(void **state)
{
    static const struct {
        const char *statement, *concrete;
    } row[] = {
        {"y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)",
         "(forall(i) forall(j) y(i) += A(i,j) * x(j) | forall(j2) forall(i2) z(j2) += A(i2,j2) * "
         "w(i2))"},
        {"y(i) = a(i); z(k) = b(k); s = y(i) * z(i);",
         "((forall(i) y(i) = a(i) | forall(k) z(k) = b(k)) | forall(i2) s += y(i2) * z(i2))"},
        {"y = A(i,j); z = x(j) * exp(sum(j, x(j)))",
         "(forall(i) forall(j) y += A(i,j) | ((z = t * exp(t2) where forall(j22) t2 += x(j22)) "
         "where forall(j2) t += x(j2)))"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(lab_text(cx, lab_program(cx, row[i].statement, "")->statement),
                            row[i].concrete);
}

static void shared(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *after;
    } row[] = {
        {"y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)", "A:csr",
         "reorder(i2, j2); share(i, i2); share(j, j2)",
         "forall(i) forall(j) (y(i) += A(i,j) * x(j) | z(j) += A(i,j) * w(i))"},
        /* the second leads */
        {"z(j) = A(i,j) * w(i); y(i) = A(i,j) * x(j)", "A:csr", "reorder(i, j); share(i, i2)",
         "forall(i) (forall(j) z(j) += A(i,j) * w(i) | forall(j2) y(i) += A(i,j2) * x(j2))"},
        /* others stay where they are */
        {"y(i) = a(i); z(k) = b(k); s(i) = c(i)", "", "share(i, i2)",
         "(forall(i) (y(i) = a(i) | s(i) = c(i)) | forall(k) z(k) = b(k))"},
        {"y(i) = a(i); z(i) = b(i); s(i) = c(i)", "", "share(i, i2); share(i, i3)",
         "forall(i) ((y(i) = a(i) | z(i) = b(i)) | s(i) = c(i))"},
        /* handed on as a scalar, also twice, and once all loops are shared */
        {"y(i) = a(i) + b(i); z(i) = 2 * y(i); s = y(i) * y(i)", "", "share(i, i2); share(i, i3)",
         "forall(i) (((y(i) = t | z(i) = 2.0 * t) | s += t * t) where t = a(i) + b(i))"},
        {"r(i) = b(i) - A(i,j) * x(j); s = r(i) * r(i)", "A:csr", "share(i, i2)",
         "forall(i) ((r(i) = t2 | s += t2 * t2) where (t2 = b(i) - t where forall(j) t += A(i,j) * "
         "x(j)))"},
        {"S(i,j) = B(i,j) * C(i,j); y(i) = S(i,j) * x(j)", "B:csr; S:csr", "share(i, i2)",
         "forall(i) (forall(j) S(i,j) = B(i,j) * C(i,j) | forall(j2) y(i) += S(i,j2) * x(j2))"},
        {"S(i,j) = B(i,j) * C(i,j); y(i) = S(i,j) * x(j)", "B:csr; S:csr",
         "share(i, i2); share(j, j2)",
         "forall(i) forall(j) ((S(i,j) = t | y(i) += t * x(j)) where t = B(i,j) * C(i,j))"},
        /* directives are about the part that they name */
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * x(j)", "A:csc; z:sparse",
         "convert(A(i2,j2), w); reorder(j, i)",
         "(forall(j) forall(i) y(i) += A(i,j) * x(j) | (forall(i2) forall(j2) z(i2) += w(i2,j2) * "
         "x(j2) where forall(j2p) forall(i2p) w(i2p,j2p) = A(i2p,j2p)))"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        assert_string_equal(lab_text(cx, lab_apply(cx, p, row[i].schedule)->statement),
                            row[i].after);
    }
}

static void refused(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *why;
    } row[] = {
        {"y(i) = a(i); z(k) = b(k)", "", "share(i, k)", "share: i and k may have different ranges"},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * y(j)", "", "share(i, i2)",
         "share: components of y that the loop over i2 reads are computed by other iterations"},
        {"y(i) = a(i); z = b(i) * y(i); s(i) = z * a(i)", "", "share(i, i3)",
         "share: a statement between the two computes what is read in the loop over i3"},
        {"y(i) = a(i); z(i) = b(i)", "", "share(i2, i)",
         "share: the statement in the loop over i comes before the one in the loop over i2"},
        {"y(i) = A(i,j); z(i) = A(i,j)", "", "share(i, j2)",
         "share: the loops over i and j2 are not the outermost loops of adjacent statements"},
        {"y(i) = a(i); z(i) = b(i)", "", "split(i, i0, i1, down, 4); share(i0, i2)",
         "share: i0 is part of another variable, or is divided: share first"},
        {"y(i) = a(i); z(i) = b(i)", "", "parallelize(i, cpu_thread, no_races); share(i, i2)",
         "share: a loop is parallel: share first, then parallelize"},
        {"y(i) = a(i); z(i) = b(i)", "", "share(i)", "share: it takes two loops"},
        {"y(i) = a(i); D(i,j) = A(i,j)", "A:csr; D:ell", "share(i, i2); collect(D, w)",
         "collect: D shares loops with other results, and a result that is copied cannot"},
        {"y(i) = a(i); D(i,j) = A(i,j)", "A:csr; D:ell", "share(i, i2); collect(A, w)",
         "collect: A is not the result"},
        {"y(i) = a(i); D(i,j) = A(i,j)", "A:csr; D:ell", "unroll(j, 4); split(j, j0, j1, down, 4)",
         "split: the loop is unrolled, vectorized or parallel, and would be replaced"},
        /* it would store other components than by itself */
        {"y(i) = a(i); z(i) = y(i)", "a:sparse; z:sparse", "share(i, i2)",
         "share: y would be read where it is assigned, and cannot be passed on as a scalar"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        LAB(cx);
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        cx->diags.n = 0;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        assert_string_equal(cx->diags.at[0].message, row[i].why);
        assert_int_equal(cx->diags.n, 1);
    }
}

/* In common loops where that is cheaper; what is planned is left as it is, and what is said of
 * another statement's loops is in nobody's way. */
static void planned(void **state)
{
    static const struct {
        const char *statement, *declarations, *given, *plan;
    } row[] = {
        {"y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)", "A:csr", "",
         "reorder(i2, j2); share(i, i2); share(j, j2)"},
        {"y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)", "A:csc", "",
         "reorder(j, i); share(j, j2); share(i, i2)"},
        {"s = x(i) * x(i); t = x(i) * y(i)", "", "", "share(i, i2)"},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * y(j)", "A:csr", "", ""},
        {"C(i,j) = A(j,i); y(i) = a(i)", "A:csr; C:dcsr; a:sparse", "",
         "precompute(A(j,i), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)"},
        {"y(i) = a(i); D(i,j) = A(i,j)", "A:csr; D:ell", "unroll(i, 2)", "collect(D, w)"},
        {"y(i) = a(i); D(i,j) = A(i,j)", "A:csr; D:ell", "parallelize(i, cpu_thread, no_races)",
         "collect(D, w)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, row[i].given);
        const char *plan = lab_plan(cx, p);
        if (strcmp(plan, row[i].plan))
            fail_msg("%s: '%s', and not '%s'", row[i].statement, plan, row[i].plan);
        assert_string_equal(lab_plan(cx, lab_apply(cx, p, plan)), "");
    }
}

/* Each result has a tree of the part that makes it, and what stands in its way. */
static void trees(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "y(i) = A(i,j) * x(j); C(i,j) = A(i,j) * B(i,j)", "A:csr; B:csr; C:csr");
    const struct tree *tree = tree_build(cx, p);
    assert_int_equal(tree->results, 2);
    assert_int_equal(tree->of[0]->assembly.kind, ASSEMBLY_PLACE);
    assert_int_equal(tree->of[1]->assembly.kind, ASSEMBLY_APPEND);
    assert_ptr_not_equal(tree->of[0]->root, tree->of[1]->root);
    tree = tree_build(cx, lab_apply(cx, p, "share(i, i2)"));
    assert_ptr_equal(tree->of[0]->root, tree->of[1]->root);
    assert_null(tree->infeasible);
    p = lab_program(cx, "S(i,j) = A(i,j) * 2; y(i) = S(i,j) * x(j)", "A:csr; S:csr");
    assert_null(tree_build(cx, p)->infeasible);
    tree = tree_build(cx, lab_apply(cx, p, "share(i, i2)"));
    assert_string_equal(tree->infeasible->diag.message,
                        "S is read in the loops that assemble it, before it is complete");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(concretized), LAB_TEST(shared), LAB_TEST(refused),
        LAB_TEST(planned),     LAB_TEST(trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
