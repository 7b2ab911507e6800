/* test_kernels.c - what a loaded kernel can do, by the engine that the argument names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/jit/clang.h"

static enum jit_engine engine;

static int set_up(void **state)
{
    *state = new_jit(NULL);
    return 0;
}

static int tear_down(void **state)
{
    jit_free(*state);
    return 0;
}

static const char spmv_source[] = "typedef __INT32_TYPE__ int32_t;\n"
                                  "int spmv(int32_t m, const int32_t *restrict pos, const int32_t "
                                  "*restrict crd, const double *restrict a,\n"
                                  "         const double *restrict x, double *restrict y)\n"
                                  "{\n"
                                  "    for (int32_t i = 0; i < m; i++) {\n"
                                  "        double sum = 0.0;\n"
                                  "        for (int32_t p = pos[i]; p < pos[i + 1]; p++)\n"
                                  "            sum += a[p] * x[crd[p]];\n"
                                  "        y[i] = sum;\n"
                                  "    }\n"
                                  "    return 0;\n"
                                  "}\n";

typedef int spmv_function(int32_t, const int32_t *, const int32_t *, const double *, const double *,
                          double *);

static void test_spmv(void **state)
{
    static const int32_t pos[] = {0, 2, 2, 5}, crd[] = {0, 2, 0, 1, 2};
    static const double a[] = {1, 2, 3, 4, 5}, x[] = {10, 100, 1000};
    double y[3] = {-1, -1, -1};
    struct jit_kernel *kernel = compile(*state, engine, spmv_source, NULL);
    assert_int_equal(FUNCTION(kernel, "spmv", spmv_function *)(3, pos, crd, a, x, y), 0);
    assert_true(y[0] == 2010 && y[1] == 0 && y[2] == 5430);
    jit_release(kernel);
}

/* Called from a kernel: the process's own functions are there for it. */
static void test_memory_functions(void **state)
{
    struct jit_kernel *kernel = compile(
        *state, engine,
        "void *malloc(__SIZE_TYPE__); void *realloc(void *, __SIZE_TYPE__); void free(void *);\n"
        "int squares(int n, long **result)\n"
        "{\n"
        "    int capacity = 1;\n"
        "    long *r = malloc(sizeof(long));\n"
        "    for (int i = 0; i < n; i++) {\n"
        "        if (i == capacity) r = realloc(r, sizeof(long) * (capacity *= 2));\n"
        "        r[i] = (long)i * i;\n"
        "    }\n"
        "    long *copy = malloc(sizeof(long) * n);\n"
        "    for (int i = 0; i < n; i++) copy[i] = r[i];\n"
        "    free(r);\n"
        "    *result = copy;\n"
        "    return 0;\n"
        "}\n",
        NULL);
    long *result = NULL;
    assert_int_equal(FUNCTION(kernel, "squares", int (*)(int, long **))(1000, &result), 0);
    for (long i = 0; i < 1000; i++)
        assert_int_equal(result[i], i * i);
    free(result);
    jit_release(kernel);
}

/* The host of this test does not link the mathematical library for all of these. */
static size_t resized, released;

static void *resize(void *array, size_t bytes)
{
    resized += bytes;
    return realloc(array, bytes);
}

static void release(void *array)
{
    released++;
    free(array);
}

/* Kernels call what the host gives them, and realloc and free where it gives nothing. */
static void test_host_memory(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        struct jit *jit = new_jit(&(struct jit_options){
            .host = {.resize = given ? resize : NULL, .release = given ? release : NULL}});
        struct jit_kernel *kernel = compile(jit, engine,
                                            "typedef __SIZE_TYPE__ size_t;\n"
                                            "void *realloc(void *array, size_t size);\n"
                                            "void *(*resize)(void *array, size_t size) = realloc;\n"
                                            "void free(void *array);\n"
                                            "void (*release)(void *array) = free;\n"
                                            "void *make(size_t n) { return resize(0, n); }\n"
                                            "void unmake(void *array) { release(array); }\n",
                                            NULL);
        resized = released = 0;
        void *made = FUNCTION(kernel, "make", void *(*)(size_t))(1000);
        assert_non_null(made);
        assert_int_equal(resized, given ? 1000 : 0);
        FUNCTION(kernel, "unmake", void (*)(void *))(made);
        assert_int_equal(released, given);
        jit_release(kernel);
        jit_free(jit);
    }
}

static void test_mathematical_functions(void **state)
{
    struct jit_kernel *kernel = compile(*state, engine,
                                        "double f(double x) { return __builtin_exp(x) + "
                                        "__builtin_pow(x, 1.5) + __builtin_tgamma(x); }\n"
                                        "float g(float x) { return __builtin_cbrtf(x); }\n"
                                        "void each(int n, const double *x, double *y) { for (int i "
                                        "= 0; i < n; i++) y[i] = __builtin_exp(x[i]); }\n",
                                        NULL);
    assert_true(fabs(FUNCTION(kernel, "f", double (*)(double))(4.0) - (exp(4.0) + 8 + 6)) < 1e-12);
    assert_true(fabsf(FUNCTION(kernel, "g", float (*)(float))(27.0f) - 3) < 1e-6f);
    double x[37], y[37];
    for (int i = 0; i < 37; i++)
        x[i] = 0.25 * i - 3;
    FUNCTION(kernel, "each", void (*)(int, const double *, double *))(37, x, y);
    for (int i = 0; i < 37; i++)
        assert_true(fabs(y[i] - exp(x[i])) <= 1e-15 * exp(x[i]));
    jit_release(kernel);
}

/* Multiplication calls libgcc when the parts are NaN; cpow is in the mathematical library. */
static void test_complex_numbers(void **state)
{
    struct jit_kernel *kernel =
        compile(*state, engine,
                "void f(const double *a, const double *b, double *c)\n"
                "{\n"
                "    const double _Complex *x = (const void *)a, *y = (const void *)b;\n"
                "    double _Complex *z = (void *)c;\n"
                "    z[0] = x[0] * y[0]; z[1] = x[0] / y[0]; z[2] = __builtin_cpow(x[0], y[0]);\n"
                "}\n",
                NULL);
    double a[] = {1, 2}, b[] = {3, -4}, c[6];
    FUNCTION(kernel, "f", void (*)(const double *, const double *, double *))(a, b, c);
    double complex x = a[0] + a[1] * I, y = b[0] + b[1] * I, z[] = {x * y, x / y, cpow(x, y)};
    for (int i = 0; i < 3; i++)
        assert_true(cabs(z[i] - (c[2 * i] + c[2 * i + 1] * I)) < 1e-12 * cabs(z[i]));
    double infinite[] = {INFINITY, NAN};
    FUNCTION(kernel, "f", void (*)(const double *, const double *, double *))(infinite, b, c);
    assert_true(isinf(c[0]) || isinf(c[1]));
    jit_release(kernel);
}

static void test_vector_types(void **state)
{
    struct jit_kernel *kernel =
        compile(*state, engine,
                "typedef double v8 __attribute__((vector_size(64), aligned(8), may_alias));\n"
                "static inline v8 fma8(v8 a, v8 b, double c) { return a + b * c; }\n"
                "void axpy(int n, double a, const double *restrict x, double *restrict y)\n"
                "{\n"
                "    int i = 0;\n"
                "    for (; i + 8 <= n; i += 8) *(v8 *)(y + i) = fma8(*(const v8 *)(y + i), "
                "*(const v8 *)(x + i), a);\n"
                "    for (; i < n; i++) y[i] += a * x[i];\n"
                "}\n",
                NULL);
    double x[43], y[43];
    for (int i = 0; i < 43; i++)
        x[i] = i, y[i] = 1;
    FUNCTION(kernel, "axpy", void (*)(int, double, const double *, double *))(43, 2, x, y);
    for (int i = 0; i < 43; i++)
        assert_true(y[i] == 1 + 2 * i);
    jit_release(kernel);
}

/* A table of addresses in the constants, which must be relocated, and one of numbers. */
static void test_constant_data(void **state)
{
    size_t capacity = 1 << 20, n = 0;
    char *source = malloc(capacity);
    n += (size_t)sprintf(source + n, "static const int number[20000] = {");
    for (int i = 0; i < 20000; i++)
        n += (size_t)sprintf(source + n, "%d,", (i * 7919) % 10007);
    n += (size_t)sprintf(source + n, "};\nstatic const int *const start[100] = {");
    for (int i = 0; i < 100; i++)
        n += (size_t)sprintf(source + n, "number + %d,", 13 * i);
    sprintf(source + n, "};\nconst char *const names[] = {\"zero\", \"one\", \"two\"};\n"
                        "int get(int i, int j) { return start[i][j]; }\nconst char *name(int i) { "
                        "return names[i]; }\n");
    struct jit_kernel *kernel = compile(*state, engine, source, NULL);
    for (int i = 0; i < 100; i++)
        assert_int_equal(FUNCTION(kernel, "get", int (*)(int, int))(i, 5),
                         (13 * i + 5) * 7919 % 10007);
    assert_string_equal(FUNCTION(kernel, "name", const char *(*)(int))(2), "two");
    jit_release(kernel);
    free(source);
}

static void test_switch_table(void **state)
{
    struct jit_kernel *kernel = compile(
        *state, engine,
        "static __attribute__((noinline)) long pick(int op, long a, long b)\n"
        "{\n"
        "    switch (op) {\n"
        "    case 0: return a + b; case 1: return a - b; case 2: return a * b; case 3: return b ? "
        "a / b : 0;\n"
        "    case 4: return a & b; case 5: return a | b; case 6: return a ^ b; case 7: return a << "
        "(b & 7);\n"
        "    case 8: return a < b; case 9: return -a; case 10: return ~a; case 11: return a * a - "
        "b;\n"
        "    }\n"
        "    return 99;\n"
        "}\n"
        "long apply(int op, long a, long b) { return pick(op, a, b) + pick(op + 1, a, b); }\n",
        NULL);
    long (*apply)(int, long, long) = FUNCTION(kernel, "apply", long (*)(int, long, long));
    assert_int_equal(apply(0, 7, 3), 10 + 4);
    assert_int_equal(apply(2, 7, 3), 21 + 2);
    assert_int_equal(apply(10, 7, 3), ~7L + 46);
    assert_int_equal(apply(11, 7, 3), 46 + 99);
    jit_release(kernel);
}

/* Variables: initialised, zero, by their names from outside, and one whose address is taken. */
static void test_variables(void **state)
{
    struct jit_kernel *kernel = compile(
        *state, engine,
        "int counter = 40; static long big[5000]; double zero; static int *const self = &counter;\n"
        "int next(void) { big[counter]++; return ++*self; }\n"
        "long sum(void) { long s = 0; for (int i = 0; i < 5000; i++) s += big[i]; return s; }\n",
        NULL);
    int (*next)(void) = FUNCTION(kernel, "next", int (*)(void));
    assert_int_equal(next(), 41);
    assert_int_equal(next(), 42);
    assert_int_equal(*(int *)address_of(kernel, "counter"), 42);
    assert_int_equal(FUNCTION(kernel, "sum", long (*)(void))(), 2);
    assert_true(*(double *)address_of(kernel, "zero") == 0);
    assert_null(jit_symbol(kernel, "big"));
    assert_null(jit_symbol(kernel, "nothing"));
    assert_null(jit_symbol(kernel, "malloc"));
    jit_release(kernel);
}

/* Signed overflow wraps where the source asks for it, NaN compares as it should, and sums are in
 * the order that was written. */
static void test_arithmetic(void **state)
{
    struct jit_kernel *kernel = compile(*state, engine,
                                        "/* -fwrapv */\n"
                                        "int grows(int i) { return i + 1 > i; }\n"
                                        "int is_nan(double x) { return x != x; }\n"
                                        "double sum(int n, const double *x) { double s = 0; for "
                                        "(int i = 0; i < n; i++) s += x[i]; return s; }\n",
                                        NULL);
    assert_int_equal(FUNCTION(kernel, "grows", int (*)(int))(2147483647), 0);
    assert_int_equal(FUNCTION(kernel, "is_nan", int (*)(double))(NAN), 1);
    double x[64] = {1e100, 1, -1e100};
    assert_true(FUNCTION(kernel, "sum", double (*)(int, const double *))(64, x) == 0);
    jit_release(kernel);
}

static void test_standard_headers(void **state)
{
    struct jit_kernel *kernel = compile(
        *state, engine,
        "#include <complex.h>\n#include <limits.h>\n#include <float.h>\n#include "
        "<math.h>\n#include <stdbool.h>\n"
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "bool f(int64_t a, uint8_t b) { return a == INT64_MAX && b == UINT8_MAX && sizeof(size_t) "
        "== sizeof(ptrdiff_t); }\n"
        "double g(double x) { return fmax(sqrt(x), x > 3 ? -INFINITY : NAN) + fabs(cabs(3.0 + 4.0 "
        "* I) - 5.0); }\n"
        "int *h(void) { int *p = malloc(2 * sizeof *p); memset(p, 0, 2 * sizeof *p); p[1] = "
        "INT32_C(7); return p; }\n",
        NULL);
    assert_true(FUNCTION(kernel, "f", bool (*)(int64_t, uint8_t))(INT64_MAX, 255));
    assert_true(FUNCTION(kernel, "g", double (*)(double))(16.0) == 4);
    int *p = FUNCTION(kernel, "h", int *(*)(void))();
    assert_int_equal(p[1], 7);
    free(p);
    jit_release(kernel);
}

static void test_syntax_error(void **state)
{
    char *error =
        fail_to_compile(*state, engine, "int f(void)\n{\n    return 1 +;\n}\n", JIT_REJECTED);
    assert_contains(error, "kernel.c:3:");
    assert_contains(error, "error:");
    assert_null(strstr(error, "/tmp/"));
    free(error);
    /* Nothing of that is left behind. */
    test_spmv(state);
}

static void test_unresolved_function(void **state)
{
    char *error = fail_to_compile(
        *state, engine, "int no_such_function(int); int f(int i) { return no_such_function(i); }",
        JIT_NO_SYMBOL);
    assert_contains(error, "no_such_function");
    free(error);
}

static void test_missing_function(void **state)
{
    static const char *const names[] = {"f", "g", NULL};
    struct jit_kernel *kernel = NULL;
    char *error = NULL;
    assert_int_equal(
        jit_compile(*state, engine, "int f(void) { return 1; }", names, &kernel, NULL, &error),
        JIT_NO_SYMBOL);
    assert_contains(error, "does not define g");
    free(error);
    /* An error that nobody wants is no leak. */
    assert_int_equal(
        jit_compile(*state, engine, "int f(void) { return 1; }", names, &kernel, NULL, NULL),
        JIT_NO_SYMBOL);
    assert_int_equal(jit_compile(*state, engine, "int f(", names, &kernel, NULL, NULL),
                     JIT_REJECTED);
}

static void test_same_source_same_kernel(void **state)
{
    struct jit_times times;
    struct jit_kernel *a = compile(*state, engine, spmv_source, &times);
    assert_int_equal(times.origin, JIT_COMPILED);
    assert_true(times.compile_ms > 0 && times.total_ms >= times.compile_ms);
    struct jit_kernel *b = compile(*state, engine, spmv_source, &times);
    assert_int_equal(times.origin, JIT_FROM_MEMORY);
    assert_ptr_equal(a, b);
    jit_release(a);
    assert_non_null(jit_symbol(b, "spmv"));
    jit_release(b);
    jit_release(compile(*state, engine, spmv_source, &times));
    assert_int_equal(times.origin, JIT_COMPILED);
}

static void test_kernel_outlives_its_jit(void **state)
{
    (void)state;
    struct jit *jit = new_jit(NULL);
    struct jit_kernel *kernel = compile(jit, engine, "int f(void) { return 7; }", NULL);
    jit_free(jit);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 7);
    jit_release(kernel);
}

/* The size of the program's address space, in pages. */
static long pages(void)
{
    long n = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    for (int c; file && (c = getc(file)) != EOF;)
        n += c == '\n';
    if (file)
        fclose(file);
    return n;
}

/* Loading and unloading leaves no mapping behind. */
static void test_unload(void **state)
{
    int count = engine == JIT_CLANG ? 200 : 20;
    long before = 0;
    for (int i = 0; i < count; i++) {
        char source[100];
        sprintf(source, "static int data[3000]; int f(int i) { data[i] += %d; return data[i]; }",
                i);
        struct jit_kernel *kernel = compile(*state, engine, source, NULL);
        assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(5), i);
        jit_release(kernel);
        if (i == count / 4)
            before = pages();
    }
    /* The allocator may take a mapping or two; a kernel would take three. */
    assert_true(pages() < before + count / 2);
}

/* No page of a kernel is writable and executable. */
static void test_protection(void **state)
{
    struct jit_kernel *kernel =
        compile(*state, engine, "int d = 1; int f(void) { return d; }", NULL);
    char line[4500];
    unsigned long code = (unsigned long)(uintptr_t)address_of(kernel, "f");
    int found = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned long begin, end;
        char flags[5];
        assert_int_equal(sscanf(line, "%lx-%lx %4s", &begin, &end, flags), 3);
        if (code >= begin && code < end) {
            found++;
            assert_memory_equal(flags, "r-x", 3);
        }
    }
    fclose(file);
    assert_int_equal(found, 1);
    jit_release(kernel);
}

enum { THREADS = 4, ROUNDS = 5 };

struct worker {
    struct jit *jit;
    int number, wrong;
};

/* Some sources are this thread's own, some all threads ask for at once. */
static void *work(void *data)
{
    struct worker *w = data;
    for (int i = 0; i < ROUNDS; i++) {
        char own[100], common[100];
        struct jit_kernel *a = NULL, *b = NULL;
        sprintf(own, "int f(int i) { return i * %d + %d; }", w->number + 1, i);
        sprintf(common, "int g(int i) { return i * i + %d; }", i);
        if (jit_compile(w->jit, engine, own, NULL, &a, NULL, NULL) != JIT_OK
            || jit_compile(w->jit, engine, common, NULL, &b, NULL, NULL) != JIT_OK) {
            w->wrong++;
        } else {
            w->wrong += FUNCTION(a, "f", int (*)(int))(10) != 10 * (w->number + 1) + i;
            w->wrong += FUNCTION(b, "g", int (*)(int))(10) != 100 + i;
        }
        jit_release(a);
        jit_release(b);
        w->wrong += jit_compile(w->jit, engine, "int f(int i) { return ; ", NULL, &a, NULL, NULL)
                    != JIT_REJECTED;
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t thread[THREADS];
    struct worker worker[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker[i] = (struct worker){*state, i, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(worker[i].wrong, 0);
    }
}

static void test_flags_and_levels(void **state)
{
    (void)state;
    static const char *const flags[] = {"-DANSWER=42", NULL};
    for (int level = -1; level <= 3; level++) {
        struct jit *jit = new_jit(&(struct jit_options){.flags = flags, .level = level});
        struct jit_kernel *kernel = compile(jit, engine, "int f(void) { return ANSWER; }", NULL);
        assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 42);
        jit_release(kernel);
        jit_free(jit);
    }
    static const char *const wrong[] = {"-fno-such-flag-anywhere", NULL};
    struct jit *jit = new_jit(&(struct jit_options){.flags = wrong});
    char *error = fail_to_compile(jit, engine, "int f;", JIT_REJECTED);
    assert_contains(error, "no-such-flag");
    free(error);
    jit_free(jit);
}

/* What our own loader does not take goes by the system's linker: here, a constructor. */
static void test_constructor(void **state)
{
    struct jit_kernel *kernel = compile(
        *state, engine,
        "static int ready; __attribute__((constructor)) static void start(void) { ready = 6; }\n"
        "static __thread int calls; int f(void) { calls++; return ready + calls; }\n"
        "void free(void *); void give(void *p) { free(p); }\n",
        NULL);
    int (*f)(void) = FUNCTION(kernel, "f", int (*)(void));
    assert_int_equal(f(), 7);
    assert_int_equal(f(), 8);
    /* what it uses is not what it defines */
    assert_null(jit_symbol(kernel, "free"));
    /* A second one is not taken for the first. */
    struct jit_kernel *other = compile(
        *state, engine,
        "static int ready; __attribute__((constructor)) static void start(void) { ready = 60; }\n"
        "int f(void) { return ready; }\n",
        NULL);
    assert_int_equal(FUNCTION(other, "f", int (*)(void))(), 60);
    jit_release(kernel);
    jit_release(other);
}

/* Every file that was opened is closed. */
static void test_descriptors(void **state)
{
    size_t before = count_files("/proc/self/fd");
    char *cache = new_directory();
    for (int i = 0; i < 3; i++) {
        struct jit *jit = new_jit(&(struct jit_options){.cache = cache});
        jit_release(compile(jit, engine, spmv_source, NULL));
        free(fail_to_compile(jit, engine, "int f(", JIT_REJECTED));
        jit_free(jit);
    }
    test_spmv(state);
    assert_int_equal(count_files("/proc/self/fd"), before);
    remove_directory(cache);
}

/* LLVM may not know the processor's name, or Clang not what LLVM calls it. */
static void test_processor_names(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "generic", "no-such-processor"};
    struct sha256 unused;
    struct clang clang;
    char *error = NULL;
    if (engine != JIT_CLANG)
        return;
    clang_init(&clang, NULL);
    sha256_start(&unused);
    assert_int_equal(clang_identify(&clang, &unused, &error), JIT_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct clang_request request = {.source = spmv_source, .level = 2, .cpu = names[i]};
        void *object = NULL;
        size_t size = 0;
        if (clang_compile(&clang, &request, NULL, &object, &size, &error) != JIT_OK)
            fail_msg("%s: %s", names[i] ? names[i] : "(native)", error);
        assert_true(size > 100);
        free(object);
    }
    clang_close(&clang);
}

static void test_engine_name(void **state)
{
    char *error = NULL, *name = jit_engine_name(*state, engine, &error);
    assert_non_null(name);
    assert_null(error);
    if (engine == JIT_CLANG)
        assert_contains(name, "clang ");
    free(name);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(spmv),
        TEST(memory_functions),
        TEST(host_memory),
        TEST(mathematical_functions),
        TEST(complex_numbers),
        TEST(vector_types),
        TEST(constant_data),
        TEST(switch_table),
        TEST(variables),
        TEST(arithmetic),
        TEST(standard_headers),
        TEST(syntax_error),
        TEST(unresolved_function),
        TEST(missing_function),
        TEST(same_source_same_kernel),
        TEST(kernel_outlives_its_jit),
        TEST(unload),
        TEST(protection),
        TEST(threads),
        TEST(flags_and_levels),
        TEST(constructor),
        TEST(descriptors),
        TEST(processor_names),
        TEST(engine_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
