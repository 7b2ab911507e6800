/* test_cuda.c - CUDA source against the interpreter, on a CPU and in several orders of threads; and
 * through compilers of CUDA, without a warning.
 *
 *     test_cuda emulator | nvrtc first | nvrtc every | NVCC first | NVCC every
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/emit/emit.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/optimize/pass.h"
#include "compiler/prelude/prelude.h"
#include "tests/gpu/cuda_compilers.h"
#include "tests/imperative/compile.h"
#include "tests/imperative/launch.h"
#include "tests/imperative/protect.h"
#include "tests/support/device.h"

enum { LENGTH = 256, KERNELS = 256, ORDERS = 3 };

/* Kernels in one file. */
struct batch {
    struct context *cx;
    struct text source;
    const struct imp_function *kernel[KERNELS];
    int n, functions; /* from here on: functions of complex numbers */
};

static const char *replaced(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    return at ? arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to,
                             replaced(cx, at + strlen(from), from, to))
              : text;
}

/* A kernel named f, with its helpers in front of it, after the passes; under a name of its own. */
static void add(struct batch *batch, const char *text)
{
    struct context *cx = batch->cx;
    const char *name = arena_printf(cx->arena, "kernel k%d(", batch->n);
    const struct imp_function *kernel = imp_parse(cx, replaced(cx, text, "kernel f(", name));
    if (!kernel)
        fail_msg("%s", diag_render(cx));
    kernel = imp_optimize(cx, kernel, &(struct pass_options){.checked = true});
    const char *source = emit_c(cx, kernel, &(struct emit_options){.cuda = true}, NULL);
    if (!source)
        fail_msg("%s", diag_render(cx));
    text_add(&batch->source, source);
    device_add_wrapper(&batch->source, kernel);
    assert_true(batch->n < KERNELS);
    batch->kernel[batch->n++] = kernel;
}

/* ---- the kernels ---- */

/* Atomic updates by this operator, with what was there before, if the type is of 8 bytes at most;
 * none, if there is no such operator, or its order matters. */
static void add_updates(struct batch *batch, enum type type, const char *op)
{
    struct context *cx = batch->cx;
    const char *t = type_name(type);
    bool whole = type_size(type) <= 8;
    const char *text =
        arena_printf(cx->arena,
                     "kernel f(const i32 n, const i32 blocks, const %s *v, %s *y, %s *z) {\n"
                     "    launch(2, 32) block, thread {\n"
                     "        i32 at = mod(thread, 3)\n"
                     "        atomic y[at] %s= v[thread]\n"
                     "        %s old = %s%s%s v[thread]\n"
                     "        atomic z[0] %s= old\n"
                     "    }\n"
                     "}\n",
                     t, t, t, op, t, whole ? "atomic y[at + 3] " : "", whole ? op : "",
                     whole ? "=" : "", type_is_complex(type) ? "+" : "max");
    struct imp_argument argument[5] = {{.value = value_int(TYPE_I32, LENGTH)},
                                       {.value = value_int(TYPE_I32, 2)}};
    const struct imp_function *kernel = imp_parse(cx, text);
    cx->diags.n = 0;
    if (!kernel)
        return;
    for (int i = 2; i < 5; i++) {
        argument[i].data = arena_alloc(cx->arena, LENGTH * type_size(type));
        argument[i].length = LENGTH;
        for (int k = 0; k < LENGTH; k++)
            value_store(value_convert(value_int(TYPE_I32, 1), type),
                        (char *)argument[i].data + (size_t)k * type_size(type));
    }
    bool has = whole || *op == '+' || *op == '-';
    if (has && !imp_interpret(cx, kernel, argument, NULL).fault)
        add(batch, text);
}

static const enum type types[] = {TYPE_F64,  TYPE_F32, TYPE_I32, TYPE_I64, TYPE_U32,
                                  TYPE_U64,  TYPE_I8,  TYPE_U8,  TYPE_I16, TYPE_U16,
                                  TYPE_BOOL, TYPE_C64, TYPE_C128};
enum { TYPES = sizeof types / sizeof *types };

static void add_every_update(struct batch *batch)
{
    static const char *const op[] = {"+", "-", "*", "min", "max", "and", "or", "xor"};
    for (int t = 0; t < TYPES; t++)
        for (size_t o = 0; o < sizeof op / sizeof *op; o++)
            add_updates(batch, types[t], op[o]);
    add(batch, LAUNCH_HEAD "    launch(2, 64) block, thread {\n"
                           "        atomic y[0] = y[0] > 40 ? y[0] : y[0] + 1\n"
                           "        atomic y[1] = 7\n"
                           "    }\n"
                           "}\n");
}

/* Every exchange of every type, by warps and by smaller teams; fills that are zero or not, copies,
 * results that are made. */
static void add_exchanges(struct batch *batch, enum type type)
{
    const char *text = "kernel f(const i32 n, const i32 blocks, const T *v, T *y, out T *z) {\n"
                       "    T *w\n"
                       "    alloc(w, n)\n"
                       "    fill(w, 3, 64, v[0])\n"
                       "    fill(w, 0, 3, 0)\n"
                       "    alloc(z, 64)\n"
                       "    launch(1, 64) block, thread {\n"
                       "        local T mine[2]\n"
                       "        T up = lane_up(v[thread], i64(3), 32)\n"
                       "        T across = lane_xor(v[thread], 1, 2)\n"
                       "        T at = lane_at(v[thread], mod(thread * 5, 8), 8)\n"
                       "        u32 who = ballot(mod(thread, 3) == 0, 16)\n"
                       "        mine[0] = up\n"
                       "        mine[1] = across\n"
                       "        barrier lanes(4)\n"
                       "        y[thread] = mine[mod(thread, 2)]\n"
                       "        y[thread + 64] = mod((i32)who, 2) == 0 ? at : w[thread]\n"
                       "        w[thread] = at\n"
                       "    }\n"
                       "    copy(z, 2, w, 0, 62)\n"
                       "    copy(z, 0, w, 30, 2)\n"
                       "    free(w)\n"
                       "}\n";
    struct context *cx = batch->cx;
    text = replaced(cx, text, "v[0])\n", type == TYPE_BOOL ? "true)\n" : "1)\n");
    text = type == TYPE_BOOL ? replaced(cx, text, "0, 3, 0)", "0, 3, false)") : text;
    text = replaced(cx, text, "const T ", arena_printf(cx->arena, "const %s ", type_name(type)));
    text = replaced(cx, text, " T ", arena_printf(cx->arena, " %s ", type_name(type)));
    add(batch, text);
}

/* The helpers in which threads meet. */
static void add_prelude(struct batch *batch)
{
    struct context *cx = batch->cx;
    static const char *const name[] = {"sum_team2",     "sum_team8",        "sum_team32",
                                       "sum_warp_row",  "sum_block_before", "sum_block_scan",
                                       "sum_block_list"};
    const enum type type = TYPE_F64, i32 = TYPE_I32;
    struct imp_helpers helpers = {0};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        imp_instantiate(cx, &prelude, name[i], &type, 1, &helpers);
    imp_instantiate(cx, &prelude, "find_by_warp", &i32, 1, &helpers);
    struct text text = text_new(cx->arena);
    for (size_t i = 0; i < helpers.n; i++)
        imp_print_alone(&text, helpers.at[i]);
    text_add(&text,
             LAUNCH_HEAD "    f64 *list\n"
                         "    alloc(list, n)\n"
                         "    copy(list, 0, x, 0, n)\n"
                         "    launch(1, 64) block, thread {\n"
                         "        shared f64 ends[33]\n"
                         "        sum_block_scan_f64(list, 0, (i64)n, 2, thread, 64, ends)\n"
                         "        f64 all = sum_block_list_f64(x, 0, (i64)n, thread, 64, ends)\n"
                         "        f64 two = sum_team2_f64(x[thread])\n"
                         "        f64 eight = sum_team8_f64(two)\n"
                         "        f64 warp = sum_team32_f64(eight)\n"
                         "        f64 row = sum_warp_row_f64(warp, (i64)thread / 5, thread)\n"
                         "        i64 found = find_by_warp_i32(crd, 0, (i64)n, 5, thread)\n"
                         "        y[thread] = row + all + (f64)found\n"
                         "        barrier\n"
                         "        for (i32 i = 64 + thread; i < n; i += 64) {\n"
                         "            y[i] = list[i]\n"
                         "        }\n"
                         "    }\n"
                         "    free(list)\n"
                         "}\n");
    add(batch, text.at);
}

/* What C has other words for, or a small function, in a launch and around it. */
static void add_numbers(struct batch *batch)
{
    add(batch, "i32 sign_of(f64 v) {\n"
               "    return v > 0 ? 1 : v < 0 ? -1 : 0\n"
               "}\n"
               "kernel f(const i32 n, const i32 blocks, const i32 *crd, const f64 *x, f64 *y) {\n"
               "    i32 stream = n / blocks\n"
               "    launch(mod(stream, 7) + 1, 32) block, thread {\n"
               "        i32 by = crd[thread]\n"
               "        f64 v = x[thread] - 3.5\n"
               "        if (block == 0) {\n"
               "            y[thread] = (f64)(stream / by) + (f64)mod(stream, by)\n"
               "            y[thread + 32] = min(v, 0.5) + max(v, sqrt(abs(v)))\n"
               "            y[thread + 64] = v > 3 ? inf : v < -3 ? nan : floor(v)\n"
               "            y[thread + 96] = (f64)(i32)(v * 1000000000) + (f64)sign_of(v)\n"
               "            y[thread + 128] = (f64)shl(by, 3) + (f64)xor(by, 5) + (f64)(u8)by\n"
               "            y[thread + 128] += (f64)ctz(by) + (f64)popcount(xor(by, 5))\n"
               "        }\n"
               "    }\n"
               "    if (sign_of((f64)n) == 0) {\n"
               "        fail 2\n"
               "    }\n"
               "}\n");
}

/* What may fail first, and declares what it gives. */
static void add_fetch_first(struct batch *batch)
{
    add(batch, LAUNCH_HEAD "    fetch i32 first = crd[1]\n"
                           "    f64 *w\n"
                           "    alloc(w, first + 1)\n"
                           "    launch(1, 32) block, thread {\n"
                           "        if (thread == first) {\n"
                           "            w[thread] = x[thread]\n"
                           "            y[0] = w[thread]\n"
                           "        }\n"
                           "    }\n"
                           "    free(w)\n"
                           "}\n");
}

/* ---- functions of complex numbers ---- */

/* Of a type T; O is the other one. */
static const char *const functions[] = {"sqrt(v)",
                                        "exp(v)",
                                        "log(v)",
                                        "sin(v)",
                                        "cos(v)",
                                        "tan(v)",
                                        "sinh(v)",
                                        "cosh(v)",
                                        "tanh(v)",
                                        "v * w",
                                        "v / w",
                                        "pow(v, w)",
                                        "(T)abs(v)",
                                        "-v - w",
                                        "conj(v)",
                                        "v * (1,-2)",
                                        "(T)(real(v) * imag(v))",
                                        "(T)(O)v",
                                        "v == w ? v : w",
                                        "v != 0 ? w : v",
                                        "v / 0",
                                        "v + 3"};
/* In all pairs they are the parts of a number. */
static const double parts[] = {0,    -0.0, 0.3,    -1.75,    3.125,    0.9375,    20.5,
                               -9.5, 600,  -1e-30, 0x1p-140, INFINITY, -INFINITY, NAN};
enum {
    FUNCTIONS = sizeof functions / sizeof *functions,
    PARTS = sizeof parts / sizeof *parts,
    NUMBERS = PARTS * PARTS
};

static void add_function(struct batch *batch, const char *function, enum type type)
{
    struct context *cx = batch->cx;
    const char *text = arena_printf(cx->arena,
                                    "kernel f(const T *x, const T *y, T *z) {\n"
                                    "    launch(7, 32) block, thread {\n"
                                    "        i32 i = block * 32 + thread\n"
                                    "        if (i < %d) {\n"
                                    "            T v = x[i]\n            T w = y[i]\n"
                                    "            z[i] = %s\n        }\n    }\n}\n",
                                    (int)NUMBERS, function);
    text = replaced(cx, text, "T", type == TYPE_C64 ? "c64" : "c128");
    add(batch, replaced(cx, text, "O", type == TYPE_C64 ? "c128" : "c64"));
}

static struct batch *new_batch(struct context *cx)
{
    static const char *const every[] = {LAUNCH_EVERY};
    struct batch *batch = arena_make(cx->arena, struct batch);
    batch->cx = cx;
    batch->source = text_new(cx->arena);
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        add(batch, every[i]);
    add_prelude(batch);
    add_numbers(batch);
    add_fetch_first(batch);
    for (int t = 0; t < TYPES; t++)
        add_exchanges(batch, types[t]);
    add_every_update(batch);
    batch->functions = batch->n;
    for (int f = 0; f < FUNCTIONS; f++)
        for (int single = 0; single < 2; single++)
            add_function(batch, functions[f], single ? TYPE_C64 : TYPE_C128);
    return batch;
}

/* ---- on a CPU ---- */

/* Numbers of the parameter's type: small ones, and 0 of what is written. */
static struct imp_argument *arguments(struct context *cx, const struct imp_function *kernel, int n)
{
    struct imp_argument *argument = arena_array(cx->arena, struct imp_argument, kernel->params);
    bool makes = kernel->param[kernel->params - 1].out;
    argument[0].value = value_int(TYPE_I32, n);
    argument[1].value = value_int(TYPE_I32, 2);
    for (int i = 2; i < kernel->params; i++) {
        const struct imp_var *var = kernel->param[i].var;
        if (kernel->param[i].out)
            continue;
        argument[i].length = n;
        argument[i].data = arena_alloc(cx->arena, LENGTH * type_size(var->type));
        for (int k = 0; k < n; k++) {
            int number = !var->constant           ? i == 4 && kernel->params == 5
                         : strcmp(var->name, "v") ? k * 5 % 8
                         : makes                  ? 1 + k % 2
                                                  : 2; /* so that the last old one is one */
            value_store(value_convert(value_int(TYPE_I32, number), var->type),
                        (char *)argument[i].data + (size_t)k * type_size(var->type));
        }
    }
    return argument;
}

static int length_of(const struct imp_function *kernel)
{
    for (int i = 0; i < kernel->params; i++)
        if (!strcmp(kernel->param[i].var->name, "v"))
            return 128;
    return LENGTH;
}

/* All pairs of parts, and the same in another order. */
static struct imp_argument *numbers(struct context *cx, const struct imp_function *kernel)
{
    struct imp_argument *argument = arena_array(cx->arena, struct imp_argument, 3);
    enum type type = kernel->param[0].var->type;
    for (int i = 0; i < 3; i++) {
        argument[i].length = NUMBERS;
        argument[i].data = arena_alloc(cx->arena, NUMBERS * type_size(type));
        for (int k = 0; k < NUMBERS && i < 2; k++) {
            int at = i == 0 ? k : k * 59 % NUMBERS;
            value_store(value_complex(type, parts[at / PARTS], parts[at % PARTS]),
                        (char *)argument[i].data + (size_t)k * type_size(type));
        }
    }
    return argument;
}

static bool is_near(double a, double b, double scale, enum type type)
{
    double rounding = type == TYPE_C64 ? 2e-4 * scale + 0x1p-149 : 1e-14 * scale;
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= rounding;
}

/* Nearly: libraries round as they like, and C leaves signs beside a NaN open. */
static void expect_near(struct batch *batch, void *library, const struct imp_function *kernel)
{
    struct context *cx = batch->cx;
    struct imp_argument *expected = numbers(cx, kernel), *found = numbers(cx, kernel);
    enum type type = kernel->param[0].var->type;
    assert_null(imp_interpret(cx, kernel, expected, NULL).fault);
    assert_int_equal(compile_run(library, kernel, found), 0);
    for (int k = 0; k < NUMBERS; k++) {
        struct value value[4];
        for (int i = 0; i < 4; i++)
            value[i] = value_load(type, (const char *)(i < 3 ? expected[i].data : found[2].data)
                                            + (size_t)k * type_size(type));
        struct value a = value[2], b = value[3];
        double size = hypot(a.c.re, a.c.im);
        bool same = is_near(a.c.re, b.c.re, size, type) && is_near(a.c.im, b.c.im, size, type);
        if (!same)
            fail_msg("%s of (%g,%g), (%g,%g): (%g,%g), not (%g,%g)", kernel->name, value[0].c.re,
                     value[0].c.im, value[1].c.re, value[1].c.im, b.c.re, b.c.im, a.c.re, a.c.im);
    }
}

/* An array of c128 that is aligned as C's would make the kernel's loads fault. */
static void expect_misaligned(void *library, const struct imp_function *kernel)
{
    enum { MISALIGNED_ADDRESS = 716 };
    static _Alignas(16) char bytes[NUMBERS * 16 + 8];
    assert_int_equal(kernel->param[0].var->type, TYPE_C128);
    for (int off = 0; off < 3; off++) {
        struct imp_argument argument[3];
        for (int i = 0; i < 3; i++)
            argument[i] =
                (struct imp_argument){.data = bytes + (i == off ? 8 : 0), .length = NUMBERS};
        assert_int_equal((int)compile_run(library, kernel, argument), -MISALIGNED_ADDRESS);
    }
}

static void expect_same(struct batch *batch, void *library, const struct imp_function *kernel,
                        int n)
{
    struct context *cx = batch->cx;
    struct imp_argument *expected = arguments(cx, kernel, n), *found = arguments(cx, kernel, n);
    struct imp_run run = imp_interpret(cx, kernel, expected, NULL);
    if (run.fault)
        fail_msg("%s", run.fault);
    assert_int_equal(compile_run(library, kernel, found), run.status);
    for (int i = 2; i < kernel->params; i++) {
        size_t size = type_size(kernel->param[i].var->type) * (size_t)expected[i].length;
        if (memcmp(expected[i].data, found[i].data, size) != 0)
            fail_msg("%s: %s is another", kernel->name, kernel->param[i].var->name);
        if (kernel->param[i].out) {
            free(expected[i].data);
            free(found[i].data);
        }
    }
}

static void test_emulator(void **state)
{
    struct batch *batch = new_batch(*state);
    PROTECT(batch->cx);
    static const struct compiler compiler = {"g++", "-x c++ -std=c++17"};
    /* without sanitizers: this program may have those of another compiler */
    const char *flags = arena_printf(
        batch->cx->arena,
        "-include %s/tests/gpu/cuda_on_cpu.h -Wno-unused-function -Wno-unknown-pragmas",
        getenv("SPCC_SOURCE"));
    void *library = compile_library(&compiler, batch->source.at, flags);
    assert_non_null(library);
    uint64_t *seed = dlsym(library, "cpu_seed");
    assert_non_null(seed);
    for (int order = 0; order < ORDERS; order++) {
        *seed = (uint64_t)(order * 17);
        for (int k = 0; k < batch->functions; k++)
            expect_same(batch, library, batch->kernel[k], length_of(batch->kernel[k]));
    }
    for (int k = batch->functions; k < batch->n; k++)
        expect_near(batch, library, batch->kernel[k]);
    expect_misaligned(library, batch->kernel[batch->functions]);
}

static void test_refused(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const struct {
        const char *text, *what;
    } refused[] = {
        {"kernel f(const i32 n, f64 *y) {\n    y[0] = (f64)n\n}\n",
         "a kernel that touches memory and launches nothing"},
        {"kernel f(const i32 n, c128 *y) {\n    launch(n, 32) block, thread {\n"
         "        atomic y[0] *= (1,2)\n    }\n}\n",
         "an update by several threads of 16 bytes at once"},
        {"kernel f(const i32 n, c128 *y) {\n    launch(n, 32) block, thread {\n"
         "        c128 old = atomic y[0] += (1,2)\n    }\n}\n",
         "an update by several threads of 16 bytes at once"},
        {"kernel f(const i32 n, out f64 *y) {\n    alloc(y, n)\n    resize(y, 2 * n)\n"
         "    launch(n, 32) block, thread {\n        atomic y[0] += 1\n    }\n}\n",
         "an array that grows"},
        {"kernel f(const i32 n, f64 *y) {\n    launch(n, 32) block, thread {\n"
         "        atomic y[0] += 1\n    }\n    copy(y, 0, y, 1, n)\n}\n",
         "elements that move within an array"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct imp_function *kernel = imp_parse(cx, refused[i].text);
        if (!kernel)
            fail_msg("%s", diag_render(cx));
        assert_null(emit_c(cx, kernel, &(struct emit_options){.cuda = true}, NULL));
        const char *found = diag_render(cx);
        if (!strstr(found, arena_printf(cx->arena, "no CUDA code for %s", refused[i].what)))
            fail_msg("%s", found);
        cx->diags.n = 0;
    }
}

/* Of a `restrict` pointer nvcc keeps an element in a register across a barrier, whatever other
 * threads store there. */
static void test_restrict(void **state)
{
    struct context *cx = *state;
    static const char *const barrier[] = {"", "barrier\n", "barrier lanes(32)\n",
                                          "sum_there(y, thread)\n"};
    PROTECT(cx);
    for (size_t i = 0; i < sizeof barrier / sizeof *barrier; i++) {
        const struct imp_function *kernel = imp_parse(
            cx, arena_printf(cx->arena,
                             "void sum_there(i32 *list, i32 thread) {\n    barrier\n"
                             "    list[thread] += 1\n}\n\n"
                             "kernel f(const i32 n, const i32 *x, i32 *y) {\n"
                             "    launch(n, 32) block, thread {\n        y[thread] = x[thread]\n"
                             "        %s        y[thread] += y[0]\n    }\n}\n",
                             barrier[i]));
        if (!kernel)
            fail_msg("%s", diag_render(cx));
        const char *source = emit_c(cx, kernel, &(struct emit_options){.cuda = true}, NULL);
        assert_non_null(source);
        const char *launch = strstr(source, "f_block(");
        assert_non_null(launch);
        assert_memory_equal(launch, "f_block(const int32_t *__restrict__ x", 37);
        assert_null(strstr(source, "__restrict__ list"));
        const char *y = strstr(launch, i == 0 ? "int32_t *__restrict__ y" : "int32_t *y");
        assert_true(y && y < strchr(launch, '{'));
    }
}

/* ---- through compilers of CUDA ---- */

static struct nvrtc nvrtc;
static const char *nvcc, *which;

static void test_compiler(void **state)
{
    struct batch *batch = new_batch(*state);
    bool every = strcmp(which, "every") == 0;
    PROTECT(batch->cx);
    if (nvcc)
        nvcc_expect(nvcc, batch->cx->arena, batch->source.at, every);
    else
        nvrtc_expect(&nvrtc, batch->cx->arena, batch->source.at, every);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest emulator[] = {TEST(test_emulator), TEST(test_refused),
                                          TEST(test_restrict)},
                            compile[] = {TEST(test_compiler)};
    if (argc == 2 && !strcmp(argv[1], "emulator"))
        return cmocka_run_group_tests_name("emulator", emulator, NULL, NULL);
    if (argc != 3)
        return 2;
    nvcc = strcmp(argv[1], "nvrtc") ? argv[1] : NULL;
    which = argv[2];
    int absent = nvcc ? 0 : nvrtc_open(&nvrtc);
    return absent ? absent : cmocka_run_group_tests_name("compiler", compile, NULL, NULL);
}
