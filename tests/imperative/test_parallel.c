/* test_parallel.c - parallel loops: text, invariants, runs in any order, and what races.
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
#include "compiler/optimize/optimize.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/parallel.h"
#include "tests/imperative/protect.h"

static const struct imp_function *parsed(struct context *cx, const char *text)
{
    const struct imp_function *f = imp_parse(cx, text);
    if (!f)
        fail_msg("%s", diag_render(cx));
    return f;
}

static const char *print(struct context *cx, const struct imp_function *function)
{
    struct text out = text_new(cx->arena);
    imp_print(&out, function);
    return out.at;
}

static void test_reads_back(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int i = 0; i < PARALLEL_PROGRAMS; i++)
        assert_string_equal(print(cx, parsed(cx, parallel_program[i])), parallel_program[i]);
    const char *names =
        "kernel f(i32 parallel, i32 atomic, i32 *keep) {\n    parallel = 1\n"
        "    atomic += threads()\n    atomic keep[0] min= atomic\n    arrays(1) take\n"
        "    alloc(take, 1)\n    free(take)\n    i32 move = 2\n    parallel = move\n}\n";
    assert_string_equal(print(cx, parsed(cx, names)), names);
}

/* ---- what is refused ---- */

/* In a kernel f(i32 n, f64 *x, out f64 *z), behind a helper g. */
static void test_invariants(void **state)
{
#define PART(BODY) "parallel for (i32 p = 0; p < n; p++) {\n" BODY "\n}"
#define JOINING    "i64 *e\nalloc(e, n + 1)\narrays(1) a\nalloc(a, n)\n"
    static const struct {
        const char *body, *message;
    } broken[] = {
        {PART("n = 1"), "assignment of n in a part, outside which it is declared"},
        {PART("i32 m = 1\nm += p\np = m"), "p cannot be assigned"},
        {PART(PART("")), "p is declared already"},
        {PART("parallel for (i32 q = 0; q < 2; q++) {\n}"), "a parallel loop in a part"},
        {"while (n > 0) {\n" PART("break") "\n}", "a break outside loops"},
        {"while (n > 0) {\n" PART("while (n > 0) {\nbreak\n}") "\nbreak\n}", NULL},
        {PART("alloc(z, n)"), "allocation of z in a part, outside which it is declared"},
        {"f64 *w\nalloc(w, n)\n" PART("resize(w, n)") "\nfree(w)", "allocation of w in a part"},
        {"f64 *w\nalloc(w, n)\n" PART("free(w)"), "release of w in a part"},
        {PART("f64 *w\nalloc(w, n)\nfree(w)"), NULL},
        {PART("i32 m = threads()"), "threads() in a part"},
        {"arrays(1) a\nalloc(a, n)\nf64 *w\nalloc(w, n)\n" PART("keep(a, p, w)"),
         "the keeping of w in a part"},
        {"arrays(1) a\nalloc(a, n)\nf64 *w\n" PART("take(w, a, p)"), "the taking of w in a part"},
        {PART("arrays(1) a\nalloc(a, n)\nfree(a)"), NULL},
        {"arrays(1) a\n" PART("alloc(a, n)"), "allocation of a in a part"},
        {"arrays(1) a\nresize(a, n)", "an array that is declared is expected here"},
        {"arrays(1) a\na[0] = 1", "a has arrays for elements"},
        {"arrays(1) a\nn = g(a)", "an array that is declared is expected here"},
        {"arrays(1) a\nkeep(a, 0, x)", "the keeping of x, which is the caller's"},
        {"arrays(1) a\nkeep(a, 0, z)", "z is kept but belongs to the caller"},
        {"arrays(1) a\nf64 *w\ntake(w, a, 0)\nfree(w)", "release of w, which is taken"},
        {"arrays(1) a\nf64 *w\nalloc(w, 1)\ntake(w, a, 0)", "w is taken but has memory of its own"},
        {"arrays(1) a\ntake(x, a, 0)", "x is taken but has memory of its own"},
        {"arrays(1) a\narrays(1) b\nkeep(a, 0, b)", "an array that is declared is expected here"},
        {"arrays(0) a", "a number of arrays is expected here"},
        {"arrays(1) a\ntake(a, a, 0)", "an array that is declared is expected here"},
        {"f64 *a\nf64 *w\ntake(w, a, 0)", "an array of arrays that is declared is expected here"},
        {"arrays(1) a\nalloc(a, n)\nmove(z, a, 0)\nfree(a)", NULL},
        {"arrays(1) a\nalloc(a, n)\n" PART("f64 *w\nmove(w, a, p)\nfree(w)"), NULL},
        {"arrays(1) a\nalloc(a, n)\n" PART("move(z, a, p)"), "the moving of z in a part"},
        {"arrays(1) a\nmove(x, a, 0)", "the moving of x, which is the caller's"},
        {"arrays(1) a\nf64 *w\ntake(w, a, 0)\nmove(w, a, 0)", "the moving of w, which is taken"},
        {"arrays(1) a\nf64 *w\nmove(w, a, 0)\ntake(w, a, 0)",
         "w is taken but has memory of its own"},
        {"f64 *a\nmove(z, a, 0)", "an array of arrays that is declared is expected here"},
        {JOINING "join(z, a, 0, e, n, 1)\nfree(a)\nfree(e)", NULL},
        {JOINING PART("f64 *w\njoin(w, a, 0, e, n, 1)\nfree(w)") "\nfree(a)\nfree(e)", NULL},
        {JOINING PART("join(z, a, 0, e, n, 1)"), "the joining of z in a part"},
        {JOINING "join(x, a, 0, e, n, 1)", "the joining of x, which is the caller's"},
        {JOINING "join(z, a, 0, x, n, 1)", "where parts begin, x, is of another type"},
        {JOINING "f64 *w\ntake(w, a, 0)\njoin(w, a, 0, e, n, 1)",
         "the joining of w, which is taken"},
        {JOINING "join(z, e, 0, e, n, 1)", "an array of arrays that is declared is expected here"},
        {"parallel for (i32 p = 1; p < n; p++) {\n}", "a parallel loop begins with 0"},
        {"parallel for (i32 p = 0; p < n; p += 2) {\n}", "++ is expected here"},
        {"parallel for (i8 p = 0; p < 1; p++) {\n}", "p cannot be the variable of a parallel"},
        {"parallel(guided) for (i32 p = 0; p < n; p++) {\n}", "there is no function parallel"},
        {"atomic x[0 .. +4] += broadcast4(1)", "4 lanes are stored in 1"},
        {"atomic n = 1", "an element of an array is expected here"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct context *cx = context_new();
        (void)state;
        PROTECT(cx);
        const struct imp_function *f =
            imp_parse(cx, arena_printf(cx->arena,
                                       "i32 g(f64 *x) {\n    return 1\n}\n\n"
                                       "kernel f(i32 n, f64 *x, out f64 *z) {\n    %s\n}\n",
                                       broken[i].body));
        const char *found = f ? "" : diag_render(cx);
        if (broken[i].message ? !strstr(found, broken[i].message) : !f)
            fail_msg("%s: %s", broken[i].body, found);
        context_free(cx);
    }
}

static void test_no_helper(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    assert_null(imp_parse(cx, "i32 g(i32 *x) {\n    parallel for (i32 p = 0; p < 2; p++) {\n"
                              "        x[p] = 1\n    }\n    return 1\n}\n\nkernel f() {\n}\n"));
    assert_non_null(strstr(diag_render(cx), "a parallel loop in a helper"));
}

/* ---- runs ---- */

enum { LENGTH = 40 };

struct input {
    int32_t crd[LENGTH];
    double x[LENGTH], y[LENGTH];
    struct imp_argument argument[6];
};

static void open_input(struct input *in, int parts)
{
    memset(in, 0, sizeof *in);
    for (int i = 0; i < LENGTH; i++) {
        in->crd[i] = i * i % LENGTH;
        in->x[i] = i % 7 - 3;
    }
    in->argument[0].value = value_int(TYPE_I32, LENGTH);
    in->argument[1].value = value_int(TYPE_I32, parts);
    in->argument[2] = (struct imp_argument){.data = in->crd, .length = LENGTH};
    in->argument[3] = (struct imp_argument){.data = in->x, .length = LENGTH};
    in->argument[4] = (struct imp_argument){.data = in->y, .length = LENGTH};
}

/* The results of one part are those of any number, in any order. */
static void test_orders(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int i = 0; i < PARALLEL_PROGRAMS; i++) {
        const struct imp_function *f = parsed(cx, parallel_program[i]);
        struct input alone;
        open_input(&alone, 1);
        struct imp_run serial = imp_interpret(cx, f, alone.argument, NULL);
        if (serial.fault)
            fail_msg("%s", serial.fault);
        assert_int_equal(serial.status, STATUS_OK);
        for (int parts = 2; parts < 12; parts++) {
            struct input in;
            open_input(&in, parts);
            const struct imp_options options = {.order = (uint64_t)parts * 7, .threads = parts};
            struct imp_run run = imp_interpret(cx, f, in.argument, &options);
            if (run.fault)
                fail_msg("%s: %s", f->name, run.fault);
            assert_int_equal(run.status, STATUS_OK);
            assert_memory_equal(in.y, alone.y, sizeof in.y);
            size_t size = sizeof(double) * (size_t)alone.argument[5].length;
            assert_int_equal(in.argument[5].length, alone.argument[5].length);
            assert_memory_equal(in.argument[5].data, alone.argument[5].data, size);
            free(in.argument[5].data);
        }
        free(alone.argument[5].data);
    }
}

/* The greatest status of any part, which fails at its first element above 500. */
static int expected_status(const struct input *in, int parts)
{
    int worst = STATUS_OK;
    for (int part = 0; part < parts; part++) {
        int i = LENGTH * part / parts, end = LENGTH * (part + 1) / parts;
        while (i < end && in->x[i] <= 500)
            i++;
        int status = i == end          ? STATUS_OK
                     : in->x[i] > 1000 ? STATUS_OUT_OF_BOUND
                                       : STATUS_TOO_LARGE;
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* It is the kernel's in any order, and all memory is released. */
static void test_failures(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *f = parsed(cx, PARALLEL_FAIL);
    for (uint64_t order = 0; order < 6; order++)
        for (int parts = 1; parts < 12; parts++) {
            struct input in;
            open_input(&in, parts);
            in.x[3] = in.x[31] = 600;
            in.x[12] = 2000;
            struct imp_run run =
                imp_interpret(cx, f, in.argument, &(struct imp_options){.order = order});
            assert_null(run.fault);
            assert_int_equal(run.status, expected_status(&in, parts));
            assert_null(in.argument[5].data);
        }
}

/* An allocator that has memory so many times, and counts what is out. */
struct limited {
    int left, out;
};

static void *limited_reallocate(void *data, void *old, size_t size)
{
    struct limited *limited = data;
    if (limited->left-- <= 0)
        return NULL;
    limited->out += !old;
    return realloc(old, size);
}

static void limited_release(void *data, void *old)
{
    ((struct limited *)data)->out -= old != NULL;
    free(old);
}

static void test_no_memory(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int i = 0; i < PARALLEL_PROGRAMS; i++)
        for (int left = 0; left < 60; left++) {
            struct limited limited = {left, 0};
            struct imp_allocator allocator = {limited_reallocate, limited_release, &limited};
            struct input in;
            open_input(&in, 5);
            const struct imp_function *f = parsed(cx, parallel_program[i]);
            struct imp_run run = imp_interpret(
                cx, f, in.argument, &(struct imp_options){.allocator = &allocator, .order = 3});
            assert_null(run.fault);
            assert_int_equal(limited.out, run.status == STATUS_OK);
            free(in.argument[5].data);
        }
}

/* ---- passes ---- */

/* The function with marks on its for loops over variables of this name. */
static const struct imp *with_mark(struct context *cx, const struct imp *imp, const char *name,
                                   const struct imp_mark *mark)
{
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = with_mark(cx, imp->arg[i], name, mark);
    imp = imp_with_args(cx, imp, arg);
    return imp->kind == IMP_FOR && strcmp(imp->var->name, name) == 0 ? imp_marked(cx, imp, mark)
                                                                     : imp;
}

static const struct imp_function *marked(struct context *cx, const char *text, const char *name,
                                         struct imp_mark mark)
{
    struct imp_function *f = arena_copy(cx->arena, parsed(cx, text), sizeof(struct imp_function));
    f->body = with_mark(cx, f->body, name, arena_copy(cx->arena, &mark, sizeof mark));
    return f;
}

/* Does the pass' result hold the invariants and print so? */
static void expect_text(struct context *cx, const struct imp_function *f, const char *text)
{
    const char *error = imp_check(cx, f);
    if (error)
        fail_msg("%s", error);
    assert_string_equal(print(cx, f), text);
}

static void test_hoist(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_text(cx,
                imp_hoist(cx,
                          parsed(cx, "kernel f(i32 n, i32 m, f64 *x) {\n"
                                     "    parallel for (i32 p = 0; p < n; p++) {\n"
                                     "        bool any = false\n        i32 *w\n"
                                     "        alloc(w, n * m)\n"
                                     "        for (i32 i = 0; i < n; i++) {\n"
                                     "            any = true\n"
                                     "            x[p * m + i] = x[n * m + i]\n"
                                     "        }\n        w[0] = (i32)any\n"
                                     "        free(w)\n    }\n}\n"),
                          NULL),
                "kernel f(i32 n, i32 m, f64 *x) {\n"
                "    i32 base = n * m\n"
                "    parallel for (i32 p = 0; p < n; p++) {\n"
                "        bool any = false\n        i32 *w\n"
                "        alloc(w, base)\n"
                "        if (0 < n) {\n            any = true\n        }\n"
                "        i32 base_2 = p * m\n"
                "        for (i32 i = 0; i < n; i++) {\n"
                "            x[base_2 + i] = x[base + i]\n"
                "        }\n        w[0] = (i32)any\n"
                "        free(w)\n    }\n}\n");
}

static void test_simplify(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect_text(cx,
                imp_simplify(cx, parsed(cx, "kernel f(i32 n, i32 *x) {\n    i32 m = n\n"
                                            "    arrays(1) kept\n    alloc(kept, 4)\n"
                                            "    parallel for (i32 p = 0; p < 4; p++) {\n"
                                            "        i32 unread = p\n"
                                            "        atomic x[0] += 0\n"
                                            "        atomic x[1] = x[1] + m\n"
                                            "        atomic x[p - p] min= p * 1\n"
                                            "        i32 *w\n        alloc(w, 1)\n"
                                            "        w[0] = 7\n        keep(kept, p, w)\n"
                                            "        i32 *u\n        alloc(u, 1)\n"
                                            "        atomic u[0] = 1\n        free(u)\n"
                                            "    }\n"
                                            "    parallel for (i32 q = 0; q < 0; q++) {\n"
                                            "        x[q] = 1\n    }\n"
                                            "    parallel for (i32 r = 0; r < 4; r++) {\n"
                                            "        i32 *v\n        take(v, kept, r)\n"
                                            "        v[0] = 8\n    }\n    free(kept)\n}\n")),
                "kernel f(i32 n, i32 *x) {\n"
                "    arrays(1) kept\n    alloc(kept, 4)\n"
                "    parallel for (i32 p = 0; p < 4; p++) {\n"
                "        atomic x[1] += n\n"
                "        atomic x[i32(0)] min= p\n"
                "        i32 *w\n        alloc(w, 1)\n"
                "        w[0] = 7\n        keep(kept, p, w)\n"
                "    }\n"
                "    parallel for (i32 r = 0; r < 4; r++) {\n"
                "        i32 *v\n        take(v, kept, r)\n"
                "        v[0] = 8\n    }\n    free(kept)\n}\n");
}

#define ROWS(PARALLEL, STORE)                                                            \
    "kernel f(i32 n, f64 *x, f64 *y) {\n    " PARALLEL "for (i32 p = 0; p < n; p++) {\n" \
    "        for (i32 r = 0; r < 64; r++) {\n            " STORE "y[r] += x[p] * x[r]\n" \
    "        }\n    }\n}\n"

/* Vectors inside a part; none of atomic updates, and no row that parts share in registers. */
static void test_vectors(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_mark row = {.iterations = ITERATIONS_REDUCE, .row = 1},
                          apart = {.iterations = ITERATIONS_APART}, nest = {.reduces_row = 1};
    const struct imp_function *f = marked(cx, ROWS("parallel ", "atomic "), "r", apart);
    assert_ptr_equal(imp_vectorize(cx, f, VECTORS(32)), f);
    f = marked(cx, ROWS("parallel ", "atomic "), "r", row);
    assert_ptr_equal(imp_vectorize(cx, f, VECTORS(32)), f);
    f = marked(cx, ROWS("", "atomic "), "r", row);
    struct imp_function *around = arena_copy(cx->arena, f, sizeof *f);
    around->body = with_mark(cx, f->body, "p", &nest);
    assert_ptr_equal(imp_vectorize(cx, around, VECTORS(32)), around);
    f = marked(cx, ROWS("parallel ", ""), "r", apart);
    const char *text = print(cx, imp_vectorize(cx, f, VECTORS(32)));
    assert_non_null(strstr(text, "    parallel for (i32 p = 0; p < n; p++) {\n"
                                 "        for (i32 r = 0; r < 64; r += 4) {\n"
                                 "            y[r .. +4] += "));
    f = marked(cx, PARALLEL_REDUCE, "i", apart);
    struct imp_mark sum = {.iterations = ITERATIONS_REDUCE};
    f = imp_vectorize(cx, imp_simplify(cx, marked(cx, PARALLEL_REDUCE, "i", sum)), VECTORS(32));
    assert_null(imp_check(cx, f));
    assert_non_null(strstr(print(cx, f), "        f64x4 sum0 = "));
}

/* A copy of a parallel loop has parts and arrays of its own. */
static void test_unroll(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_asked asked = {.loop = "i", .unroll = 2};
    const struct imp_mark twice = {.asked = &asked};
    const struct imp_function *f = marked(
        cx,
        "kernel f(i32 n, f64 *x) {\n    for (i32 i = 0; i < 2; i++) {\n        arrays(1) kept\n"
        "        alloc(kept, n)\n        parallel for (i32 p = 0; p < n; p++) {\n"
        "            f64 *w\n            alloc(w, 1)\n            w[0] = (f64)(p + i)\n"
        "            keep(kept, p, w)\n        }\n"
        "        parallel for (i32 q = 0; q < n; q++) {\n            f64 *v\n"
        "            take(v, kept, q)\n            x[q] = v[0]\n        }\n"
        "        free(kept)\n    }\n}\n",
        "i", twice);
    const struct imp_function *unrolled = imp_unroll(cx, f, NULL);
    assert_null(imp_check(cx, unrolled));
    const char *text = print(cx, unrolled);
    assert_null(strstr(text, "i32 i = 0"));
    double x[3] = {0};
    struct imp_argument argument[] = {{.value = value_int(TYPE_I32, 3)}, {.data = x, .length = 3}};
    assert_null(imp_interpret(cx, unrolled, argument, &(struct imp_options){.order = 5}).fault);
    for (int i = 0; i < 3; i++)
        assert_true(x[i] == i + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reads_back), cmocka_unit_test(test_invariants),
        TEST(test_no_helper),  TEST(test_orders),
        TEST(test_failures),   TEST(test_no_memory),
        TEST(test_hoist),      TEST(test_simplify),
        TEST(test_vectors),    TEST(test_unroll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
