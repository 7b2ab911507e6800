/* test_parallel.c - kernels with parallel loops, as they are emitted, in hosts with GNU's OpenMP,
 * with LLVM's, and with none; and one kernel that sixteen threads call at once.
 *
 * The argument names the engine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/parallel.h"
#include "tests/jit/support.h"

#include <pthread.h>
#include <string.h>

#include "compiler/emit/emit.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"

enum { LENGTH = 500, PARTS = 7, THREADS = 16, ROUNDS = 20 };

static enum jit_engine engine;

/* The host's own use of its runtime, where it has one. */
static int host_sum(int n)
{
    int sum = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : sum) num_threads(2)
#endif
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

/* Arguments of a kernel of parallel.h, for which sums are exact. */
struct input {
    int32_t n, parts, crd[LENGTH];
    double x[LENGTH], y[LENGTH];
};

static void fill(struct input *in)
{
    memset(in, 0, sizeof *in);
    in->n = LENGTH;
    in->parts = PARTS;
    for (int i = 0; i < LENGTH; i++) {
        in->crd[i] = i * 7 % 50;
        in->x[i] = i % 5 - 1;
    }
}

typedef int kernel_call(void *const *);

/* What z holds, to free(). */
static double *call(kernel_call *kernel, struct input *in, int *status)
{
    void *crd = in->crd, *x = in->x, *y = in->y;
    double *z = NULL, **out = &z;
    void *argument[] = {&in->n, &in->parts, &crd, &x, &y, &out};
    *status = kernel(argument);
    return z;
}

/* A kernel that is compiled, and what the interpreter says of its results. */
struct sample {
    kernel_call *kernel;
    struct input expected;
    double *z;
    size_t size; /* of z */
};

static void interpret(struct context *cx, const struct imp_function *f, struct sample *sample)
{
    struct input *in = &sample->expected;
    fill(in);
    struct imp_argument argument[] = {
        {.value = value_int(TYPE_I32, LENGTH)}, {.value = value_int(TYPE_I32, PARTS)},
        {.data = in->crd, .length = LENGTH},    {.data = in->x, .length = LENGTH},
        {.data = in->y, .length = LENGTH},      {.data = NULL},
    };
    struct imp_run run = imp_interpret(cx, f, argument, NULL);
    assert_null(run.fault);
    assert_int_equal(run.status, STATUS_OK);
    sample->z = argument[5].data;
    sample->size = sizeof(double) * (size_t)argument[5].length;
}

static bool is_right(const struct sample *sample)
{
    struct input in;
    int status;
    fill(&in);
    double *z = call(sample->kernel, &in, &status);
    bool right = status == STATUS_OK && memcmp(in.y, sample->expected.y, sizeof in.y) == 0
                 && memcmp(z, sample->z, sample->size) == 0;
    free(z);
    return right;
}

static void *call_often(void *data)
{
    bool right = true;
    for (int round = 0; round < ROUNDS; round++)
        right = is_right(data) && right;
    return right ? data : NULL;
}

static void call_at_once(struct sample *sample)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, call_often, sample), 0);
    for (int i = 0; i < THREADS; i++) {
        void *right;
        assert_int_equal(pthread_join(thread[i], &right), 0);
        assert_non_null(right);
    }
}

static int threads = 4;

static int limit(void) { return threads; }

static struct jit *new_parallel(void)
{
    return new_jit(&(struct jit_options){.host.threads = limit});
}

/* By one to four threads, and by sixteen callers at once. */
static void check_program(struct jit *jit, const char *text)
{
    struct context *cx = context_new();
    if (!cx || !context_protect(cx))
        fail_msg("unwound");
    const struct imp_function *f = imp_parse(cx, text);
    assert_non_null(f);
    struct jit_kernel *kernel =
        compile(jit, engine, emit_c(cx, f, &(struct emit_options){.for_jit = true}, NULL), NULL);
    struct sample sample = {
        .kernel = FUNCTION(kernel, arena_printf(cx->arena, "%s_call", f->name), kernel_call *)};
    interpret(cx, f, &sample);
    assert_null(jit_kernel_note(kernel));
    for (threads = 1; threads < 5; threads++) {
        assert_true(is_right(&sample));
        assert_int_equal(host_sum(100), 4950);
    }
    threads = 4;
    call_at_once(&sample);
    free(sample.z);
    jit_release(kernel);
    context_free(cx);
}

static void test_programs(void **state)
{
    (void)state;
    struct jit *jit = new_parallel();
    for (int i = 0; i < PARALLEL_PROGRAMS; i++)
        check_program(jit, parallel_program[i]);
    jit_free(jit);
}

/* The status of a part that fails leaves the loop. */
static void test_failure(void **state)
{
    (void)state;
    struct context *cx = context_new();
    if (!cx || !context_protect(cx))
        fail_msg("unwound");
    struct jit *jit = new_parallel();
    const struct imp_function *f = imp_parse(cx, PARALLEL_FAIL);
    struct jit_kernel *kernel =
        compile(jit, engine, emit_c(cx, f, &(struct emit_options){.for_jit = true}, NULL), NULL);
    kernel_call *fails = FUNCTION(kernel, "fails_call", kernel_call *);
    for (int round = 0; round < ROUNDS; round++) {
        struct input in;
        int status;
        fill(&in);
        in.x[3] = in.x[LENGTH - 1] = 600;
        in.x[LENGTH / 2] = round % 2 ? 2000 : 600;
        assert_null(call(fails, &in, &status));
        assert_int_equal(status, round % 2 ? STATUS_OUT_OF_BOUND : STATUS_TOO_LARGE);
    }
    jit_release(kernel);
    jit_free(jit);
    context_free(cx);
}

/* In a critical section, for which a kernel has a lock of its own. */
static void test_critical(void **state)
{
    (void)state;
    struct context *cx = context_new();
    if (!cx || !context_protect(cx))
        fail_msg("unwound");
    struct jit *jit = new_parallel();
    const struct imp_function *f =
        imp_parse(cx, "kernel add(const i32 n, const c128 *x, c128 *y) {\n"
                      "    parallel for (i32 part = 0; part < n; part++) {\n"
                      "        atomic y[0] += x[part]\n    }\n}\n");
    assert_non_null(f);
    struct jit_kernel *kernel =
        compile(jit, engine, emit_c(cx, f, &(struct emit_options){.for_jit = true}, NULL), NULL);
    double x[LENGTH][2], y[2] = {0, 0};
    int32_t n = LENGTH;
    for (int i = 0; i < LENGTH; i++) {
        x[i][0] = i;
        x[i][1] = -2 * i;
    }
    void *from = x, *to = y, *argument[] = {&n, &from, &to};
    assert_int_equal(FUNCTION(kernel, "add_call", kernel_call *)(argument), STATUS_OK);
    assert_true(y[0] == LENGTH * (LENGTH - 1) / 2 && y[1] == -LENGTH * (LENGTH - 1));
    jit_release(kernel);
    jit_free(jit);
    context_free(cx);
}

/* Elements within an array move down and up, whatever the places are apart, by any number of
 * threads: some megabytes, of which each has a piece. */
static void test_moving(void **state)
{
    enum { N = 700000, ROOM = 2 * N + 9 };
    static const int32_t apart[] = {0,     1,         3000,  N / 8, N / 5, N / 4 + 1,
                                    N / 3, N / 2 - 1, N - 1, N,     N + 7};
    (void)state;
    struct context *cx = context_new();
    if (!cx || !context_protect(cx))
        fail_msg("unwound");
    struct jit *jit = new_parallel();
    const struct imp_function *f =
        imp_parse(cx, "kernel slide(const i32 to, const i32 from, const i32 n, i32 *y) {\n"
                      "    copy(y, to, y, from, n)\n"
                      "    parallel for (i32 part = 0; part < 2; part++) {\n"
                      "        y[part] = part\n    }\n}\n");
    assert_non_null(f);
    struct jit_kernel *kernel =
        compile(jit, engine, emit_c(cx, f, &(struct emit_options){.for_jit = true}, NULL), NULL);
    int32_t *y = arena_array(cx->arena, int32_t, ROOM), n = N,
            *expected = arena_array(cx->arena, int32_t, ROOM);
    void *array = y;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        for (int up = 0; up < 2; up++)
            for (threads = 1; threads < 5; threads++) {
                int32_t to = up ? 2 + apart[i] : 2, from = up ? 2 : 2 + apart[i];
                void *argument[] = {&to, &from, &n, &array};
                for (int32_t k = 0; k < ROOM; k++)
                    y[k] = expected[k] = k;
                memmove(expected + to, expected + from, N * sizeof *y);
                assert_int_equal(FUNCTION(kernel, "slide_call", kernel_call *)(argument),
                                 STATUS_OK);
                assert_memory_equal(y, expected, ROOM * sizeof *y);
            }
    threads = 4;
    jit_release(kernel);
    jit_free(jit);
    context_free(cx);
}

int main(int argc, char **argv)
{
    setenv("OMP_WAIT_POLICY", "passive", 0);
    engine = engine_of(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_critical),
        cmocka_unit_test(test_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
