/* test_memory.c - what allocates memory fails, once, at every step there is.
 *
 * The linker gives every allocation in runtime/jit to the functions below (--wrap).  A kernel is
 * compiled, found on disk and found in memory with the n-th allocation failing, for n = 0, 1, ...
 * until none fails: each time it works or there is an error; the sanitizers see to it that nothing
 * is lost.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <stdio.h>
#include <string.h>

static struct {
    long left; /* successful allocations until one fails; negative: none fails */
    bool failed;
} allocations;

static bool fails(void)
{
    if (allocations.left < 0)
        return false;
    if (allocations.left-- > 0)
        return false;
    return allocations.failed = true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *s);
int __real_vasprintf(char **text, const char *format, va_list args);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *s);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What these are called where they are checked (_FORTIFY_SOURCE). */
int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list args);
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
char *__wrap_strdup(const char *s) { return fails() ? NULL : __real_strdup(s); }

/* On failure the contents of *text are undefined: this makes them so. */
int __wrap_vasprintf(char **text, const char *format, va_list args)
{
    if (!fails())
        return __real_vasprintf(text, format, args);
    *text = (char *)(uintptr_t)1;
    return -1;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __wrap_vasprintf(text, format, args);
    va_end(args);
    return n;
}

int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list args)
{
    (void)flag;
    return __wrap_vasprintf(text, format, args);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list args;
    (void)flag;
    va_start(args, format);
    int n = __wrap_vasprintf(text, format, args);
    va_end(args);
    return n;
}

/* Asks for OpenMP, but does not start its threads. */
static const char source[] =
    "double exp(double); int a, *const b[] = {&a};\n"
    "int f(int i)\n{\n    *b[0] = (int)exp(i);\n"
    "    if (i > 0) {\n#pragma omp parallel for\n    for (int k = 0; k < i; k++) exp(k);\n    }\n"
    "    return a + i;\n}\n";
static const char wrong[] = "int f(";

/* Everything once.  True if all of it worked. */
static bool use_jit(const char *cache, const char *text, enum jit_status expected)
{
    static const char *const names[] = {"f", NULL}, *const flags[] = {"-DA", NULL};
    struct jit_options options = {.size = sizeof options, .cache = cache, .flags = flags};
    struct jit *jit = NULL;
    struct jit_kernel *kernel[2] = {NULL, NULL};
    enum jit_status status[2] = {JIT_NO_MEMORY, JIT_NO_MEMORY};
    char *error = NULL;
    if (jit_new(&options, &jit, &error) == JIT_OK)
        for (int i = 0; i < 2; i++) {
            status[i] = jit_compile(jit, JIT_CC, text, names, &kernel[i], NULL, &error);
            if (status[i] == JIT_OK)
                assert_int_equal(FUNCTION(kernel[i], "f", int (*)(int))(0), 1);
            else
                free(error);
        }
    else
        free(error);
    jit_free(jit);
    for (int i = 0; i < 2; i++)
        if (status[i] == JIT_OK)
            jit_release(kernel[i]);
    return status[0] == expected && status[1] == expected;
}

/* The number of allocations that there were to fail. */
static int fail_each(const char *cache, bool empty, const char *text, enum jit_status expected)
{
    for (int n = 0; n < 2000; n++) {
        char *own = empty ? new_directory() : NULL;
        allocations.failed = false;
        allocations.left = n;
        bool worked = use_jit(empty ? own : cache, text, expected);
        allocations.left = -1;
        if (own)
            remove_directory(own);
        if (!allocations.failed) {
            assert_true(worked);
            return n;
        }
    }
    fail_msg("no end");
    return 0;
}

static void test_disk_hit(void **state)
{
    (void)state;
    char *cache = new_directory();
    allocations.left = -1;
    assert_true(use_jit(cache, source, JIT_OK));
    assert_true(fail_each(cache, false, source, JIT_OK) > 20);
    remove_directory(cache);
}

static void test_compilation(void **state)
{
    (void)state;
    assert_true(fail_each(NULL, true, source, JIT_OK) > 20);
}

static void test_rejection(void **state)
{
    (void)state;
    assert_true(fail_each("", false, wrong, JIT_REJECTED) > 20);
}

int main(void)
{
    allocations.left = -1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disk_hit),
        cmocka_unit_test(test_compilation),
        cmocka_unit_test(test_rejection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
