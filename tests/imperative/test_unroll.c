/* test_unroll.c - unrolled programs, and those asked to have vectors, compute what they did before.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

static const char *printed(struct context *cx, const struct imp_function *function)
{
    struct text text = text_new(cx->arena);
    imp_print(&text, function);
    return text.at;
}

/* The statement in which this is asked of every loop that has a mark. */
static const struct imp *ask(struct context *cx, const struct imp *imp, struct imp_asked asked)
{
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = ask(cx, imp->arg[i], asked);
    imp = imp_with_args(cx, imp, arg);
    if (!imp->mark || imp->kind == IMP_FILL)
        return imp;
    struct imp_mark *mark = arena_copy(cx->arena, imp->mark, sizeof *mark);
    mark->asked = arena_copy(cx->arena, &asked, sizeof asked);
    return imp_marked(cx, imp, mark);
}

static const struct imp_function *asked_of(struct context *cx, const struct imp_function *function,
                                           struct imp_asked asked)
{
    struct imp_function *copy = arena_copy(cx->arena, function, sizeof *function);
    copy->body = ask(cx, function->body, asked);
    return copy;
}

static void compare(struct context *cx, struct rng *rng, const struct imp_function *before,
                    const struct imp_function *after)
{
    struct imp_argument *expected = random_loops_arguments(rng, before);
    struct imp_argument *got = copy_arguments(before, expected);
    struct imp_run a = imp_interpret(cx, before, expected, NULL);
    struct imp_run b = imp_interpret(cx, after, got, NULL);
    if (a.fault || b.fault || !same_results(before, expected, got))
        fail_msg("%s\n%s\n%s / %s", printed(cx, before), printed(cx, after),
                 a.fault ? a.fault : "ran", b.fault ? b.fault : "ran");
    free_arguments(before, expected);
    free_arguments(before, got);
}

/* One random program, unrolled, or first in vectors, unless it is refused; does it differ? */
static bool check_program(enum loops_kind kind, uint64_t seed)
{
    struct context *cx = context_new();
    assert_non_null(cx);
    PROTECT(cx);
    struct rng rng = {seed};
    const struct imp_asked asked = {
        .loop = "i", .unroll = 2 + (int)(seed % 6), .vectors = seed % 2 == 0};
    const struct imp_function *before = imp_simplify(cx, random_loops(cx, &rng, "loops", kind));
    const struct imp_function *wanted = asked_of(cx, before, asked);
    const struct imp_function *after = imp_vectorize(cx, wanted, VECTORS(0));
    after = imp_unroll(cx, after ? after : wanted, NULL);
    if (!after) { /* too large */
        context_free(cx);
        return false;
    }
    const char *error = imp_check(cx, after);
    if (error)
        fail_msg("%s\n%s\nseed %d: %s", printed(cx, before), printed(cx, after), (int)seed, error);
    after = imp_simplify(cx, after);
    for (int round = 0; round < 3; round++)
        compare(cx, &rng, before, after);
    bool differs = strcmp(printed(cx, before), printed(cx, after)) != 0;
    context_free(cx);
    return differs;
}

static void check_kind(enum loops_kind kind)
{
    int differ = 0;
    for (int seed = 0; seed < LOOPS_DRAWN / 2; seed++)
        differ += check_program(kind, (uint64_t)seed);
    assert_true(differ > LOOPS_DRAWN / 4);
}

static void test_reductions(void **state) { check_kind(LOOPS_REDUCE); }

static void test_rows(void **state) { check_kind(LOOPS_ROW); }

static void test_blocks(void **state) { check_kind(LOOPS_BLOCK); }

static void test_ranges(void **state) { check_kind(LOOPS_RANGE); }

static void test_stores(void **state) { check_kind(LOOPS_SHORT); }

/* ---- what comes out ---- */

static const char *dot(struct context *cx, int64_t most, int64_t multiple, struct imp_asked asked)
{
    struct imp_function dot = *program_dot(cx, TYPE_F64, OP_ADD);
    const struct imp *block = dot.body;
    struct imp_mark mark = *block->arg[1]->mark;
    mark.most = most;
    mark.multiple = multiple;
    mark.asked = &asked;
    const struct imp *loop =
        imp_marked(cx, block->arg[1], arena_copy(cx->arena, &mark, sizeof mark));
    dot.body =
        imp_with_args(cx, block, (const struct imp *const[]){block->arg[0], loop, block->arg[2]});
    const struct imp_function *f = imp_vectorize(cx, &dot, VECTORS(32));
    f = f ? imp_unroll(cx, f, NULL) : NULL;
    return f ? printed(cx, imp_simplify(cx, f)) : "";
}

static void test_what_is_left(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_asked three = {.loop = "i", .unroll = 3},
                           vectors = {.loop = "i", .vectors = true};
    assert_non_null(strstr(dot(cx, 0, 0, three), "for (i32 i0 = i_middle; i0 < n; i0++)"));
    assert_null(strstr(dot(cx, 0, 6, three), "i_middle"));
    assert_non_null(strstr(dot(cx, 0, 6, three), "for (i32 i = 0; i < n; i += 3)"));
    assert_non_null(strstr(dot(cx, 0, 8, three), "i_middle"));
    assert_non_null(strstr(dot(cx, 0, 0, vectors), "while (i < n)"));
    assert_null(strstr(dot(cx, 0, 16, vectors), "while (i < n)"));
    /* fewer than a vector has lanes: that is said, and the loop stays */
    assert_non_null(strstr(dot(cx, 3, 0, vectors), "for (i32 i = 0; i < n; i++)"));
    assert_non_null(strstr(diag_render(cx), "note: vectorize: the loop over i has fewer "
                                            "iterations than a vector has lanes"));
}

/* A loop that would make too much code. */
static void test_too_large(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct source source = {"schedule", "unroll(i, 64)"};
    const struct imp_asked asked = {.loop = "i", .unroll = 64, .span = {&source, 7, 8}};
    const struct imp_function *nest = asked_of(cx, program_mttkrp(cx, TYPE_F64, 0), asked);
    assert_null(imp_unroll(cx, nest, NULL));
    assert_non_null(
        strstr(diag_render(cx), "unroll: the code would be more than 2000 statements longer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_stores),
        TEST(test_what_is_left),
        TEST(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
