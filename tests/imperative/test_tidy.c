/* test_tidy.c - which loops and declarations plain kernels write otherwise, and which they may
 * not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/protect.h"

static const struct imp_function *kernel(struct context *cx, const char *body)
{
    const struct imp_function *f =
        imp_parse(cx, arena_printf(cx->arena,
                                   "kernel k(const i32 n, const i32 *crd, bool *map, f64 *w, "
                                   "f64 *x) {\n%s}\n",
                                   body));
    if (!f)
        fail_msg("%s", diag_render(cx));
    return f;
}

/* Loops whose iterations are apart, as lowering says that they are: a text does not. */
static const struct imp *marked(struct context *cx, const struct imp *imp)
{
    static const struct imp_mark apart = {.iterations = ITERATIONS_APART};
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = marked(cx, imp->arg[i]);
    imp = imp_with_args(cx, imp, arg);
    return imp->kind == IMP_FOR ? imp_marked(cx, imp, &apart) : imp;
}

static const char *printed(struct context *cx, const struct imp_function *f)
{
    struct text text = text_new(cx->arena);
    imp_print(&text, f);
    return text.at;
}

static void expect(struct context *cx, const char *body, const char *becomes, bool apart)
{
    struct imp_function before = *kernel(cx, body);
    before.body = apart ? marked(cx, before.body) : before.body;
    const struct imp_function *after = imp_tidy(cx, &before, NULL);
    assert_null(imp_check(cx, after));
    assert_string_equal(printed(cx, after), printed(cx, kernel(cx, becomes)));
}

static void stays(struct context *cx, const char *body) { expect(cx, body, body, true); }

#define EMPTIES "for (i32 q = 0; q < n; q++) {\nmap[crd[q]] = false\nw[crd[q]] = 0\n}\n"

static void test_emptied(void **state)
{
    static const char both[] =
        "for (i32 p = 0; p < n; p++) {\ni32 j = crd[p]\nx[p] = w[j]\n}\n" EMPTIES;
    struct context *cx = *state;
    PROTECT(cx);
    expect(cx, both,
           "for (i32 p = 0; p < n; p++) {\ni32 j = crd[p]\nx[p] = w[j]\nmap[j] = false\n"
           "w[j] = 0\n}\n",
           true);
    /* a coordinate may come again */
    expect(cx, both, both, false);
    /* another component is read, or there are other iterations, or some may be left out */
    stays(cx, "for (i32 p = 0; p < n; p++) {\ni32 j = crd[p]\nx[p] = w[p] + w[j]\n}\n" EMPTIES);
    stays(cx, "for (i32 p = 1; p < n; p++) {\ni32 j = crd[p]\nx[p] = w[j]\n}\n" EMPTIES);
    stays(cx, "for (i32 p = 0; p < n; p++) {\ni32 j = crd[p]\nif (j > 3) {\nbreak\n}\n"
              "x[p] = w[j]\n}\n" EMPTIES);
}

static void test_declared(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect(cx, "i32 c = 0\nfor (i32 i = 0; i < n; i++) {\nc = 0\nc += i\nx[i] = (f64)c\n}\n",
           "for (i32 i = 0; i < n; i++) {\ni32 c = 0\nc += i\nx[i] = (f64)c\n}\n", true);
    /* it is read before, or afterwards, or only some iterations set it */
    stays(cx, "i32 c = 0\nfor (i32 i = 0; i < n; i++) {\nx[i] = (f64)c\nc = i\n}\n");
    stays(cx, "i32 c = 0\nfor (i32 i = 0; i < n; i++) {\nc = i\nx[i] = 1\n}\nx[0] = (f64)c\n");
    stays(cx, "i32 c = 0\nfor (i32 i = 0; i < n; i++) {\nif (i > 2) {\nc = 1\n}\n"
              "x[i] = (f64)c\n}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_emptied), TEST(test_declared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
