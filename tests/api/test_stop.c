/* test_stop.c - calls that are stopped, by another thread and by a signal handler.
 *
 * What is stopped says so, and leaves its context, its tensors and the machine as they were.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/api/support.h"

static char folder[] = "/tmp/test-stop-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][400];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof *path, "%s/%s", folder, name);
    return path[turn];
}

static bool is_there(const char *name) { return access(in_folder(name), F_OK) == 0; }

static void nap(long ms) { nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL); }

/* Files in $TMPDIR, which is the folder "tmp". */
static int scratch_entries(void)
{
    DIR *dir = opendir(in_folder("tmp"));
    int n = 0;
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static spcc_status compile(spcc_context *context, const char *statement, spcc_kernel **kernel)
{
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}, {.name = "B", .format = "csr"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 2};
    return spcc_compile(context, statement, &options, kernel);
}

/* ---- the flag ---- */

static void every_call_until_it_is_cleared(void **state)
{
    spcc_context *context = *state;
    spcc_kernel *kernel;
    spcc_tensor *tensor = sample(context, "csr"), *none;
    spcc_stop(context);
    for (int again = 0; again < 2; again++) {
        expect(context, SPCC_STOPPED, compile(context, "y(i) = A(i,j) * B(i,j)", &kernel));
        assert_null(kernel);
        assert_string_equal(spcc_message(context), "error: the call was stopped\n");
        assert_int_equal(spcc_diagnostic_count(context), 1);
        assert_int_equal(spcc_diagnostic_get(context, 0)->status, SPCC_STOPPED);
        expect(context, SPCC_STOPPED,
               spcc_tensor_convert(context, tensor, "coo", SPCC_F64, NULL, &none));
        assert_null(none);
    }
    assert_int_equal(spcc_tensor_unpack(tensor, NULL, NULL), 3);
    spcc_clear_stop(context);
    expect(context, SPCC_OK, compile(context, "y(i) = A(i,j) * B(i,j)", &kernel));
    assert_string_equal(spcc_message(context), "");
    spcc_kernel_free(kernel);
    spcc_tensor_free(tensor);
}

/* ---- while compiling ---- */

/* Stops a context after a time, or once a file is there. */
struct stopper {
    spcc_context *context;
    const char *file;
    long ms;
    pthread_t thread;
};

static void *stop(void *data)
{
    struct stopper *stopper = data;
    while (stopper->file && !is_there(stopper->file))
        nap(1);
    nap(stopper->ms);
    spcc_stop(stopper->context);
    return NULL;
}

static void start(struct stopper *stopper)
{
    assert_int_equal(pthread_create(&stopper->thread, NULL, stop, stopper), 0);
}

static void finish(struct stopper *stopper)
{
    pthread_join(stopper->thread, NULL);
    spcc_clear_stop(stopper->context);
}

/* At any time: in the compiler, in Clang or cc, while loading, afterwards. */
static void while_it_compiles(void **state)
{
    for (int k = 0; k < 24; k++) {
        char statement[200];
        spcc_context *context = open_context(engine);
        spcc_kernel *kernel;
        snprintf(statement, sizeof statement,
                 "C(i,j) = %d * A(i,j) + B(i,k) * A(k,j) + A(i,k) * B(k,j)", k + 2);
        struct stopper stopper = {.context = context, .ms = k % 3 == 0 ? k / 3 : 5 * k};
        start(&stopper);
        spcc_status status = compile(context, statement, &kernel);
        finish(&stopper);
        expect(context, status == SPCC_OK ? SPCC_OK : SPCC_STOPPED, status);
        assert_true((status == SPCC_OK) == (kernel != NULL));
        assert_int_equal(scratch_entries(), 0);
        spcc_kernel_free(kernel);
        if (k % 8 == 0) {
            expect(context, SPCC_OK, compile(context, statement, &kernel));
            spcc_kernel_free(kernel);
        }
        spcc_context_free(context);
    }
}

/* In the place of a compiler: leaves a file, starts another process, and goes on; but the second
 * time it compiles. */
static const char compiler[] = "#!/bin/sh\n"
                               "test -e %s/seen && exec cc \"$@\"\n"
                               "touch \"$TMPDIR/half\"\n"
                               "sleep 1000 &\n"
                               "echo $$ $! > %s/pids\n"
                               "touch %s/seen\n"
                               "wait\n";

/* They run, and do not only wait for their parents to look at their end. */
static bool is_alive(int pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    if (file)
        fclose(file);
    return state != 'X' && state != 'Z';
}

static void the_compiler_is_killed(void **state)
{
    FILE *file = fopen(in_folder("compiler"), "w");
    fprintf(file, compiler, folder, folder, folder);
    fclose(file);
    chmod(in_folder("compiler"), 0700);
    spcc_options options = {
        .size = sizeof options, .engine = SPCC_ENGINE_CC, .cache = "", .cc = in_folder("compiler")};
    spcc_context *context;
    spcc_kernel *kernel;
    int pid, child;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    struct stopper stopper = {.context = context, .file = "seen"};
    start(&stopper);
    expect(context, SPCC_STOPPED, compile(context, "y(i) = A(i,j) * B(i,j)", &kernel));
    finish(&stopper);
    assert_null(kernel);
    assert_int_equal(scratch_entries(), 0);
    file = fopen(in_folder("pids"), "r");
    assert_int_equal(fscanf(file, "%d %d", &pid, &child), 2);
    fclose(file);
    while (is_alive(pid) || is_alive(child))
        nap(1);
    expect(context, SPCC_OK, compile(context, "y(i) = A(i,j) * B(i,j)", &kernel));
    assert_int_equal(spcc_kernel_get_info(kernel)->engine, SPCC_ENGINE_CC);
    spcc_kernel_free(kernel);
    spcc_context_free(context);
    unlink(in_folder("compiler"));
    unlink(in_folder("pids"));
    unlink(in_folder("seen"));
}

/* ---- while running ---- */

static spcc_context *_Atomic interrupted;

static void stop_interrupted(int number)
{
    (void)number;
    spcc_stop(interrupted);
}

/* An interpreter that would be at it for hours, without a memory that it asks for. */
static void a_signal_stops_the_interpreter(void **state)
{
    spcc_context *context = open_context(SPCC_ENGINE_INTERP);
    struct sigaction action = {.sa_handler = stop_interrupted}, before;
    const struct itimerval soon = {.it_value.tv_usec = 30000};
    spcc_tensor *x = NULL, *y = empty(context, NULL, 0);
    const int64_t n = 30000;
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@ones", NULL, SPCC_F64, 1, &n, NULL, &x));
    interrupted = context;
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &soon, NULL);
    const spcc_binding bindings[] = {{"y", y}, {"x", x}};
    expect(
        context, SPCC_STOPPED,
        spcc_eval(context, "y = sum(i, sum(j, sum(k, max(max(x(i), x(j)), x(k)))))", bindings, 2));
    sigaction(SIGALRM, &before, NULL);
    spcc_clear_stop(context);
    expect(context, SPCC_OK, spcc_eval(context, "y = x(i)", bindings, 2));
    assert_true(*(const double *)spcc_tensor_values(y) == (double)n);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_context_free(context);
}

/* So does machine code, in each of its parts: what it has written in place is as before. */
static void machine_code_ends(void **state)
{
    enum { SIZE = 30000 };
    spcc_context *context = *state;
    static double values[SIZE], out[SIZE];
    const int64_t n = SIZE;
    spcc_tensor *x, *y;
    spcc_kernel *kernel;
    for (int i = 0; i < SIZE; i++)
        values[i] = out[i] = i;
    const spcc_tensor_options writable = {.size = sizeof writable, .writable = true};
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, NULL, SPCC_F64, 1, &n, NULL, 0, values, n, NULL, &x));
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, NULL, SPCC_F64, 1, &n, NULL, 0, out, n, &writable, &y));
    expect(
        context, SPCC_OK,
        spcc_compile(context, "y(i) = sum(j, sum(k, max(max(x(i), x(j)), x(k))))", NULL, &kernel));
    for (int threads = 1; threads <= 2; threads++) {
        const spcc_run_options options = {.size = sizeof options, .threads = threads};
        struct stopper stopper = {.context = context, .ms = 100};
        spcc_tensor *const tensors[] = {y, x};
        start(&stopper);
        expect(context, SPCC_STOPPED, spcc_run_with(context, kernel, tensors, 2, &options));
        finish(&stopper);
        assert_memory_equal(out, values, sizeof out);
    }
    spcc_kernel_free(kernel);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

/* What ends soon for the size of its result is not stopped, and has it. */
static void a_short_run_goes_on(void **state)
{
    enum { SIZE = 2000 };
    spcc_context *context = *state;
    const int64_t n = SIZE;
    spcc_tensor *x, *y = empty(context, NULL, 1);
    spcc_kernel *kernel;
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@ones", NULL, SPCC_F64, 1, &n, NULL, &x));
    expect(context, SPCC_OK, spcc_compile(context, "y(i) = 2 * x(i)", NULL, &kernel));
    expect(context, SPCC_OK, spcc_run(context, kernel, y, x));
    struct stopper stopper = {.context = context, .ms = 5};
    spcc_status status = SPCC_OK;
    start(&stopper);
    while (status == SPCC_OK)
        status = spcc_run(context, kernel, y, x);
    finish(&stopper);
    expect(context, SPCC_STOPPED, status);
    for (int i = 0; i < SIZE; i++)
        assert_true(((const double *)spcc_tensor_values(y))[i] == 2);
    spcc_kernel_free(kernel);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

/* Runs that make a sparse result, until one is stopped in the middle: it is the one before. */
static void a_run_leaves_the_result_before(void **state)
{
    spcc_context *context = *state;
    const int64_t size[] = {600, 600};
    spcc_tensor *A, *C = empty(context, "csr", 2);
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@sparse(0.02,1)", "csr", SPCC_F64, 2, size, NULL, &A));
    const spcc_binding bindings[] = {{"C", C}, {"A", A}}, B[] = {{"C", C}, {"B", A}};
    expect(context, SPCC_OK, spcc_eval(context, "C(i,j) = 2 * B(i,j)", B, 2));
    int64_t stored = spcc_tensor_stored(C);
    struct stopper stopper = {.context = context, .ms = 10};
    spcc_status status = SPCC_OK;
    start(&stopper);
    while (status == SPCC_OK) {
        status = spcc_eval(context, "C(i,j) = A(i,k) * A(k,j)", bindings, 2);
        stored = status == SPCC_OK ? spcc_tensor_stored(C) : stored;
    }
    finish(&stopper);
    expect(context, SPCC_STOPPED, status);
    assert_int_equal(spcc_tensor_stored(C), stored);
    expect(context, SPCC_OK, spcc_tensor_check(context, C));
    expect(context, SPCC_OK, spcc_eval(context, "C(i,j) = 3 * B(i,j)", B, 2));
    assert_int_equal(spcc_tensor_stored(C), spcc_tensor_stored(A));
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

static spcc_status tune(spcc_context *context, const spcc_binding *bindings, spcc_tuning **tuning)
{
    return spcc_tune(context, "y(i) = A(i,j) * x(j)", NULL, bindings, 3, NULL, tuning);
}

/* Which compiles and runs again and again. */
static void while_it_tunes(void **state)
{
    spcc_context *context = *state;
    spcc_tensor *A = sample(context, "csr"), *y = empty(context, NULL, 1),
                *x = dense_vector(context, 4, (const double[]){1, 2, 3, 4});
    const spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
    spcc_tuning *tuning;
    struct stopper stopper = {.context = context, .ms = 60};
    if (engine != SPCC_ENGINE_INTERP) {
        start(&stopper);
        expect(context, SPCC_STOPPED, tune(context, bindings, &tuning));
        finish(&stopper);
        assert_null(tuning);
        assert_int_equal(scratch_entries(), 0);
    }
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    if (!mkdtemp(folder) || mkdir(in_folder("tmp"), 0700) != 0)
        return 1;
    setenv("TMPDIR", in_folder("tmp"), 1);
    const struct CMUnitTest tests[] = {
        TEST(every_call_until_it_is_cleared),
        cmocka_unit_test(while_it_compiles),
        TEST(a_run_leaves_the_result_before),
        TEST(machine_code_ends),
        TEST(a_short_run_goes_on),
        TEST(while_it_tunes),
    };
    const struct CMUnitTest once[] = {
        cmocka_unit_test(the_compiler_is_killed),
        cmocka_unit_test(a_signal_stops_the_interpreter),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (engine == SPCC_ENGINE_INTERP)
        failed += cmocka_run_group_tests_name("once", once, NULL, NULL);
    rmdir(in_folder("tmp"));
    rmdir(folder);
    return failed;
}
