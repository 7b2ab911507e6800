/* test_races.c - mutations of parallel loops: what is missing is found, in whatever order the parts
 * run, and whatever comes out; and what is there is not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"
#include "tests/imperative/parallel.h"
#include "tests/imperative/protect.h"

enum { LENGTH = 12, ORDERS = 20 };

/* The text with every `from` in it replaced. */
static const char *replaced(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        return text;
    return arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to,
                        replaced(cx, at + strlen(from), from, to));
}

/* What is wrong with a kernel of parallel.h in this order; NULL: nothing. */
static const char *fault_of(struct context *cx, const char *text, uint64_t order)
{
    int32_t crd[LENGTH];
    double x[LENGTH], y[LENGTH] = {0};
    for (int i = 0; i < LENGTH; i++) {
        crd[i] = i * 5 % 3;
        x[i] = 1;
    }
    struct imp_argument argument[] = {
        {.value = value_int(TYPE_I32, LENGTH)}, {.value = value_int(TYPE_I32, 4)},
        {.data = crd, .length = LENGTH},        {.data = x, .length = LENGTH},
        {.data = y, .length = LENGTH},          {.data = NULL},
    };
    const struct imp_function *f = imp_parse(cx, text);
    if (!f)
        fail_msg("%s", diag_render(cx));
    struct imp_run run = imp_interpret(cx, f, argument, &(struct imp_options){.order = order});
    free(argument[5].data);
    return run.fault;
}

static void expect_fault(struct context *cx, const char *text, const char *from, const char *to,
                         const char *fault)
{
    const char *mutant = replaced(cx, text, from, to);
    assert_string_not_equal(mutant, text);
    for (uint64_t order = 0; order < ORDERS; order++) {
        assert_null(fault_of(cx, text, order));
        const char *found = fault_of(cx, mutant, order);
        if (!found || !strstr(found, fault))
            fail_msg("%s instead of %s: %s", to, from, found ? found : "nothing is found");
    }
}

static void test_missing_reduction(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_REDUCE, "sums[part] =", "sums[0] =", "sums[0] is written by");
    expect_fault(*state, PARALLEL_REDUCE, "sums[part] = sum", "z[0] += sum", "z[0] is ");
}

static void test_missing_atomic(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_ATOMIC, "atomic y", "y", "y[");
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[0]", "z[0]", "z[0] is ");
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[2] = 1", "z[2] = 1", "z[2] is written by");
}

/* By two operators, or with a value of the part's. */
static void test_other_atomic(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[2] = 1", "atomic z[0] += 1", "z[0] is updated");
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[2] = 1", "atomic z[2] = (f64)part",
                 "z[2] is updated");
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[2] = 1",
                 "atomic z[1] = x[i] > 5 ? z[1] - x[i] : z[1]", "z[1] is updated");
    expect_fault(*state, PARALLEL_ATOMIC, "atomic z[2] = 1", "z[2] = z[0]", "z[");
    for (uint64_t order = 0; order < ORDERS; order++)
        assert_null(fault_of(
            *state, replaced(*state, PARALLEL_ATOMIC, "atomic z[2] = 1", "atomic y[0] -= 1"),
            order));
    expect_fault(*state, PARALLEL_ATOMIC, "            atomic z[2] = 1",
                 "            f64 seen = z[0]", "z[0] is ");
}

static void test_shared_workspace(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const char *shared = replaced(cx, PARALLEL_APART, "        f64 *w\n        alloc(w, n)\n", "");
    shared = replaced(cx, shared, "        free(w)\n    }\n", "    }\n    free(w)\n");
    shared =
        replaced(cx, shared, "    alloc(z, 0)\n", "    alloc(z, 0)\n    f64 *w\n    alloc(w, n)\n");
    for (uint64_t order = 0; order < ORDERS; order++) {
        const char *found = fault_of(cx, shared, order);
        assert_non_null(found);
        assert_non_null(strstr(found, "w[0] is written by part "));
    }
}

static void test_wrong_scan(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_JOIN, "z[p] =", "z[p - from] =", "z[");
    expect_fault(*state, PARALLEL_JOIN, "end_of[part + 1] = stored",
                 "end_of[part] = stored\n        end_of[part + 1] = stored", "end_of[");
}

static void test_handing_over(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_JOIN, "keep(z_of, part, own)", "keep(z_of, 0, own)",
                 "z_of[0] is ");
    expect_fault(*state, PARALLEL_JOIN, "z[p] = own2[p - from]",
                 "z[p] = own2[p - from]\n            f64 *first\n            take(first, z_of, 0)\n"
                 "            first[0] = 1",
                 "[0] is ");
    expect_fault(*state, PARALLEL_JOIN, "        keep(z_of, part, own)\n", "        own[0] = 1\n",
                 "the memory of own is never released by part");
    expect_fault(*state, PARALLEL_JOIN, "keep(z_of, part, own)",
                 "keep(z_of, part, own)\n        free(own)\n        alloc(own, 1)\n"
                 "        keep(z_of, part, own)",
                 "is kept again");
    expect_fault(*state, PARALLEL_JOIN, "    free(z_of)\n", "", "the memory of z_of is never");
    expect_fault(*state, PARALLEL_JOIN, "take(own2, z_of, part2)", "take(own2, z_of, parts)",
                 "z_of[4] is out of bounds");
    const char *room = "alloc(z, end_of[parts])";
    expect_fault(*state, PARALLEL_JOIN, room, "i32 *w\ntake(w, z_of, 0)\nalloc(z, w[0])",
                 "z_of[0] becomes w and is of another type");
    expect_fault(*state, PARALLEL_JOIN, room, "f32 *w\nmove(w, z_of, 0)\nfree(w)",
                 "z_of[0] becomes w and is of another type");
    expect_fault(*state, PARALLEL_JOIN, room,
                 "f64 *w\nmove(w, z_of, 0)\nfree(w)\nalloc(z, end_of[parts])",
                 "z_of[0] is taken and was never kept");
    expect_fault(*state, PARALLEL_JOIN, room, "f64 *w\nmove(w, z_of, 0)\nfree(w)\nmove(z, z_of, 0)",
                 "z_of[0] is moved and was never kept");
    expect_fault(*state, PARALLEL_JOIN, room, "move(z, z_of, parts)", "z_of[4] is out of bounds");
    expect_fault(*state, PARALLEL_JOIN, "take(own2, z_of, part2)",
                 "f64 *w\nmove(w, z_of, 0)\nfree(w)\ntake(own2, z_of, part2)", "z_of[0] is ");
}

static void test_wrong_joining(void **state)
{
    PROTECT((struct context *)*state);
    const char *join = "join(z, z_of, 0, end_of, parts, end_of[parts])";
    expect_fault(*state, PARALLEL_GATHER, "end_of, parts, end_of[parts])", "end_of, parts, 1)",
                 "] is out of bounds: it has 1 elements");
    expect_fault(*state, PARALLEL_GATHER, join,
                 "f32 *w\njoin(w, z_of, 0, end_of, parts, end_of[parts])\nfree(w)",
                 "z_of[0] becomes w and is of another type");
    expect_fault(*state, PARALLEL_GATHER, join,
                 "join(z, z_of, 0, end_of, parts, end_of[parts])\n"
                 "join(z, z_of, 0, end_of, parts, end_of[parts])",
                 "z_of[0] is joined and was never kept");
    expect_fault(*state, PARALLEL_GATHER, "join(z, z_of, 0,", "join(z, z_of, 1,",
                 "z_of[4] is out of bounds");
    expect_fault(*state, PARALLEL_GATHER, "join(z, z_of, 0, end_of, parts,",
                 "join(z, z_of, 0, end_of, parts + 1,", "end_of[5] is out of bounds");
}

/* Parts append where others do, or move what they have while others are at work. */
static void test_wrong_settling(void **state)
{
    PROTECT((struct context *)*state);
    expect_fault(*state, PARALLEL_SETTLE, "i32 stored = begin\n", "i32 stored = 0\n",
                 "z[0] is written by part");
    expect_fault(*state, PARALLEL_SETTLE, "        ends[part + 1] = stored\n",
                 "        ends[part + 1] = stored\n        copy(z, 0, z, begin, 1)\n", "z[0] is ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_missing_reduction), TEST(test_missing_atomic), TEST(test_other_atomic),
        TEST(test_shared_workspace),  TEST(test_wrong_scan),     TEST(test_handing_over),
        TEST(test_wrong_joining),     TEST(test_wrong_settling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
