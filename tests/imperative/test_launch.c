/* test_launch.c - launches: their text reads back, they compute the same in whatever order blocks
 * and threads run, what is missing in them is found by name, and what they may not have is refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/pass.h"
#include "tests/imperative/launch.h"
#include "tests/imperative/protect.h"

enum { LENGTH = 256, ORDERS = 10 };

static const char *const every[] = {LAUNCH_EVERY};
enum { EVERY = sizeof every / sizeof *every };

/* What kernels are given, and give. */
struct data {
    int32_t n, blocks, crd[LENGTH];
    double x[LENGTH], y[LENGTH];
};

static struct data data_of(int n)
{
    struct data data = {.n = n, .blocks = 2};
    for (int i = 0; i < n; i++) {
        data.crd[i] = i * 5 % 8;
        data.x[i] = i % 7 - 2;
    }
    return data;
}

static struct imp_run run(struct context *cx, const struct imp_function *f, struct data *data,
                          uint64_t order)
{
    struct imp_argument argument[] = {
        {.value = value_int(TYPE_I32, data->n)}, {.value = value_int(TYPE_I32, data->blocks)},
        {.data = data->crd, .length = data->n},  {.data = data->x, .length = data->n},
        {.data = data->y, .length = data->n},
    };
    return imp_interpret(cx, f, argument,
                         &(struct imp_options){.order = order, .max_steps = 10000000});
}

static const struct imp_function *parsed(struct context *cx, const char *text)
{
    const struct imp_function *f = imp_parse(cx, text);
    if (!f)
        fail_msg("%s", diag_render(cx));
    return f;
}

static const char *printed(struct context *cx, const struct imp_function *f)
{
    struct text text = text_new(cx->arena);
    imp_print(&text, f);
    return text.at;
}

static void test_text(void **state)
{
    PROTECT((struct context *)*state);
    for (int i = 0; i < EVERY; i++)
        assert_string_equal(printed(*state, parsed(*state, every[i])), every[i]);
}

/* ---- what they compute ---- */

/* In every order, before and after the passes, fast and plain. */
static void expect_result(struct context *cx, const char *text, int n, const double *y)
{
    const struct imp_function *kernel = parsed(cx, text);
    for (int version = 0; version < 3; version++) {
        struct pass_options options = {.plain = version == 2, .checked = true};
        const struct imp_function *f = version ? imp_optimize(cx, kernel, &options) : kernel;
        for (uint64_t order = 0; order < ORDERS; order++) {
            struct data data = data_of(n);
            struct imp_run done = run(cx, f, &data, order);
            if (done.fault)
                fail_msg("%s\n%s", done.fault, printed(cx, f));
            assert_int_equal(done.status, STATUS_OK);
            for (int i = 0; i < n; i++)
                if (data.y[i] != y[i])
                    fail_msg("y[%d] is %g, not %g, in order %d of\n%s", i, data.y[i], y[i],
                             (int)order, printed(cx, f));
        }
    }
}

static void test_reduce(void **state)
{
    PROTECT((struct context *)*state);
    static const int sizes[] = {1, 63, 64, 200, LENGTH};
    for (int s = 0; s < 5; s++) {
        struct data data = data_of(sizes[s]);
        double y[LENGTH] = {0};
        for (int i = 0; i < sizes[s]; i++)
            y[0] += data.x[i];
        expect_result(*state, LAUNCH_REDUCE, sizes[s], y);
    }
}

/* The variable of a host's loop is one, whatever the launches in it have for each thread. */
static void test_host_loop(void **state)
{
    PROTECT((struct context *)*state);
    const double y[LENGTH] = {10, 10, 10, 10};
    expect_result(*state,
                  LAUNCH_HEAD "    for (i32 i = 0; i < 5; i++) {\n"
                              "        launch(1, 32) block, thread {\n"
                              "            if (thread < 4) {\n"
                              "                y[thread] += (f64)i\n"
                              "            }\n"
                              "        }\n"
                              "    }\n"
                              "}\n",
                  4, y);
}

static void test_scan(void **state)
{
    PROTECT((struct context *)*state);
    static const int sizes[] = {1, 31, 33, 64};
    for (int s = 0; s < 4; s++) {
        struct data data = data_of(sizes[s]);
        double y[LENGTH] = {0};
        for (int i = 0; i < sizes[s]; i++)
            y[i] = (i ? y[i - 1] : 0) + data.x[i];
        expect_result(*state, LAUNCH_SCAN, sizes[s], y);
    }
}

static void test_transpose(void **state)
{
    PROTECT((struct context *)*state);
    struct data data = data_of(LENGTH);
    double y[LENGTH];
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++)
            y[c * 16 + r] = data.x[r * 16 + c];
    expect_result(*state, LAUNCH_TRANSPOSE, LENGTH, y);
}

static void test_places(void **state)
{
    PROTECT((struct context *)*state);
    struct data data = data_of(100);
    double y[LENGTH] = {0};
    for (int i = 0; i < 100; i++)
        y[data.crd[i]]++;
    expect_result(*state, LAUNCH_PLACES, 100, y);
    data.crd[77] = 8;
    struct imp_run done = run(*state, parsed(*state, LAUNCH_PLACES), &data, 1);
    assert_null(done.fault);
    assert_int_equal(done.status, 3);
}

static void test_teams(void **state)
{
    PROTECT((struct context *)*state);
    struct data data = data_of(64);
    double y[LENGTH] = {0};
    uint32_t who = 0;
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 8; k++)
            y[i] += data.x[i / 8 * 8 + k];
    for (int i = 0; i < 32; i++)
        who |= (uint32_t)(data.x[32 + i] > 0) << i;
    y[63] = who;
    expect_result(*state, LAUNCH_TEAMS, 64, y);
}

static void test_table(void **state)
{
    PROTECT((struct context *)*state);
    double y[LENGTH] = {1, 1, 1, 1, 1, 1, 1, 1};
    expect_result(*state, LAUNCH_TABLE, 90, y);
}

/* ---- what is missing ---- */

static const char *replaced(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("%s is not in\n%s", from, text);
    return arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* What is found, in every order, has these words in it. */
static void expect_fault(struct context *cx, const char *text, int n, const char *from,
                         const char *to, const char *fault, const char *where)
{
    const struct imp_function *mutant = parsed(cx, replaced(cx, text, from, to));
    for (uint64_t order = 0; order < ORDERS; order++) {
        struct data data = data_of(n);
        struct imp_run done = run(cx, mutant, &data, order);
        if (!done.fault || !strstr(done.fault, fault) || !strstr(done.fault, where))
            fail_msg("%s for %s, order %d: %s", to, from, (int)order,
                     done.fault ? done.fault : "nothing is found");
    }
}

static void test_barrier_dropped(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "sum\n        barrier\n", "sum\n", "w[",
                 "`w[thread] = sum`");
    expect_fault(cx, LAUNCH_REDUCE, 200, "            barrier\n", "", "w[",
                 "`w[thread] += w[thread + half]`");
    expect_fault(cx, LAUNCH_SCAN, 64, "        barrier\n", "", "ends[0] is ", "`sum += ends[0]`");
    expect_fault(cx, LAUNCH_TRANSPOSE, LENGTH, "        barrier\n", "", "tile[", "`y[");
    expect_fault(cx, LAUNCH_TEAMS, 64, "        barrier lanes(8)\n", "", "w[", "`w[thread] = v`");
    expect_fault(cx, LAUNCH_TEAMS, 64, "barrier lanes(8)", "barrier lanes(4)", "w[", "`other += ");
    expect_fault(cx, LAUNCH_TEAMS, 64, "        barrier\n",
                 "        barrier lanes(2)\n        y[0] = 1\n", "y[0] is written by thread",
                 "`y[0] = 1`");
    expect_fault(cx, LAUNCH_TABLE, 90, "        barrier\n        if", "        if", "table[",
                 "`if (table[thread] >= 0)`");
}

/* Not all come. */
static void test_divergence(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "            if (thread < half) {\n",
                 "            if (thread < half) {\n                barrier\n",
                 "comes to `barrier`", "without thread 32");
    expect_fault(cx, LAUNCH_REDUCE, 200, "while (half > 0)", "while (half > thread)",
                 "comes to `barrier`", "without thread 32");
    expect_fault(cx, LAUNCH_SCAN, 64, "while (d < 32)", "while (d < lane)",
                 "comes to `f64 below = lane_up(sum, d, 32)`", "without thread ");
    expect_fault(cx, LAUNCH_TEAMS, 64, "        barrier lanes(8)\n",
                 "        if (thread > 4) {\n            barrier lanes(8)\n        }\n",
                 "comes to `barrier lanes(8)`", "without thread 0");
}

static void test_exchange_beyond(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_TEAMS, 64, "i32 d = 4", "i32 d = 8", "asks for lane 8 of 8",
                 "`sum += lane_xor(sum, d, 8)`");
    expect_fault(cx, LAUNCH_TEAMS, 64, "lane_at(other, 0, 8)", "lane_at(other, thread - 9, 8)",
                 "asks for lane ", "`f64 first = lane_at(other, thread - 9, 8)`");
    expect_fault(cx, LAUNCH_SCAN, 64, "i32 d = 1", "i32 d = lane - 1", "asks for lane -1 of 32",
                 "lane_up");
}

static void test_atomic_dropped(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "atomic y[0]", "y[0]", "y[0] is ", "`y[0] += w[0]`");
    expect_fault(cx, LAUNCH_REDUCE, 200, "atomic y[0] += w[0]", "atomic y[0] = w[0]",
                 "y[0] is updated", "`atomic y[0] = w[0]`");
    expect_fault(cx, LAUNCH_PLACES, 100, "atomic y[crd[i]]", "y[crd[i]]", "y[", "`y[crd[i]] += 1`");
    expect_fault(cx, LAUNCH_PLACES, 100, "place = atomic count[crd[i]] += 1",
                 "place = count[crd[i]]\n            count[crd[i]] += 1", "count[",
                 "`count[crd[i]] += 1`");
    expect_fault(cx, LAUNCH_TABLE, 90, "old = atomic table[at] if -1 = crd[i]",
                 "old = table[at]\n            table[at] = crd[i]", "table[",
                 "`table[at] = crd[i]`");
}

static void test_array_too_short(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "w[64]", "w[63]", "w[63] is out of bounds", "63 elements");
    expect_fault(cx, LAUNCH_SCAN, 64, "ends[2]", "ends[1]", "ends[1] is out of bounds", "");
    expect_fault(cx, LAUNCH_TRANSPOSE, LENGTH, "tile[72]", "tile[70]", "tile[70] is out of bounds",
                 "");
    expect_fault(cx, LAUNCH_PLACES, 100, "old[2]", "old[1]\n            old[1] = 1",
                 "old[1] is out of bounds", "");
}

/* Nobody has written it when the block begins, or the thread. */
static void test_never_written(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "        w[thread] = sum\n", "", "is read and was never",
                 "w[");
    expect_fault(cx, LAUNCH_REDUCE, 200, "w[thread] = sum",
                 "if (block == 0) {\n w[thread] = sum\n }", "is read and was never", "w[");
    expect_fault(cx, LAUNCH_PLACES, 100, "            old[0] = place\n",
                 "            if (thread == 0) {\n                old[0] = place\n            }\n",
                 "old[0] is read and was never written", "");
    expect_fault(cx, LAUNCH_PLACES, 100, "fill(count, 0, 9, 0)", "fill(count, 0, 8, 0)",
                 "count[8] is read and was never written", "");
}

/* Threads of other blocks have no barrier with these. */
static void test_blocks(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_fault(cx, LAUNCH_REDUCE, 200, "        barrier\n",
                 "        y[1 + thread] = 1\n        barrier\n", "y[", "`y[1 + thread] = 1`");
    expect_fault(cx, LAUNCH_REDUCE, 200, "        barrier\n",
                 "        if (block * 64 + thread == 68) {\n            y[5] = 1\n        }\n      "
                 "  barrier\n"
                 "        sum = y[5]\n",
                 "y[5] is ", "`sum = y[5]`");
}

/* What is ordered by barriers is no race, whoever does it: a thread's own, a team's after its
 * barrier, the other launch's. */
static void test_no_race(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const char *twice =
        replaced(cx, LAUNCH_TEAMS, "        barrier lanes(8)\n",
                 "        barrier lanes(2)\n        w[thread - mod(thread, 2)] = v\n"
                 "        barrier lanes(8)\n        w[thread] = v\n"
                 "        barrier lanes(16)\n");
    struct data data = data_of(64);
    expect_fault(cx, twice, 64, "barrier lanes(2)", "", "w[", "`w[thread - mod(thread, 2)] = v`");
    twice = replaced(cx, twice, "w[thread - mod(thread, 2)] = v\n",
                     "if (mod(thread, 2) == 0) {\n w[thread] = v\n w[thread + 1] = v\n }\n");
    for (uint64_t order = 0; order < ORDERS; order++) {
        data = data_of(64);
        struct imp_run done = run(cx, parsed(cx, twice), &data, order);
        if (done.fault)
            fail_msg("%s", done.fault);
    }
}

/* ---- what is refused ---- */

static void expect_refusal(struct context *cx, const char *text, const char *from, const char *to,
                           const char *message)
{
    if (imp_parse(cx, replaced(cx, text, from, to)))
        fail_msg("%s for %s is taken", to, from);
    const char *found = diag_render(cx);
    if (!strstr(found, message))
        fail_msg("%s for %s: %s", to, from, found);
    cx->diags.n = 0;
}

static void test_refused(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const struct {
        const char *text, *from, *to, *message;
    } mutant[] = {
        {LAUNCH_REDUCE, "(blocks, 64)", "(blocks, 48)", "a launch of blocks of 48 threads"},
        {LAUNCH_REDUCE, "w[64]", "w[6200]", "w is shared and has 6200 elements"},
        {LAUNCH_REDUCE, "shared f64 w[64]", "shared f64 w[4000]\n shared f64 v[4000]\n v[0] = 1",
         "v is one shared array too many: 64000 bytes"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n",
         "        f64 sum = 0\n        if (n > 0) {\n            shared f64 u[1]\n        }\n",
         "u is shared, but declared in a loop or an if"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n", "        f64 sum = 0\n        f64 *u\n",
         "u is declared in a launch and has no place"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n", "        f64 sum = 0\n        fail 1\n",
         "a failure in a launch"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n", "        f64 sum = 0\n        prefetch(x, 0)\n",
         "a prefetch in a launch"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n",
         "        f64 sum = 0\n        f64x2 v = x[0 .. +2]\n", "v is a vector in a launch"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n",
         "        f64 sum = 0\n        fetch f64 v = x[0]\n", "a fetch in a launch"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n",
         "        f64 sum = 0\n        launch(1, 32) b, t {\n        }\n", "a launch in a launch"},
        {LAUNCH_REDUCE, "    launch", "    y[0] = 0\n    launch",
         "a store in host code around launches"},
        {LAUNCH_REDUCE, "    launch", "    f64 v = x[0]\n    launch",
         "a load in host code around launches"},
        {LAUNCH_REDUCE, "    launch", "    i32 s = 0\n    launch", ""},
        {LAUNCH_REDUCE, "    launch", "    barrier\n    launch", "a barrier outside launches"},
        {LAUNCH_REDUCE, "    launch", "    local f64 v[2]\n    launch",
         "v is a thread's, but declared outside launches"},
        {LAUNCH_REDUCE, "block * 64 + thread", "thread = 0", "is expected here"},
        {LAUNCH_REDUCE, "        f64 sum = 0\n", "        f64 sum = 0\n        thread = 1\n",
         "thread cannot be assigned"},
        {LAUNCH_TEAMS, "barrier lanes(8)", "barrier lanes(6)", "a barrier of 6 lanes"},
        {LAUNCH_TEAMS, "lane_at(other, 0, 8)", "1 + lane_at(other, 0, 8)",
         "an exchange in an expression"},
        {LAUNCH_TEAMS, "lane_at(other, 0, 8)", "lane_at(other, 0, 3)", "an exchange of 3 lanes"},
        {LAUNCH_TEAMS, "ballot(v > 0, 32)", "ballot(v, 32)", "bool is expected here"},
        {LAUNCH_HELPER, "    launch(1", "    fill(y, 0, (i64)n, 0)\n    launch(1",
         "what may fail, of a helper, in host code around launches"},
        {LAUNCH_HELPER, "    launch(1", "    fail 1\n    launch(1", "what may fail"},
        {LAUNCH_HELPER, "y[t] *= 2", "twice(y, n)", "twice"},
        {LAUNCH_HELPER, "    twice(y, n)", "    launch(1, 32) c, u {\n        twice(y, n)\n    }",
         "a call of a helper that launches in a launch"},
        {LAUNCH_PLACES, "fetch i32 status = count[8]", "fetch i32 status = count[8] + 1",
         "an element of an array is expected here"},
        {LAUNCH_PLACES, "fetch i32 status = count[8]", "i32 status = count[8]",
         "a load in host code around launches"},
        {LAUNCH_PLACES, "i32 place = atomic", "f64 place = atomic", "f64 is expected here"},
        {LAUNCH_PLACES, "+ old[0]]", "+ i[0]]", "there is no lane 0 of 1"},
    };
    for (size_t i = 0; i < sizeof mutant / sizeof *mutant; i++)
        if (*mutant[i].message)
            expect_refusal(cx, mutant[i].text, mutant[i].from, mutant[i].to, mutant[i].message);
    /* a scalar from outside is read only */
    const char *outer = replaced(cx, LAUNCH_REDUCE, "    launch", "    i32 s = 0\n    launch");
    assert_non_null(parsed(cx, outer));
    expect_refusal(cx, outer, "        f64 sum = 0\n", "        f64 sum = 0\n        s = 1\n",
                   "assignment of s in a launch, outside which it is declared");
    expect_refusal(cx, outer, "i32 s = 0", "i32 half = 0", "half is declared already");
}

/* Threads meet in a helper: where it is called, and where it may be. */
static void test_meeting_helper(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char helper[] = "// The sum over the team of 8, which all its lanes get.\n"
                                 "f64 team_sum(f64 v) {\n"
                                 "    f64 sum = v\n"
                                 "    for (i32 d = 0; d < 3; d++) {\n"
                                 "        i32 step = d == 0 ? 1 : d == 1 ? 2 : 4\n"
                                 "        sum += lane_xor(sum, step, 8)\n"
                                 "    }\n"
                                 "    return sum\n"
                                 "}\n\n";
    const char *text = arena_printf(cx->arena, "%s%s", helper,
                                    LAUNCH_HEAD "    launch(1, 64) block, thread {\n"
                                                "        f64 sum = team_sum(x[thread])\n"
                                                "        y[thread] = sum\n"
                                                "    }\n"
                                                "}\n");
    struct data data = data_of(64);
    double y[LENGTH] = {0};
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 8; k++)
            y[i] += data.x[i / 8 * 8 + k];
    assert_string_equal(printed(cx, parsed(cx, text)), text);
    expect_result(cx, text, 64, y);
    expect_refusal(cx, text, "f64 sum = team_sum(x[thread])", "f64 sum = 1 + team_sum(x[thread])",
                   "team_sum in an expression");
    expect_refusal(cx, text, "    launch", "    f64 none = team_sum(1)\n    launch",
                   "team_sum outside launches");
    expect_fault(cx, text, 64, "        f64 sum = team_sum(x[thread])\n",
                 "        f64 sum = 0\n        if (thread != 9) {\n"
                 "            sum = team_sum(x[thread])\n        }\n",
                 "comes to `sum += lane_xor(sum, step, 8)`", "without thread 9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_text),           TEST(test_reduce),
        TEST(test_scan),           TEST(test_transpose),
        TEST(test_places),         TEST(test_teams),
        TEST(test_table),          TEST(test_barrier_dropped),
        TEST(test_divergence),     TEST(test_exchange_beyond),
        TEST(test_atomic_dropped), TEST(test_array_too_short),
        TEST(test_never_written),  TEST(test_blocks),
        TEST(test_no_race),        TEST(test_refused),
        TEST(test_meeting_helper), TEST(test_host_loop),
    };
    return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
