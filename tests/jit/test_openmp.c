/* test_openmp.c - kernels with OpenMP in a host that has GNU's runtime, or none.
 *
 * Built twice: with -fopenmp, so that the host itself runs parallel regions of its own, and
 * without.  The argument names the engine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum jit_engine engine;

static const char team_source[] =
    "#ifdef _OPENMP\n"
    "int omp_get_thread_num(void); int omp_get_num_threads(void);\n"
    "#else\n"
    "static int omp_get_thread_num(void) { return 0; }\n"
    "static int omp_get_num_threads(void) { return 1; }\n"
    "#endif\n"
    "int team(int n, int *who)\n"
    "{\n"
    "    int size = 0;\n"
    "    #pragma omp parallel num_threads(4)\n"
    "    {\n"
    "        #pragma omp single\n"
    "        size = omp_get_num_threads();\n"
    "        #pragma omp for schedule(static, 1)\n"
    "        for (int i = 0; i < n; i++) who[i] = omp_get_thread_num();\n"
    "    }\n"
    "    return size;\n"
    "}\n";

typedef int team_function(int, int *);

/* The host's own use of its runtime, where it has one. */
static int host_sum(int n)
{
    int sum = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : sum) num_threads(3)
#endif
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

static void check_team(struct jit_kernel *kernel)
{
    team_function *team = FUNCTION(kernel, "team", team_function *);
    int who[40];
    assert_null(jit_kernel_note(kernel));
    for (int round = 0; round < 3; round++) {
        memset(who, 0xff, sizeof who);
        assert_int_equal(team(40, who), 4);
        for (int i = 0; i < 40; i++)
            assert_int_equal(who[i], i % 4);
        assert_int_equal(host_sum(100), 4950);
    }
}

static int threads;

static int limit(void) { return threads; }

/* The number of threads is what the kernel is told when it asks. */
static void test_number_of_threads(void **state)
{
    (void)state;
    struct jit *jit = new_jit(&(struct jit_options){.host.threads = limit});
    struct jit_kernel *kernel = compile(jit, engine,
                                        "int omp_get_num_threads(void);\n"
                                        "int (*thread_limit)(void) = 0;\n"
                                        "int team(void)\n"
                                        "{\n"
                                        "    int size = 0;\n"
                                        "    #pragma omp parallel num_threads(thread_limit())\n"
                                        "    {\n"
                                        "        #pragma omp single\n"
                                        "        size = omp_get_num_threads();\n"
                                        "    }\n"
                                        "    return size;\n"
                                        "}\n",
                                        NULL);
    for (threads = 1; threads < 5; threads++)
        assert_int_equal(FUNCTION(kernel, "team", int (*)(void))(), threads);
    jit_release(kernel);
    jit_free(jit);
}

/* Every thread knows its number: __kmpc_* and omp_* come from one runtime. */
static void test_thread_numbers(void **state)
{
    (void)state;
    assert_int_equal(host_sum(10), 45);
    struct jit *jit = new_jit(NULL);
    struct jit_kernel *kernel = compile(jit, engine, team_source, NULL);
    check_team(kernel);
    jit_release(kernel);
    jit_free(jit);
}

static void test_constructs(void **state)
{
    (void)state;
    struct jit *jit = new_jit(NULL);
    struct jit_kernel *kernel =
        compile(jit, engine,
                "double sum(int n, const double *x)\n"
                "{\n"
                "    double s = 0;\n"
                "    #pragma omp parallel for reduction(+ : s) schedule(dynamic, 7)\n"
                "    for (int i = 0; i < n; i++) s += x[i];\n"
                "    return s;\n"
                "}\n"
                "void histogram(int n, const int *crd, double *y, int *count, int *order)\n"
                "{\n"
                "    #pragma omp parallel for schedule(guided)\n"
                "    for (int i = 0; i < n; i++) {\n"
                "        int at;\n"
                "        #pragma omp atomic\n"
                "        y[crd[i]] += 1;\n"
                "        #pragma omp atomic capture\n"
                "        at = (*count)++;\n"
                "        order[at] = i;\n"
                "        #pragma omp critical\n"
                "        y[0] += 2;\n"
                "    }\n"
                "}\n"
                "double dot(int n, const double *a, const double *b)\n"
                "{\n"
                "    double s = 0;\n"
                "    #pragma omp simd reduction(+ : s)\n"
                "    for (int i = 0; i < n; i++) s += a[i] * b[i];\n"
                "    return s;\n"
                "}\n",
                NULL);
    enum { N = 1000 };
    double x[N], y[11] = {0};
    int crd[N], order[N], count = 0, seen[N] = {0};
    for (int i = 0; i < N; i++) {
        x[i] = i % 10;
        crd[i] = 1 + i % 10;
    }
    assert_true(FUNCTION(kernel, "sum", double (*)(int, const double *))(N, x) == 4500);
    assert_true(FUNCTION(kernel, "dot", double (*)(int, const double *, const double *))(N, x, x)
                == 28500);
    FUNCTION(kernel, "histogram", void (*)(int, const int *, double *, int *, int *))
    (N, crd, y, &count, order);
    assert_int_equal(count, N);
    assert_true(y[0] == 2 * N);
    for (int i = 1; i <= 10; i++)
        assert_true(y[i] == N / 10);
    for (int i = 0; i < N; i++)
        seen[order[i]]++;
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(host_sum(100), 4950);
    jit_release(kernel);
    jit_free(jit);
}

static void test_disk_hit(void **state)
{
    (void)state;
    char *cache = new_directory();
    for (int round = 0; round < 2; round++) {
        struct jit *jit = new_jit(&(struct jit_options){.cache = cache});
        struct jit_times times;
        struct jit_kernel *kernel = compile(jit, engine, team_source, &times);
        assert_int_equal(times.origin, round ? JIT_FROM_DISK : JIT_COMPILED);
        check_team(kernel);
        jit_release(kernel);
        jit_free(jit);
    }
    remove_directory(cache);
}

/* Without a runtime the kernel is right, on one thread, and says so; also when it comes from the
 * disk. */
static void test_no_runtime(void **state)
{
    (void)state;
    char *cache = new_directory();
    for (int round = 0; round < 2; round++) {
        struct jit *jit = new_jit(&(struct jit_options){.cache = cache, .openmp = ""});
        struct jit_kernel *kernel = compile(jit, engine, team_source, NULL);
        int who[40];
        assert_contains(jit_kernel_note(kernel), "one thread");
        assert_int_equal(FUNCTION(kernel, "team", team_function *)(40, who), 1);
        for (int i = 0; i < 40; i++)
            assert_int_equal(who[i], 0);
        jit_release(kernel);
        kernel = compile(jit, engine,
                         "int f(int n) { int s = 0;\n#pragma omp simd reduction(+ : s)\n"
                         "for (int i = 0; i < n; i++) s += i;\nreturn s; }",
                         NULL);
        assert_null(jit_kernel_note(kernel));
        assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(100), 4950);
        jit_release(kernel);
        jit_free(jit);
    }
    remove_directory(cache);
}

/* A kernel compiled without is not what a process with a runtime gets from the disk. */
static void test_runtime_comes_later(void **state)
{
    (void)state;
    char *cache = new_directory();
    struct jit *without = new_jit(&(struct jit_options){.cache = cache, .openmp = ""});
    struct jit *with = new_jit(&(struct jit_options){.cache = cache});
    struct jit_kernel *kernel = compile(without, engine, team_source, NULL);
    assert_non_null(jit_kernel_note(kernel));
    jit_release(kernel);
    kernel = compile(with, engine, team_source, NULL);
    check_team(kernel);
    jit_release(kernel);
    jit_free(without);
    jit_free(with);
    remove_directory(cache);
}

/* A runtime that is not one: the kernel is compiled again, without. */
static void test_wrong_runtime(void **state)
{
    (void)state;
    if (engine != JIT_CLANG)
        return;
    struct jit *jit = new_jit(&(struct jit_options){.openmp = "libm.so.6"});
    struct jit_kernel *kernel = compile(jit, engine, team_source, NULL);
    int who[4];
    assert_non_null(jit_kernel_note(kernel));
    assert_int_equal(FUNCTION(kernel, "team", team_function *)(4, who), 1);
    jit_release(kernel);
    jit_free(jit);
}

/* Clang in another process, GCC in another process, and this engine, one after the other in one
 * host. */
static void test_compilers_together(void **state)
{
    (void)state;
    static const char *const commands[] = {"/usr/bin/clang", "/usr/bin/gcc"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (access(commands[i], X_OK) != 0)
            continue;
        struct jit *jit = new_jit(&(struct jit_options){.cc = commands[i]});
        struct jit_kernel *other = compile(jit, JIT_CC, team_source, NULL);
        struct jit_kernel *kernel = compile(jit, engine, team_source, NULL);
        check_team(other);
        check_team(kernel);
        check_team(other);
        jit_release(other);
        jit_release(kernel);
        jit_free(jit);
    }
}

static bool is_loaded(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/* Code with variables of threads is loaded as a shared library.  It may be the only one that needs
 * GNU's runtime, whose threads wait in it when the code is gone. */
static void test_runtime_stays(void **state)
{
    (void)state;
    char source[2048];
    snprintf(source, sizeof source, "_Thread_local int own;\nint *mine(void) { return &own; }\n%s",
             team_source);
    if (access("/usr/bin/gcc", X_OK) != 0)
        return;
    struct jit *jit = new_jit(&(struct jit_options){.cc = "/usr/bin/gcc"});
    struct jit_kernel *kernel = compile(jit, JIT_CC, source, NULL);
    check_team(kernel);
    bool needed = is_loaded("libgomp.so.1");
    jit_release(kernel);
    assert_int_equal(is_loaded("libgomp.so.1"), needed);
    jit_free(jit);
    assert_int_equal(is_loaded("libgomp.so.1"), needed);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    struct jit *jit = new_jit(NULL);
    struct jit_kernel *kernel = compile(jit, engine, team_source, NULL);
    bool runtime = jit_kernel_note(kernel) == NULL;
    jit_release(kernel);
    jit_free(jit);
    if (!runtime) {
        puts("no OpenMP runtime for this engine's code: nothing to test here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thread_numbers), cmocka_unit_test(test_number_of_threads),
        cmocka_unit_test(test_constructs),     cmocka_unit_test(test_disk_hit),
        cmocka_unit_test(test_no_runtime),     cmocka_unit_test(test_runtime_comes_later),
        cmocka_unit_test(test_wrong_runtime),  cmocka_unit_test(test_compilers_together),
        cmocka_unit_test(test_runtime_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
