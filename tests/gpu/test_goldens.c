/* test_goldens.c - the kernels of tests/golden/cuda: run on a CPU, and through compilers of CUDA.
 *
 *     test_goldens emulator N         against oracle and interpreter, in several orders of threads;
 *                                     one in N on the golden's own grid, too
 *     test_goldens COMPILER first     compiled without a warning, for one architecture
 *     test_goldens COMPILER every     ... for five
 *
 *     test_goldens write FOLDER ROWS  what a machine with a GPU is given (run.sh): kernels.cu, and
 *                                     calls with their results; those for timing have about so many
 *                                     rows
 *
 * A compiler is nvcc or clang, by its path, or "nvrtc".
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/gpu/cuda_compilers.h"
#include "tests/gpu/golden.h"
#include "tests/imperative/protect.h"
#include "tests/support/device.h"

/* The grid of the golden itself, most of whose blocks find nothing to do, and one of a few blocks,
 * which come to several parts each. */
enum { OWN_GRID, SMALL_GRID, GRIDS, SMALL_BLOCKS = 3, ORDERS = 3, MORE_ORDERS = 10 };

static const uint64_t seeds[MORE_ORDERS] = {0, 17, 34, 1, 2, 3, 5, 8, 13, 21};

struct subject {
    struct golden golden;
    struct test_case exact_case, rounded_case;
    struct trial exact, rounded;
    const struct pipeline *kernel[GRIDS];
    int number[GRIDS];
};

struct subjects {
    struct subject *at;
    int n;
    struct device_program program;
};

/* ---- the program ---- */

static void add_subject(struct subjects *s, struct subject *subject, const struct golden *golden,
                        bool has_grid[static GRIDS])
{
    struct context *cx = s->program.cx;
    subject->golden = *golden;
    for (int rounded = 0; rounded < 2; rounded++) {
        struct test_case *test = rounded ? &subject->rounded_case : &subject->exact_case;
        struct trial *trial = rounded ? &subject->rounded : &subject->exact;
        golden_fill(&subject->golden, rounded);
        *test = *golden->test;
        trial_open(trial, test);
        if (trial->verdict != TRIAL_RIGHT)
            fail_msg("%s: %s", golden->name, trial->why);
    }
    for (int g = 0; g < GRIDS; g++) {
        if (!has_grid[g])
            continue;
        const char *name = arena_printf(cx->arena, "%s%s", golden->name, g ? "_small" : "");
        subject->kernel[g] =
            golden_compile(&subject->exact, golden, name, g == SMALL_GRID ? SMALL_BLOCKS : 0);
        if (!subject->kernel[g])
            fail_msg("%s", subject->exact.why);
        subject->number[g] =
            device_add(&s->program, subject->kernel[g]->imperative, subject->kernel[g]->c);
    }
}

/* Each on a small grid, if that is asked for; one in so many on its own grid. */
static void open_subjects(struct context *cx, struct subjects *s, bool small, int share)
{
    struct golden *golden = arena_array(cx->arena, struct golden, GOLDENS_MOST);
    s->n = golden_read_all(cx, golden, 0);
    s->at = arena_array(cx->arena, struct subject, s->n);
    device_open(&s->program, cx);
    for (int i = 0; i < s->n; i++)
        add_subject(s, &s->at[i], &golden[i], (bool[GRIDS]){i % share == 0, small});
}

static void close_subjects(struct subjects *s)
{
    for (int i = 0; i < s->n; i++) {
        trial_close(&s->at[i].exact);
        trial_close(&s->at[i].rounded);
    }
    device_close(&s->program);
}

/* ---- on a CPU ---- */

struct running {
    const struct device_program *program;
    int number;
    struct device_order order;
};

static struct imp_run run(void *data, const struct imp_function *kernel,
                          struct imp_argument *argument)
{
    const struct running *r = data;
    return device_run(r->program, r->number, kernel, argument, &r->order);
}

/* What both leave is what the oracle says, and the same to the bit. */
static void expect_same(const struct subjects *s, const struct subject *subject, int grid,
                        struct trial *trial, int orders)
{
    const struct pipeline *kernel = subject->kernel[grid];
    struct running running = {&s->program, subject->number[grid], {seeds, orders}};
    trial_interpret(trial, kernel);
    size_t n = trial->verdict == TRIAL_RIGHT
                   ? (size_t)trial->tensor[0]->nvals * type_size(trial->tensor[0]->type)
                   : 0;
    void *interpreted = arena_copy(trial->cx->arena, n ? trial->tensor[0]->vals : "", n);
    trial_run(trial, kernel, &(struct trial_runner){"the emulator", run, &running});
    if (trial->verdict != TRIAL_RIGHT)
        fail_msg("%s: %s", kernel->imperative->name, trial->why);
    if (memcmp(interpreted, trial->tensor[0]->vals, n) != 0)
        fail_msg("%s: the interpreter leaves other bits", kernel->imperative->name);
}

static long own_share;

/* Where no sum's order is left open, rounded sums have the same bits in every order, too. */
static void test_emulator(void **state)
{
    struct subjects s;
    PROTECT((struct context *)*state);
    open_subjects(*state, &s, true, (int)own_share);
    assert_true(s.n > 0);
    const char *refused = device_build(&s.program);
    if (refused)
        fail_msg("%s", refused);
    for (int i = 0; i < s.n; i++) {
        struct subject *subject = &s.at[i];
        if (subject->kernel[OWN_GRID])
            expect_same(&s, subject, OWN_GRID, &subject->exact, 1);
        expect_same(&s, subject, SMALL_GRID, &subject->exact, ORDERS);
        if (!golden_is_atomic(subject->kernel[SMALL_GRID]->imperative))
            expect_same(&s, subject, SMALL_GRID, &subject->rounded, MORE_ORDERS);
    }
    close_subjects(&s);
}

/* ---- for a machine with a GPU ---- */

static const char *folder;
static int64_t rows;

static void copy(const struct subjects *s, const char *from, const char *to)
{
    assert_int_equal(system(arena_printf(s->program.cx->arena, "cp '%s' '%s/%s'",
                                         device_path(&s->program, from), folder, to)),
                     0);
}

/* The last call, and what came of it, which has been checked. */
static void write_check(struct subjects *s, struct subject *subject, int grid)
{
    const char *name = subject->kernel[grid]->imperative->name;
    struct arena *arena = s->program.cx->arena;
    expect_same(s, subject, grid, &subject->exact, ORDERS);
    copy(s, "call", arena_printf(arena, "%s.call", name));
    copy(s, "result", arena_printf(arena, "%s.result", name));
}

static void write_large(struct subjects *s, const struct subject *subject,
                        const struct golden *large)
{
    const struct pipeline *kernel = subject->kernel[OWN_GRID];
    const int64_t *dimension[CASE_TENSORS] = {NULL};
    for (int r = 0; r < kernel->tensors; r++)
        for (int t = 0; t < large->test->tensors; t++)
            if (strcmp(large->test->tensor[t].name, kernel->tensor[r]->name) == 0)
                dimension[r] = large->test->tensor[t].dimension;
    const char *path = arena_printf(s->program.cx->arena, "%s/%s.large", folder, large->name);
    if (!device_write_large(&s->program, subject->number[OWN_GRID], kernel->imperative,
                            kernel->tensor, dimension, path))
        printf("%s: no timing, its operands have a format that is not made large\n", large->name);
}

static void test_write(void **state)
{
    struct subjects s;
    struct context *cx = *state;
    PROTECT(cx);
    struct golden *large = arena_array(cx->arena, struct golden, GOLDENS_MOST);
    open_subjects(cx, &s, true, 1);
    golden_read_all(cx, large, rows);
    const char *refused = device_build(&s.program);
    if (refused)
        fail_msg("%s", refused);
    copy(&s, "kernels.cu", "kernels.cu");
    for (int i = 0; i < s.n; i++) {
        write_check(&s, &s.at[i], SMALL_GRID);
        write_large(&s, &s.at[i], &large[i]);
    }
    close_subjects(&s);
}

/* ---- through compilers of CUDA ---- */

static struct nvrtc nvrtc;
static const char *compiler, *which;

static void test_compiler(void **state)
{
    struct subjects s;
    struct arena *arena = (*(struct context **)state)->arena;
    bool every = strcmp(which, "every") == 0;
    PROTECT((struct context *)*state);
    open_subjects(*state, &s, false, 1);
    const char *source = device_source(&s.program);
    if (!compiler)
        nvrtc_expect(&nvrtc, arena, source, every);
    else if (strstr(compiler, "clang"))
        clang_expect(compiler, arena, source);
    else
        nvcc_expect(compiler, arena, source, every);
    close_subjects(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest emulator[] = {TEST(test_emulator)}, compile[] = {TEST(test_compiler)},
                            write_all[] = {TEST(test_write)};
    const char *what = argc > 1 ? argv[1] : "";
    which = argc > 2 ? argv[2] : "";
    if (argc == 3 && strcmp(what, "emulator") == 0 && (own_share = strtol(which, NULL, 10)) > 0)
        return cmocka_run_group_tests_name("goldens", emulator, NULL, NULL);
    if (argc == 4 && strcmp(what, "write") == 0) {
        folder = argv[2];
        rows = strtoll(argv[3], NULL, 10);
        return cmocka_run_group_tests_name("goldens", write_all, NULL, NULL);
    }
    if (argc != 3) {
        fprintf(stderr, "usage: %s emulator N | COMPILER first|every | write FOLDER ROWS\n",
                argv[0]);
        return 2;
    }
    compiler = strcmp(what, "nvrtc") == 0 ? NULL : what;
    int absent = compiler ? 0 : nvrtc_open(&nvrtc);
    return absent ? absent : cmocka_run_group_tests_name("goldens", compile, NULL, NULL);
}
