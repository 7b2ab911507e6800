/* test_fatal.c - when Clang itself fails, the host goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char good[] = "int f(int i) { return i + 1; }";
static const char fatal[] = "#pragma clang __debug llvm_fatal_error\nint f;";
static const char crash[] = "#pragma clang __debug crash\nint f;";
/* Clang accepts it, code generation does not. */
static const char hopeless[] =
    "register unsigned long frame __asm__(\"rbp\"); unsigned long f(void) { return frame; }";

static void check_good(struct jit *jit)
{
    struct jit_kernel *kernel = compile(jit, JIT_CLANG, good, NULL);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(4), 5);
    jit_release(kernel);
}

static void test_fatal_error(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        struct jit *jit = new_jit(&(struct jit_options){.catch_crashes = round >= 2});
        char *error = fail_to_compile(jit, JIT_CLANG, fatal, JIT_REJECTED);
        assert_contains(error, "gave up");
        free(error);
        check_good(jit);
        jit_free(jit);
    }
}

static void test_code_generation_error(void **state)
{
    (void)state;
#ifdef __x86_64__
    struct jit *jit = new_jit(NULL);
    char *error = fail_to_compile(jit, JIT_CLANG, hopeless, JIT_REJECTED);
    assert_contains(error, "rbp");
    free(error);
    check_good(jit);
    jit_free(jit);
#endif
}

/* On request; and the host's signal handlers are its own again afterwards. */
static void test_crash(void **state)
{
    (void)state;
    static const int number[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP};
    enum { N = sizeof number / sizeof *number };
    struct sigaction before[N], after;
    for (int i = 0; i < N; i++)
        sigaction(number[i], NULL, &before[i]);
    struct jit *jit = new_jit(&(struct jit_options){.catch_crashes = true});
    check_good(jit);
    char *error = fail_to_compile(jit, JIT_CLANG, crash, JIT_REJECTED);
    assert_contains(error, "crashed on this source");
    free(error);
    /* That process's Clang cannot be trusted any more; other engines, and what is loaded, can. */
    error = fail_to_compile(jit, JIT_CLANG, good, JIT_NO_COMPILER);
    assert_contains(error, "crashed before");
    free(error);
    struct jit_kernel *kernel = compile(jit, JIT_CC, good, NULL);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(4), 5);
    jit_release(kernel);
    jit_free(jit);
    for (int i = 0; i < N; i++) {
        sigaction(number[i], NULL, &after);
        assert_true(after.sa_handler == before[i].sa_handler);
    }
}

static void *fail_often(void *data)
{
    for (int i = 0; i < 5; i++) {
        struct jit_kernel *kernel;
        char *error = NULL, source[200];
        sprintf(source, "/* %d %p */\n%s", i, (void *)&i, fatal);
        if (jit_compile(data, JIT_CLANG, source, NULL, &kernel, NULL, &error) != JIT_REJECTED)
            abort();
        free(error);
    }
    return NULL;
}

/* While one thread's compilations fail, another's do not. */
static void test_threads(void **state)
{
    (void)state;
    struct jit *jit = new_jit(NULL);
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, fail_often, jit), 0);
    for (int i = 0; i < 10; i++)
        check_good(jit);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    jit_free(jit);
}

static void *compile_deep(void *data)
{
    struct jit_kernel *kernel = NULL;
    enum { TERMS = 3000 };
    char *source = malloc(64 + 8 * TERMS), *at = source;
    at += sprintf(at, "int f(int i) { return i");
    for (int i = 0; i < TERMS; i++)
        at += sprintf(at, "+i*%d", i % 10);
    sprintf(at, "; }");
    jit_compile(data, JIT_CLANG, source, NULL, &kernel, NULL, NULL);
    free(source);
    return kernel;
}

/* A thread of the host's with little stack may compile what recurses deeply. */
static void test_small_stack(void **state)
{
    (void)state;
    struct jit *jit = new_jit(NULL);
    pthread_attr_t attributes;
    pthread_t thread;
    void *kernel = NULL;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN < 65536 ? 65536 : PTHREAD_STACK_MIN);
    assert_int_equal(pthread_create(&thread, &attributes, compile_deep, jit), 0);
    pthread_join(thread, &kernel);
    pthread_attr_destroy(&attributes);
    assert_non_null(kernel);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(2), 2 + 2 * 45 * 300);
    jit_release(kernel);
    jit_free(jit);
}

int main(int argc, char **argv)
{
    engine_of(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatal_error), cmocka_unit_test(test_code_generation_error),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_small_stack),
        cmocka_unit_test(test_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
