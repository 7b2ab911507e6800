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
#include "compiler/imperative/interpret.h"
#include "compiler/imperative/parse.h"
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
    const char *names = "kernel f(i32 parallel, i32 atomic, i32 *keep) {\n    parallel = 1\n"
                        "    atomic += threads()\n    atomic keep[0] min= atomic\n    i32 **take\n"
                        "    alloc(take, 1)\n    free(take)\n}\n";
    assert_string_equal(print(cx, parsed(cx, names)), names);
}

/* ---- what is refused ---- */

/* In a kernel f(i32 n, f64 *x, out f64 *z), behind a helper g. */
static void test_invariants(void **state)
{
#define PART(BODY) "parallel for (i32 p = 0; p < n; p++) {\n" BODY "\n}"
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
        {"f64 **a\nalloc(a, n)\nf64 *w\nalloc(w, n)\n" PART("keep(a, p, w)"),
         "the keeping of w in a part"},
        {"f64 **a\nalloc(a, n)\nf64 *w\n" PART("take(w, a, p)"), "the taking of w in a part"},
        {PART("f64 **a\nalloc(a, n)\nfree(a)"), NULL},
        {"f64 **a\n" PART("alloc(a, n)"), "allocation of a in a part"},
        {"f64 **a\nresize(a, n)", "an array that is declared is expected here"},
        {"f64 **a\na[0] = 1", "a has arrays for elements"},
        {"f64 **a\nn = g(a)", "an array that is declared is expected here"},
        {"f64 **a\nkeep(a, 0, x)", "the keeping of x, which is the caller's"},
        {"f64 **a\nkeep(a, 0, z)", "z is kept but belongs to the caller"},
        {"f64 **a\nf64 *w\ntake(w, a, 0)\nfree(w)", "release of w, which is taken"},
        {"f64 **a\nf64 *w\nalloc(w, 1)\ntake(w, a, 0)", "w is taken but has memory of its own"},
        {"f64 **a\ntake(x, a, 0)", "x is taken but has memory of its own"},
        {"i32 **a\nf64 *w\nkeep(a, 0, w)", "w is not of i32"},
        {"i32 **a\nf64 *w\ntake(w, a, 0)", "a is not of f64"},
        {"f64 **a\ntake(a, a, 0)", "an array that is declared is expected here"},
        {"f64 *a\nf64 *w\ntake(w, a, 0)", "an array of arrays that is declared is expected here"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reads_back), cmocka_unit_test(test_invariants),
        TEST(test_no_helper),  TEST(test_orders),
        TEST(test_failures),   TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
