/* test_implied.c - which tests of flags a condition around them decides.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/protect.h"

static const struct imp_function *kernel(struct context *cx, const char *body)
{
    const struct imp_function *f =
        imp_parse(cx, arena_printf(cx->arena,
                                   "kernel k(const i32 n, i32 *y) {\nbool a = and(n, 1) == 1\n"
                                   "bool b = and(n, 2) == 2\n%s}\n",
                                   body));
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

static int32_t result(struct context *cx, const struct imp_function *f, int n)
{
    int32_t y = 0;
    struct imp_argument argument[] = {{.value = value_int(TYPE_I32, n)}, {.data = &y, .length = 1}};
    struct imp_run run = imp_interpret(cx, f, argument, NULL);
    if (run.fault)
        fail_msg("%s", run.fault);
    return y;
}

/* Does the body become the other, and do the same for all flags? */
static void expect(struct context *cx, const char *body, const char *becomes)
{
    const struct imp_function *before = kernel(cx, body),
                              *after = imp_propagate_conditions(cx, before, NULL);
    assert_null(imp_check(cx, after));
    assert_string_equal(printed(cx, imp_simplify(cx, after)),
                        printed(cx, imp_simplify(cx, kernel(cx, becomes))));
    for (int n = 0; n < 4; n++)
        assert_int_equal(result(cx, before, n), result(cx, after, n));
}

static void test_decided(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect(cx, "if (and(a, b)) {\ny[0] = a ? 1 : 2\nif (b) {\ny[0] += 4\n}\n}\n",
           "if (and(a, b)) {\ny[0] = 1\ny[0] += 4\n}\n");
    expect(cx, "if (or(a, b)) {\ny[0] = a ? 1 : 2\n} else {\ny[0] = b ? 3 : 4\n}\n",
           "if (or(a, b)) {\ny[0] = a ? 1 : 2\n} else {\ny[0] = 4\n}\n");
    expect(cx, "if (not(a)) {\ny[0] = a ? 1 : 2\n} else {\ny[0] = a ? 3 : 4\n}\n",
           "if (a) {\ny[0] = 3\n} else {\ny[0] = 2\n}\n");
    expect(cx, "bool c = n > 0\nif (or(and(a, b), and(a, c))) {\ny[0] = and(a, b) ? 1 : 2\n}\n",
           "bool c = n > 0\nif (or(and(a, b), and(a, c))) {\ny[0] = b ? 1 : 2\n}\n");
}

static void test_open(void **state)
{
    static const char *const bodies[] = {
        "if (or(a, b)) {\ny[0] = a ? 1 : 2\n}\n",
        "if (and(a, b)) {\ny[0] = 1\n} else {\ny[0] = a ? 1 : 2\n}\n",
        "if (a) {\ny[0] = 1\na = b\ny[0] += a ? 1 : 2\n}\n",
        "if (a) {\ny[0] = 1\n}\ny[0] += a ? 1 : 2\n",
        "if (a == b) {\ny[0] = a ? 1 : 2\n}\n",
    };
    struct context *cx = *state;
    PROTECT(cx);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const struct imp_function *f = kernel(cx, bodies[i]);
        assert_ptr_equal(imp_propagate_conditions(cx, f, NULL), f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_decided), TEST(test_open)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
