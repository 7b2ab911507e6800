/* test_enough.c - which loops end where they have found what they look for, and that it is found.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/protect.h"

enum { LENGTH = 4 };

/* A kernel with this body, of which y[0] is what counts. */
static const struct imp_function *kernel(struct context *cx, const char *body)
{
    const struct imp_function *f = imp_parse(
        cx, arena_printf(cx->arena,
                         "kernel k(const i32 n, const i32 *crd, const bool *x, bool *y) {\n%s}\n",
                         body));
    if (!f)
        fail_msg("%s", diag_render(cx));
    return f;
}

static int breaks(struct context *cx, const struct imp_function *f)
{
    struct text text = text_new(cx->arena);
    int n = 0;
    imp_print(&text, f);
    for (const char *at = text.at; (at = strstr(at, "break")); at++)
        n++;
    return n;
}

static bool result(struct context *cx, const struct imp_function *f, unsigned bits)
{
    int32_t crd[LENGTH] = {2, 0, 3, 1};
    bool x[LENGTH], y[LENGTH] = {false};
    for (int i = 0; i < LENGTH; i++)
        x[i] = bits >> i & 1;
    struct imp_argument argument[] = {{.value = value_int(TYPE_I32, LENGTH)},
                                      {.data = crd, .length = LENGTH},
                                      {.data = x, .length = LENGTH},
                                      {.data = y, .length = LENGTH}};
    struct imp_run run = imp_interpret(cx, f, argument, NULL);
    if (run.fault)
        fail_msg("%s", run.fault);
    return y[0];
}

/* Does it break so often, and give the same for all that it may read? */
static void expect_breaks(struct context *cx, int times, const char *body)
{
    PROTECT(cx);
    const struct imp_function *before = kernel(cx, body), *after = imp_exit_early(cx, before, NULL);
    assert_null(imp_check(cx, after));
    assert_int_equal(breaks(cx, after), times);
    for (unsigned bits = 0; bits < 1u << LENGTH; bits++)
        assert_int_equal(result(cx, before, bits), result(cx, after, bits));
}

static void loops_that_find(void **state)
{
    expect_breaks(*state, 1,
                  "bool found = false\n"
                  "for (i32 p = 0; p < n; p++) {\n"
                  "i32 i = crd[p]\n"
                  "found or= x[i]\n"
                  "}\n"
                  "y[0] = found\n");
    expect_breaks(*state, 1,
                  "bool every = true\n"
                  "for (i32 p = 1; p < n; p++) {\n"
                  "every and= x[crd[p]]\n"
                  "}\n"
                  "y[0] = every\n");
    expect_breaks(*state, 2,
                  "bool found = false\n"
                  "for (i32 i = 0; i < n; i++) {\n"
                  "bool every = true\n"
                  "for (i32 p = i; p < n; p++) {\n"
                  "every and= x[crd[p]]\n"
                  "}\n"
                  "found or= every\n"
                  "}\n"
                  "y[0] = found\n");
}

/* What goes along side by side, moves on in what it goes along, stores too, or reduces twice. */
static void loops_that_go_on(void **state)
{
    expect_breaks(*state, 0,
                  "bool found = false\n"
                  "for (i32 i = 0; i < n; i++) {\n"
                  "found or= x[i]\n"
                  "}\n"
                  "y[0] = found\n");
    expect_breaks(*state, 0,
                  "bool found = false\n"
                  "i32 q = 0\n"
                  "for (i32 p = 0; p < n; p++) {\n"
                  "found or= x[crd[p]]\n"
                  "q += 1\n"
                  "}\n"
                  "y[0] = q > 3\n");
    expect_breaks(*state, 0,
                  "bool found = false\n"
                  "for (i32 p = 0; p < n; p++) {\n"
                  "found or= x[crd[p]]\n"
                  "y[p] = found\n"
                  "}\n");
    expect_breaks(*state, 0,
                  "bool found = false\n"
                  "bool every = true\n"
                  "for (i32 p = 0; p < n; p++) {\n"
                  "found or= x[crd[p]]\n"
                  "every and= x[crd[p]]\n"
                  "}\n"
                  "y[0] = and(found, not(every))\n");
    expect_breaks(*state, 0,
                  "bool found = false\n"
                  "for (i32 p = 0; p < n; p++) {\n"
                  "found xor= x[crd[p]]\n"
                  "}\n"
                  "y[0] = found\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(loops_that_find), TEST(loops_that_go_on)};
    return cmocka_run_group_tests_name("enough", tests, NULL, NULL);
}
