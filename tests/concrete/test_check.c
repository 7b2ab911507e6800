/* test_check.c - cin_check finds each broken invariant, and passes what is whole.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "tests/concrete/support.h"

static const char *const vocabulary = "y(i) = b(i) + A(i,j) + A(i,k) + B(i,i0) + B(i,i1) + B(i,f)";

/* A program of this text; the vocabulary's y is the result, its t, t2 ... are the temporaries. */
static const struct cin_program *program_of(struct context *cx, const char *text)
{
    const struct cin *s = lab_program(cx, vocabulary, "")->statement;
    struct cin_names names = lab_names(cx, s);
    struct cin_program *p = arena_make(cx->arena, struct cin_program);
    p->statement = lab_parse(cx, text, &names);
    p->result = lab_tensor(cx, s, "y");
    return p;
}

static void statements(void **state)
{
    static const struct {
        const char *text, *broken;
    } row[] = {
        {"forall(i) y(i) = b(i)", NULL},
        {"forall(i) (y(i) = t where forall(j) t += A(i,j))", NULL},
        {"(forall(i) y(i) = t * t2 where (forall(j) t = 1 | forall(k) t2 = 2))", NULL},
        {"forall(i) (y(i) = t where forall(j) (t += A(i,j) * t2 where forall(k) t2 += A(i,k)))",
         NULL},
        {"forall(i) (y(i) = b(i) ; forall(j) y(i) += A(i,j))", NULL},
        {"nothing", NULL},
        {"y(i) = b(i)", "i: is used outside its forall"},
        {"forall(i) y(j) = b(i)", "j: is used outside its forall"},
        {"(forall(i) y(i) = b(i) ; forall(j) y(j) = b(i))", "i: is used outside its forall"},
        {"(forall(i) y(i) = b(i) | forall(j) y(j) = b(j))",
         "y: is written by both statements of a multi"},
        {"forall(i) forall(i) y(i) = b(i)", "i: is bound by two foralls"},
        {"(forall(i) y(i) = b(i) ; forall(i) y(i) += b(i))", "i: is bound by two foralls"},
        {"forall(i) (y(i) = t where forall(i) t += b(i))", "i: is bound by two foralls"},
        {"forall(i) b(i) = y(i)",
         "b: is written, but is not the result nor a temporary of a where around"},
        {"forall(i) y(i) = y(i)", "y: is a result, and is read where it is not there yet"},
        {"forall(i) y(i) = t", "t: is a temporary and is read outside its consumer"},
        {"forall(i) t = b(i)",
         "t: is written, but is not the result nor a temporary of a where around"},
        {"forall(i) (y(i) = t2 where t = b(i))",
         "t2: is a temporary and is read outside its consumer"},
        {"forall(i) (y(i) = t where t = t)", "t: is a temporary and is read outside its consumer"},
        {"forall(i) ((y(i) = t where t = b(i)) ; y(i) += t)",
         "t: is a temporary and is read outside its consumer"},
        {"forall(i) (t = 1 where t = b(i))",
         "t: is written, but is not the result nor a temporary of a where around"},
        {"forall(i) (y(i) = t * t2 where (t = t2 where t2 = b(i)))",
         "t2: is a temporary and is read outside its consumer"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *broken = cin_check(cx, program_of(cx, row[i].text));
        if (!broken != !row[i].broken || (broken && strcmp(broken, row[i].broken)))
            fail_msg("%s: %s, and not %s", row[i].text, broken ? broken : "whole",
                     row[i].broken ? row[i].broken : "whole");
    }
}

static void an_expression_as_a_statement(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = b(i)", "")->statement;
    struct cin_program p = {.statement = cin_operands(cx, s).at[0],
                            .result = lab_tensor(cx, s, "y")};
    assert_string_equal(cin_check(cx, &p),
                        "statement: an expression stands where a statement should");
}

/* ---- the environment ---- */

struct environment {
    const struct index_var *i, *i0, *i1, *j, *f;
    struct cin_program program;
};

static struct environment environment_of(struct context *cx, const char *text)
{
    const struct cin *s = lab_program(cx, vocabulary, "")->statement;
    struct cin_names names = lab_names(cx, s);
    struct environment e = {.i = lab_var(cx, s, "i"),
                            .i0 = lab_var(cx, s, "i0"),
                            .i1 = lab_var(cx, s, "i1"),
                            .j = lab_var(cx, s, "j"),
                            .f = lab_var(cx, s, "f")};
    e.program = (struct cin_program){.statement = lab_parse(cx, text, &names),
                                     .result = lab_tensor(cx, s, "y")};
    return e;
}

static const char *check_relations(struct context *cx, struct environment *e,
                                   const struct cin_relation *relation, int n)
{
    e->program.relation = relation;
    e->program.relations = n;
    return cin_check(cx, &e->program);
}

static void derived_variables(void **state)
{
    LAB(cx);
    struct environment e = environment_of(cx, "forall(i0) forall(i1) y(i) = b(i)");
    const struct cin_relation split = {&relation_split, {e.i}, {e.i0, e.i1}, 4, .up = false};
    assert_null(check_relations(cx, &e, &split, 1));
    assert_string_equal(check_relations(cx, &e, NULL, 0), "i: is used outside its forall");

    /* one part is not enough */
    struct environment inside = environment_of(cx, "forall(i0) y(i) = b(i)");
    const struct cin_relation half = {
        &relation_split, {inside.i}, {inside.i0, inside.i1}, 4, .up = false};
    assert_string_equal(check_relations(cx, &inside, &half, 1), "i: is used outside its forall");

    struct environment c = environment_of(cx, "forall(f) y(i) = A(i,j)");
    const struct cin_relation collapse = {&relation_collapse, {c.i, c.j}, {c.f}, 0, .up = false};
    assert_null(check_relations(cx, &c, &collapse, 1));

    /* i -> i0, i1 and i1, j -> f: two steps */
    struct environment two = environment_of(cx, "forall(i0) forall(f) y(i) = A(i,j)");
    const struct cin_relation chain[] = {
        {&relation_split, {two.i}, {two.i0, two.i1}, 4, .up = true},
        {&relation_collapse, {two.i1, two.j}, {two.f}, 0, .up = false}};
    assert_null(check_relations(cx, &two, chain, 2));
    /* and back */
    struct environment parts = environment_of(cx, "forall(f) forall(i0) y(i0) = b(i1)");
    const struct cin_relation back = {
        &relation_split, {parts.f}, {parts.i, parts.i1}, 4, .up = false};
    assert_null(check_relations(cx, &parts, &back, 1));
}

static void differences(void **state)
{
    LAB(cx);
    static const char *const two_of_three[] = {"forall(i) forall(j) y(f) = b(j)",
                                               "forall(f) forall(i) y(f) = b(j)",
                                               "forall(f) forall(j) y(f) = b(i)"};
    for (int k = 0; k < 3; k++) {
        struct environment e = environment_of(cx, two_of_three[k]);
        const struct cin_relation difference = {
            &relation_difference, {e.j, e.i}, {e.f}, 0, .up = false};
        assert_null(check_relations(cx, &e, &difference, 1));
        struct environment one = environment_of(cx, "forall(f) y(f) = b(i)");
        const struct cin_relation missing = {
            &relation_difference, {one.j, one.i}, {one.f}, 0, .up = false};
        assert_string_equal(check_relations(cx, &one, &missing, 1),
                            "i: is used outside its forall");
    }
}

static void relations(void **state)
{
    LAB(cx);
    struct environment e = environment_of(cx, "forall(i0) forall(i1) forall(f) y(i) = b(i)");
    const struct cin_relation split = {&relation_split, {e.i}, {e.i0, e.i1}, 4, .up = false};
    const struct cin_relation again[] = {split,
                                         {&relation_split, {e.i}, {e.f, e.j}, 2, .up = true}};
    assert_string_equal(check_relations(cx, &e, again, 2),
                        /* it is another part of i */
                        "f: is bound by a forall, although it follows from those around");
    const struct cin_relation shared[] = {split,
                                          {&relation_split, {e.j}, {e.f, e.i1}, 2, .up = true}};
    assert_string_equal(check_relations(cx, &e, shared, 2), "i1: is the child of two relations");

    struct environment both = environment_of(cx, "forall(i) forall(i0) forall(i1) y(i) = b(i)");
    const struct cin_relation bound = {
        &relation_split, {both.i}, {both.i0, both.i1}, 4, .up = false};
    assert_string_equal(check_relations(cx, &both, &bound, 1),
                        "i0: is bound by a forall, although it follows from those around");

    struct environment loop = environment_of(cx, "forall(f) y(f) = b(f)");
    const struct cin_relation circle[] = {
        {&relation_split, {loop.i}, {loop.i0, loop.i1}, 4, .up = false},
        {&relation_split, {loop.i0}, {loop.i, loop.j}, 4, .up = false}};
    assert_string_equal(check_relations(cx, &loop, circle, 2), "i0: derives from itself");
    /* ... and asking for i comes to an end */
    struct environment used = environment_of(cx, "forall(f) y(i) = b(f)");
    const struct cin_relation itself = {
        &relation_split, {used.i}, {used.i, used.i1}, 4, .up = false};
    assert_non_null(check_relations(cx, &used, &itself, 1));
}

static void bounds_and_tags(void **state)
{
    LAB(cx);
    struct environment e = environment_of(cx, "forall(i) forall(j) y(i) = A(i,j)");
    const struct cin_bound bound[] = {
        {e.i, BOUND_EXACT, 10}, {e.j, BOUND_MOST, 10}, {e.i, BOUND_MOST, 12}};
    const struct cin_tag tag[] = {{.var = e.i, .kind = TAG_UNROLL, .factor = 4},
                                  {.var = e.j, .kind = TAG_VECTORIZE},
                                  {.var = e.i, .kind = TAG_VECTORIZE},
                                  {.var = e.i, .kind = TAG_UNROLL, .factor = 2}};
    const struct cin_tag gone = {.var = e.i0, .kind = TAG_UNROLL, .factor = 4};
    e.program.bound = bound;
    e.program.tag = tag;
    e.program.bounds = 2;
    e.program.tags = 3;
    assert_null(cin_check(cx, &e.program));
    e.program.bounds = 3;
    assert_string_equal(cin_check(cx, &e.program), "i: has two bounds");
    e.program.bounds = 2;
    e.program.tags = 4;
    assert_string_equal(cin_check(cx, &e.program), "i: has two tags of a kind");
    e.program.tag = &gone;
    e.program.tags = 1;
    assert_string_equal(cin_check(cx, &e.program),
                        "i0: is unrolled, vectorized or parallel, and has no loop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(statements),        LAB_TEST(an_expression_as_a_statement),
        LAB_TEST(derived_variables), LAB_TEST(differences),
        LAB_TEST(relations),         LAB_TEST(bounds_and_tags),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
