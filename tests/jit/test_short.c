/* test_short.c - Clang in a process that is short of memory: a kernel, or an error; the process
 * goes on.
 *
 * Each attempt is a process of its own with a limit on its address space, from the start or from
 * some moment in the middle of a compilation on.  Which of the two it gets there is open; what it
 * does not get is an end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, RIGHT = 10, REFUSED, WRONG };

static const char small[] = "int f(int i) { return i + 1; }";

/* A function that takes a while to compile. */
static const char *large(void)
{
    enum { LOOPS = 60 };
    static char source[LOOPS * 160 + 200];
    char *at = source + sprintf(source, "int f(int n) { static int a[64], b[64]; int s = 0;\n");
    for (int k = 0; k < LOOPS; k++)
        at +=
            sprintf(at,
                    "for (int i = 0; i < 64; i++) { a[i] += b[i] * %d + n; if (a[i] > s) s = a[i]; "
                    "b[63 - i] ^= s; }\n",
                    k);
    sprintf(at, "return n + 1; }");
    return source;
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;
    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n;
}

static void limit_to(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

static rlim_t in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        _exit(WRONG);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static int attempt(struct jit *jit, enum jit_engine engine, const char *source)
{
    struct jit_kernel *kernel = NULL;
    char *error = NULL;
    enum jit_status status = jit_compile(jit, engine, source, NULL, &kernel, NULL, &error);
    int result = WRONG;
    if (status == JIT_OK)
        result = FUNCTION(kernel, "f", int (*)(int))(4) == 5 ? RIGHT : WRONG;
    else if (status == JIT_NO_MEMORY || status == JIT_NO_COMPILER)
        result = REFUSED;
    if (result == WRONG)
        fprintf(stderr, "status %d: %s\n", (int)status, error ? error : "");
    if (kernel)
        jit_release(kernel);
    free(error);
    return result;
}

/* In a child: limited from the start. */
static int limited_from_the_start(int mib)
{
    int before = count_descriptors();
    struct jit *jit = new_jit(NULL);
    limit_to((rlim_t)mib * MIB);
    int result = attempt(jit, JIT_CLANG, large());
    attempt(jit, JIT_CLANG, small);
    limit_to(RLIM_INFINITY);
    jit_free(jit);
    /* what is opened once stays open */
    return count_descriptors() == before || result == RIGHT ? result : WRONG;
}

static void *limit_after(void *data)
{
    usleep((useconds_t) * (int *)data);
    limit_to(in_use());
    return NULL;
}

/* In a child: from some moment on there is no more than there is. */
static int limited_in_the_middle(int microseconds)
{
    struct jit *jit = new_jit(NULL);
    pthread_t thread;
    mallopt(M_ARENA_MAX, 1); /* a thread's own has address space for long */
    if (attempt(jit, JIT_CLANG, small) != RIGHT
        || pthread_create(&thread, NULL, limit_after, &microseconds) != 0)
        return WRONG;
    int before = count_descriptors(), result = attempt(jit, JIT_CLANG, large());
    pthread_join(thread, NULL);
    limit_to(RLIM_INFINITY);
    if (result == REFUSED && attempt(jit, JIT_CC, "int f(int i) { return 1 + i; }") == WRONG)
        return WRONG;
    jit_free(jit);
    return count_descriptors() == before ? result : WRONG;
}

static int in_a_child(int (*body)(int), int argument)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(body(argument));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != RIGHT && WEXITSTATUS(status) != REFUSED))
        fail_msg("with %d: %s %d", argument, WIFEXITED(status) ? "exit" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void test_from_the_start(void **state)
{
    (void)state;
    assert_int_equal(in_a_child(limited_from_the_start, 50), REFUSED);
    for (int mib = 100; mib < 1200; mib += 70)
        in_a_child(limited_from_the_start, mib);
    assert_int_equal(in_a_child(limited_from_the_start, 16384), RIGHT);
}

static void test_in_the_middle(void **state)
{
    int refused = 0;
    (void)state;
    for (int microseconds = 0; microseconds < 300000; microseconds = microseconds * 3 / 2 + 1000)
        refused += in_a_child(limited_in_the_middle, microseconds) == REFUSED;
    printf("%d compilations had no memory\n", refused);
}

int main(int argc, char **argv)
{
    engine_of(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_from_the_start),
                                       cmocka_unit_test(test_in_the_middle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
