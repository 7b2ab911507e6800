/* test_parse.c - imperative IR from text: what is printed reads back and computes the same;
 * mistakes have a place; helpers are made for the types that they are called with.
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
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

enum { PROGRAMS = 400 };

static const char *print(struct context *cx, const struct imp_function *function)
{
    struct text out = text_new(cx->arena);
    imp_print(&out, function);
    return out.at;
}

/* ---- what is printed reads back ---- */

static const struct imp_function *read_back(struct context *cx, const struct imp_function *function)
{
    const char *text = print(cx, function);
    const struct imp_function *again = imp_parse(cx, text);
    if (!again)
        fail_msg("%s\n%s", diag_render(cx), text);
    const char *got = print(cx, again);
    size_t same = 0;
    while (text[same] && got[same] == text[same])
        same++;
    if (got[same] != text[same])
        fail_msg("%.60s ... differs from %.60s ... in %s", got + same, text + same, text);
    return again;
}

static void test_programs(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int t = 0; t < TYPE_COUNT; t++) {
        enum type type = (enum type)t;
        read_back(cx, program_spmv(cx, type));
        read_back(cx, program_spmm(cx, type, t));
        read_back(cx, program_mttkrp(cx, type, 0));
        read_back(cx, program_merge(cx, type));
        read_back(cx, program_dot(cx, type, OP_ADD));
    }
    read_back(cx, program_search(cx));
    read_back(cx, program_sorted(cx));
}

/* Both run on copies of the same arguments. */
static void check_same_run(struct context *cx, struct rng *rng, const struct imp_function *a,
                           const struct imp_function *b)
{
    struct imp_argument *x = random_arguments(rng, a), *y = copy_arguments(a, x);
    struct imp_run before = imp_interpret(cx, a, x, NULL), after = imp_interpret(cx, b, y, NULL);
    assert_null(before.fault);
    assert_null(after.fault);
    assert_int_equal(before.status, after.status);
    assert_memory_equal(&before.counts, &after.counts, sizeof before.counts);
    assert_true(same_results(a, x, y));
    free_arguments(a, x);
    free_arguments(a, y);
}

static void check_program(struct context *cx, uint64_t seed)
{
    struct rng rng = {seed};
    PROTECT(cx);
    const struct imp_function *program = random_program(cx, &rng, "f");
    check_same_run(cx, &rng, program, read_back(cx, program));
    const struct imp_function *simple = imp_simplify(cx, program);
    check_same_run(cx, &rng, simple, read_back(cx, simple));
}

static void test_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        struct context *cx = context_new();
        check_program(cx, seed);
        context_free(cx);
    }
}

static void test_vectors(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        struct rng rng = {seed};
        const struct imp_function *loops = random_loops(cx, &rng, "f", (enum loops_kind)(seed % 3));
        read_back(cx, imp_vectorize(cx, imp_simplify(cx, loops), VECTORS(16 << seed % 3)));
    }
}

/* Where variables have the names of words, and numbers do not say what they are. */
static void test_corners(void **state)
{
    static const char *const text[] = {
        "kernel f(i32 if, i32 *fill) {\n    for (i32 while = 0; while < if; while += 2) {\n        "
        "fill[while] min= -1\n"
        "        i32 return = -(if + 1) - -3\n        return = return * (i32)i64(-5)\n        "
        "return = -i32(5)\n    }\n}\n",
        "kernel f(i32 i8, f64 *x) {\n    i32 break = i8 > 1 ? 2 : 3\n    break += (i32)(i8 < "
        "break)\n"
        "    x[i32(0)] = i8 == 2 ? -inf : x[1]\n    x[1] = f64(nan) + 0\n    {\n        break = "
        "7\n    }\n    fail 2\n}\n",
        "kernel f(i32 capacity, out i32 *z) {\n    capacity i64 full = (i64)capacity\n    "
        "alloc(z, full)\n    capacity += 1\n    fill(z, 0, full, capacity)\n}\n",
        "kernel f(out c64 *z, const f32 *x, i64 n) {\n    alloc(z, n + 2)\n    z[0] = (1,-2) * "
        "z[1]\n    resize(z, n)\n"
        "    f32x4 v = x[n .. +4]\n    v += broadcast4(0.5)\n    f32x4 w = v + {x[0], 1, x[n], "
        "-0}\n"
        "    w -= shuffle(v, w * w, 0, 4, 7, 3)\n"
        "    if (in_line(z, n + 1, 64) == 0) {\n        stream z[n] = (c64)v[1]\n    }\n"
        "    z[1] max= (c64)w[2]\n}\n",
        "kernel f(i32 n, const i32 *pos, f64 *x) {\n    [row 2, start 3] fill(x, 0, n, 0)\n"
        "    [ordered, reduces_row 2, start 3, most 7, multiple 4] for (i32 apart = 0; apart < n; "
        "apart++) "
        "{\n        [apart, row 2, in_row, unroll(j, 4), vectorize(j)] for (i32 row = 0; row < n; "
        "row++) {\n            [rare] if (n > 3) {\n                break\n            } else {\n  "
        " "
        "             [rare] if (n > 4) {\n                    fail 2\n                }\n         "
        "   }\n        }\n    }\n    [reduces, last pos[n], compact, ascends pos, "
        "try_vectorize(p)] while (n > "
        "3) "
        "{\n        n += 1\n    }\n    [] if (n > 1) {\n        n = 2\n    }\n}\n",
        "// What comes next.\nbool g(const i32 *p, i64 n) {\n    if (p[n] > 0) {\n        return "
        "true\n"
        "    } else if (p[n] == -3) {\n        return false\n    } else {\n        return (p[n] < "
        "7) == false\n    }\n}\n\n"
        "kernel f(i32 *x) {\n    // a remark, with blanks  \n    while (g(x, 3)) {\n        "
        "break\n    }\n    free\n}\n",
    };
    struct context *cx = *state;
    PROTECT(cx);
    for (size_t i = 0; i + 1 < sizeof text / sizeof *text; i++) {
        const struct imp_function *f = imp_parse(cx, text[i]);
        if (i == 3) { /* there is no maximum of complex numbers */
            assert_null(f);
            assert_non_null(strstr(diag_render(cx), "there is no max="));
            continue;
        }
        if (!f)
            fail_msg("%s", diag_render(cx));
        assert_string_equal(print(cx, f), text[i]);
    }
}

/* ---- mistakes ---- */

/* In a kernel f(i32 n, f64 *x, const i32 *crd), behind a helper g(i32 i): the message, and where it
 * points to. */
static void test_mistakes(void **state)
{
    static const struct {
        const char *body, *at, *message;
    } mistake[] = {
        {"y = 1", "y", "y is not declared here"},
        {"n = m", "m", "m is not declared here"},
        {"n = 1.5", "1.5", "1.5 is no i32"},
        {"n = 5000000000", "5000000000", "is no i32"},
        {"n = x[0]", "x", "i32 is expected here, not f64: convert with (i32)"},
        {"x[0] = x[1] + n", "+", "+ takes f64 here, not i32: convert with (f64)"},
        {"x[0] = sqrt(n)", "sqrt", "sqrt takes f64 here"},
        {"x[0] = abs(1)", "1", "nothing says the type of 1 here: write it as i64(1)"},
        {"x[0] = abs(n > 0 ? 1 : 2)", "1", "nothing says the type of 1 here"},
        {"[apart] x[0] = 1", "x", "a loop, a fill or an if is expected here"},
        {"[rare] [rare] if (n > 1) {\n}", "[rare] if", "a loop, a fill or an if is expected here"},
        {"[fast] n = 1", "fast", "what is known of a statement is expected here"},
        {"[last x[0]] fill(x, 0, 1, 0)", "x", "an integer is expected here, not f64"},
        {"[most -1] fill(x, 0, 1, 0)", "-", "a whole number up to"},
        {"x[x[0]] = 1", "x", "an integer is expected here, not f64"},
        {"if (n) {\n}", "n", "bool is expected here, not i32"},
        {"if (n > 0) n = 1", "n", "{ is expected here"},
        {"for (f64 i = 0; i < n; i++) {\n}", "f64", "an integer type is expected here"},
        {"for (i32 i = 0; j < n; i++) {\n}", "j", "i is expected here"},
        {"for (i32 i = 0; i < n; i += 0) {\n}", "0", "a step forward is expected here"},
        {"n = 1 n = 2", "n", "the end of the statement is expected here"},
        {"n +", "n", "a statement is expected here"},
        {"n", "n", "a statement is expected here"},
        {"n = (1", "}", ") is expected here"},
        {"n = min(1, 2, 3)", "min", "min takes 2 operands, not 3"},
        {"n = min(1)", "min", "min takes 2 operands, not 1"},
        {"n = g(x)", ")", "[ is expected here"},
        {"n = h(1)", "h", "there is no function h before this one"},
        {"g(1)", "g", "g gives a value, which nothing takes"},
        {"i32 n = 1", "n", "n is declared already"},
        {"i32 inf = 1", "inf", "a name for a variable is expected here"},
        {"x = n", "x", "x is used as what it is not"},
        {"n[0] = 1", "n", "n is used as what it is not"},
        {"fail 9", "9", "a whole number up to 6 is expected here"},
        {"fail 0", "0", "the status of a failure is expected here"},
        {"f64x4 v = broadcast4(1)\n n = v[4]", "[", "there is no lane 4 of 4"},
        {"f64x4 v = broadcast2(1)", "v", "v is declared with another value"},
        {"f64x4 v = {1}", "1", "nothing says the type of 1"},
        {"n = shuffle(n, n, 0, 1)", "shuffle", "shuffle takes two vectors that are alike"},
        {"f64x2 v = shuffle(x[0 .. +2], x[0 .. +4], 0, 1)", "shuffle",
         "shuffle takes two vectors that are alike"},
        {"f64x2 v = shuffle(x[0 .. +2], x[0 .. +2], 0, 4)", "4",
         "a whole number up to 3 is expected here"},
        {"f64x2 v = shuffle(x[0 .. +2], x[0 .. +2], 1)", "shuffle",
         "a vector has two lanes or more"},
        {"x[0 .. +4] = 1", "x", "1 lanes are stored in 4"},
        {"stream n = 1", "n", "an element of an array is expected here"},
        {"stream x[0] += 1", "x", "what is streamed is not combined"},
        {"n = in_line(n, 0, 64)", "n", "an array that is declared is expected here"},
        {"x[0] and= 1", "and=", "there is no and= of f64"},
        {"return", "return", "a return in a kernel"},
        {"\x01", "\x01", "a statement is expected here"},
        {"break", NULL, "f: a break outside loops"},
        {"crd[0] = 1", NULL, "f: crd is a constant array that is written"},
    };
    for (size_t i = 0; i < sizeof mistake / sizeof *mistake; i++) {
        struct context *cx = context_new();
        (void)state;
        PROTECT(cx);
        const char *text = arena_printf(cx->arena,
                                        "i32 g(i32 i) {\n    return i\n}\n\nkernel f(i32 n, f64 "
                                        "*x, const i32 *crd) {\n    %s\n}\n",
                                        mistake[i].body);
        assert_null(imp_parse(cx, text));
        assert_int_equal(cx->diags.n, 1);
        const struct diag *diag = &cx->diags.at[0];
        if (!strstr(diag->message, mistake[i].message))
            fail_msg("%s: %s", mistake[i].body, diag->message);
        size_t length = mistake[i].at ? strlen(mistake[i].at) : 0;
        if (length
            && (memcmp(text + diag->span.begin, mistake[i].at, 1) != 0 || diag->span.begin < 50))
            fail_msg("%s", diag_render(cx));
        context_free(cx);
    }
}

static void test_nesting_ends(void **state)
{
    enum { DEEP = 100000 };
    static const char *const opens[] = {"(", "-", "if (true) {\n", "x[", "i32(", "{"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        struct context *cx = context_new();
        (void)state;
        PROTECT(cx);
        struct text text = text_new(cx->arena);
        text_add(&text, "kernel f(i32 *x) {\n    ");
        text_add(&text, opens[i][0] == 'i' ? "" : "x[0] = ");
        for (int k = 0; k < DEEP; k++)
            text_add(&text, opens[i]);
        assert_null(imp_parse(cx, text.at));
        assert_int_equal(cx->diags.n, 1);
        context_free(cx);
    }
}

/* ---- helpers with types as parameters ---- */

static const struct imp_definition definition[] = {
    {"least", "// The least of key[0, n), which is not empty.\nT least<T>(const T *key, i64 n) {\n "
              "   T found = key[0]\n"
              "    for (i64 p = 1; p < n; p++) {\n        found = smaller<T>(found, key[p])\n    "
              "}\n    return found\n}\n"},
    {"smaller", "T smaller<T>(T a, T b) {\n    return min(a, b)\n}\n"},
    {"wrong", "i64 wrong<T>(T a) {\n    return a\n}\n"},
};

static void test_types_as_parameters(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_library library = {definition, 3};
    struct imp_helpers helpers = {0};
    enum type i32 = TYPE_I32, u8 = TYPE_U8, i64 = TYPE_I64;
    const struct imp_function *least = imp_instantiate(cx, &library, "least", &i32, 1, &helpers);
    assert_non_null(least);
    assert_string_equal(
        print(cx, least),
        "// The least of key[0, n), which is not empty.\n"
        "i32 least_i32(const i32 *key, i64 n) {\n    i32 found = key[0]\n"
        "    for (i64 p = 1; p < n; p++) {\n        found = smaller_i32(found, key[p])\n    }\n"
        "    return found\n}\n");
    assert_ptr_equal(imp_instantiate(cx, &library, "least", &i32, 1, &helpers), least);
    assert_int_equal(helpers.n, 2);
    assert_ptr_equal(helpers.at[1], least);
    assert_string_equal(imp_instantiate(cx, &library, "least", &u8, 1, &helpers)->name, "least_u8");
    assert_int_equal(helpers.n, 4);
    assert_non_null(imp_instantiate(cx, &library, "wrong", &i64, 1, &helpers));
    assert_null(imp_instantiate(cx, &library, "most", &i64, 1, &helpers));
    assert_int_equal(cx->diags.n, 0);
    assert_null(imp_instantiate(cx, &library, "wrong", &i32, 1, &helpers));
    assert_non_null(strstr(diag_render(cx), "wrong: i64 is expected here, not i32"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_programs),
        cmocka_unit_test(test_random_programs),
        TEST(test_vectors),
        TEST(test_corners),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nesting_ends),
        TEST(test_types_as_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
