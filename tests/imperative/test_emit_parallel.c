/* test_emit_parallel.c - parallel loops in C against the interpreter: by every compiler, with
 * OpenMP and without it, without warnings; atomic updates of every type; memory that runs out.
 *
 *     test_imperative_emit_parallel [every]
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/emit/emit.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/compile.h"
#include "tests/imperative/parallel.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

enum { KERNELS = 200 };

struct batch {
    struct context *cx;
    struct text source;
    const struct imp_function *kernel[KERNELS];
    int kernels;
};

static void add_kernel(struct batch *batch, const char *text, bool iso)
{
    const struct imp_function *kernel = imp_parse(batch->cx, text);
    if (!kernel)
        fail_msg("%s", diag_render(batch->cx));
    kernel = imp_simplify(batch->cx, imp_hoist(batch->cx, kernel, NULL));
    text_add(&batch->source, emit_c(batch->cx, kernel, &(struct emit_options){.iso = iso}, NULL));
    text_add(&batch->source, compile_wrapper(batch->cx, kernel));
    assert_true(batch->kernels < KERNELS);
    batch->kernel[batch->kernels++] = kernel;
}

static struct batch *new_batch(struct context *cx)
{
    struct batch *batch = arena_make(cx->arena, struct batch);
    batch->cx = cx;
    batch->source = text_new(cx->arena);
    text_add(&batch->source, compile_prologue());
    return batch;
}

/* ---- runs ---- */

/* n elements in parts, numbers below n, small elements: what comes of them is exact. */
static struct imp_argument *arguments(struct rng *rng, const struct imp_function *kernel)
{
    struct imp_argument *argument = random_arguments(rng, kernel);
    argument[0].value = value_int(TYPE_I32, RANDOM_ELEMENTS);
    argument[1].value = value_int(TYPE_I32, 1 + (int)rng_below(rng, 6));
    for (int i = 0; i < RANDOM_ELEMENTS; i++) {
        ((int32_t *)argument[2].data)[i] = (int32_t)rng_below(rng, RANDOM_ELEMENTS);
        for (int k = 3; k < 5; k++) {
            enum type type = kernel->param[k].var->type;
            value_store(value_convert(value_int(TYPE_I32, 1 + (int)rng_below(rng, 2)), type),
                        (char *)argument[k].data + (size_t)i * type_size(type));
        }
    }
    if (strcmp(kernel->name, "fails") == 0 && rng_percent(rng, 60))
        ((double *)argument[3].data)[rng_below(rng, RANDOM_ELEMENTS)] =
            rng_percent(rng, 50) ? 600 : 2000;
    return argument;
}

/* The same status and results as the interpreter's, in another order. */
static void check(const struct batch *batch, void *library, int k, uint64_t seed)
{
    const struct imp_function *kernel = batch->kernel[k];
    struct rng rng = {seed};
    struct imp_argument *expected = arguments(&rng, kernel),
                        *got = copy_arguments(kernel, expected);
    struct imp_run run =
        imp_interpret(batch->cx, kernel, expected, &(struct imp_options){.order = seed});
    if (run.fault)
        fail_msg("%s: %s", kernel->name, run.fault);
    assert_int_equal(compile_run(library, kernel, got), run.status);
    for (int i = 0; i < kernel->params; i++)
        got[i].length = expected[i].length;
    if (run.status == STATUS_OK && !same_results(kernel, expected, got))
        fail_msg("%s computes something else", kernel->name);
    free_arguments(kernel, expected);
    free_arguments(kernel, got);
}

static void verify(const struct batch *batch, void *library)
{
    for (int k = 0; k < batch->kernels; k++)
        for (uint64_t seed = 0; seed < 20; seed++)
            check(batch, library, k, seed);
}

/* Can this compiler make libraries with OpenMP here? */
static bool has_openmp(const struct compiler *compiler)
{
    char command[300];
    snprintf(command, sizeof command,
             "echo '#include <omp.h>' | %s %s -fopenmp -shared -fPIC %s - -o /dev/null 2>/dev/null",
             compiler->name, compiler->language, strstr(compiler->language, "-x") ? "" : "-x c");
    return system(command) == 0;
}

/* By the chosen compilers, at most so many. */
static void for_compilers(const struct batch *batch, int most)
{
    for (const struct compiler *compiler = compilers; compiler->name && most > 0; compiler++) {
        most -= compiler_is_chosen(compiler);
        for (int openmp = 0; openmp < 2 && compiler_is_chosen(compiler); openmp++) {
            if (openmp && !has_openmp(compiler)) {
                print_message("%s has no OpenMP here\n", compiler->name);
                continue;
            }
            void *library = compile_library(compiler, batch->source.at,
                                            openmp ? "-Wshadow -fopenmp" : "-Wshadow");
            assert_non_null(library);
            verify(batch, library);
            if (!openmp) /* a runtime's threads would be left without code */
                dlclose(library);
        }
    }
}

static void test_programs(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int iso = 0; iso < 2; iso++) {
        struct batch *batch = new_batch(cx);
        for (int i = 0; i < PARALLEL_PROGRAMS; i++)
            add_kernel(batch, parallel_program[i], iso);
        for_compilers(batch, iso ? 1 : KERNELS);
    }
}

/* ---- names ---- */

/* What kernels of one file have besides themselves: functions, and what keeps threads apart. */
static void test_names(void **state)
{
    static const char *const others[] = {"k", "k_part", "k_part_2", "k_grow_y", NULL};
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    for (int i = 0; others[i]; i++) {
        const struct imp_function *kernel = imp_parse(
            cx, arena_printf(cx->arena,
                             "kernel %s(const i32 n, const i32 parts, i32 *y, c64 *z) {\n"
                             "    parallel for (i32 part = 0; part < parts; part++) {\n"
                             "        atomic z[0] += z[1]\n"
                             "    }\n"
                             "    parallel for (i32 part_2 = 0; part_2 < parts; part_2++) {\n"
                             "        atomic y[0] += n\n    }\n}\n",
                             others[i]));
        assert_non_null(kernel);
        const char *source = emit_c(cx, kernel, &(struct emit_options){.others = others}, NULL);
        text_add(&batch->source, source);
        text_add(&batch->source, compile_wrapper(cx, kernel));
        assert_null(strstr(source, "omp critical(k)"));
        if (i == 0) {
            assert_non_null(strstr(source, "static void k_2_part(int32_t part"));
            assert_non_null(strstr(source, "static void k_2_part_2("));
            assert_non_null(strstr(source, "critical(k_update)"));
        }
    }
    assert_non_null(compile_library(&compilers[0], batch->source.at, ""));
}

/* ---- atomic updates ---- */

static const char *atomic_kernel(struct context *cx, enum type type, const char *name,
                                 const char *update)
{
    return arena_printf(cx->arena,
                        "kernel %s_%s(const i32 n, const i32 parts, const i32 *crd, const %s *x, "
                        "%s *y) {\n    parallel(dynamic) for (i32 part = 0; part < parts; part++) "
                        "{\n" PARALLEL_SHARE "        for (i32 i = begin; i < end; i++) {\n"
                        "            atomic y[crd[i]] %s\n        }\n    }\n}\n",
                        name, type_name(type), type_name(type), type_name(type), update);
}

static void add_updates(struct batch *batch, bool iso)
{
    struct context *cx = batch->cx;
    for (int t = 0; t < TYPE_COUNT; t++) {
        enum type type = (enum type)t;
        for (int o = 0; o < OP_COUNT; o++) {
            const enum type operand[] = {type, type};
            enum op op = (enum op)o;
            bool fits = op_arity(op) == 2 && op_accepts(op, operand)
                        && op_result_type(op, operand) == type && op_commutative(op)
                        && op_associative(op);
            if (fits)
                add_kernel(batch,
                           atomic_kernel(cx, type, arena_printf(cx->arena, "update%d", o),
                                         arena_printf(cx->arena, "%s= x[i]", op_name(op))),
                           iso);
        }
        if (type != TYPE_BOOL)
            add_kernel(batch, atomic_kernel(cx, type, "both", "= x[i] + (y[crd[i]] + x[i])"), iso);
    }
}

/* By one compiler, unless all are asked for: there are many. */
static bool every;

static void test_updates(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int iso = 0; iso <= every; iso++) {
        struct batch *batch = new_batch(cx);
        add_updates(batch, iso);
        assert_true(batch->kernels > 50);
        for_compilers(batch, every ? KERNELS : 1);
    }
}

/* ---- memory that runs out ---- */

struct purse {
    long left;
};

static void *purse_reallocate(void *data, void *old, size_t size)
{
    struct purse *purse = data;
    if (purse->left == 0)
        return NULL;
    purse->left--;
    return realloc(old, size);
}

static void purse_release(void *data, void *old)
{
    (void)data;
    free(old);
}

/* Let the n-th allocation fail; true if there was one.  compile_run looks for what is lost. */
static bool fail_at(const struct batch *batch, void *library, int k, long n, bool ordered)
{
    const struct imp_function *kernel = batch->kernel[k];
    struct rng rng = {1};
    struct imp_argument *expected = arguments(&rng, kernel),
                        *got = copy_arguments(kernel, expected);
    expected[1].value = got[1].value = value_int(TYPE_I32, 3);
    struct purse purse = {n};
    struct imp_allocator allocator = {purse_reallocate, purse_release, &purse};
    struct imp_run run =
        imp_interpret(batch->cx, kernel, expected, &(struct imp_options){.allocator = &allocator});
    assert_null(run.fault);
    compile_fail_after(library, n);
    enum imp_status status = compile_run(library, kernel, got);
    compile_fail_after(library, -1);
    assert_true(!ordered || status == run.status);
    for (int i = 0; i < kernel->params; i++)
        got[i].length = expected[i].length;
    free_arguments(kernel, expected);
    free_arguments(kernel, got);
    return run.status == STATUS_NO_MEMORY;
}

static void test_exhaustion(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    for (int i = 0; i < PARALLEL_PROGRAMS; i++)
        add_kernel(batch, parallel_program[i], false);
    for (int openmp = 0; openmp < 2; openmp++) {
        if (openmp && !has_openmp(&compilers[0]))
            continue;
        void *library = compile_library(&compilers[0], batch->source.at, openmp ? "-fopenmp" : "");
        assert_non_null(library);
        int failures = 0;
        for (int k = 0; k < batch->kernels; k++)
            for (long n = 0; fail_at(batch, library, k, n, !openmp); n++)
                failures++;
        assert_true(failures > 3 * batch->kernels);
        if (!openmp)
            dlclose(library);
    }
}

int main(int argc, char **argv)
{
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    every = argc == 2 && strcmp(argv[1], "every") == 0;
    compilers_choose(every);
    const struct CMUnitTest tests[] = {
        TEST(test_programs),
        TEST(test_names),
        TEST(test_updates),
        TEST(test_exhaustion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
