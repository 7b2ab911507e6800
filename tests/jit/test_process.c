/* test_process.c - the C compiler as another process: missing, broken, killed, and what it may see
 * of us.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/jit/process.h"

static const char source[] = "int f(void) { return 3; }";

static int set_up(void **state)
{
    *state = new_directory();
    return 0;
}

static int tear_down(void **state)
{
    remove_directory(*state);
    return 0;
}

/* The error of compiling with the given command as the C compiler, to free(). */
static char *error_of(const char *command, enum jit_status expected)
{
    struct jit *jit = new_jit(&(struct jit_options){.cc = command});
    char *error = fail_to_compile(jit, JIT_CC, source, expected);
    jit_free(jit);
    return error;
}

static void test_missing_compiler(void **state)
{
    (void)state;
    char *error = error_of("no-such-compiler -x", JIT_NO_COMPILER);
    assert_contains(error, "no-such-compiler");
    free(error);
    setenv("SPCC_CC", "neither-this", 1);
    error = error_of(NULL, JIT_NO_COMPILER);
    assert_contains(error, "neither-this");
    assert_contains(error, "SPCC_CC");
    free(error);
    unsetenv("SPCC_CC");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent:", 1);
    error = error_of(NULL, JIT_NO_COMPILER);
    assert_contains(error, "cc, gcc and clang");
    free(error);
    setenv("PATH", path, 1);
    free(path);
}

static void test_not_a_program(void **state)
{
    char *script = write_text(*state, "cc", "#!/no/such/interpreter\n", 0700);
    char *error = error_of(script, JIT_NO_COMPILER);
    assert_contains(error, "cannot be run");
    free(error);
    free(script);
    script = write_text(*state, "not-executable", "#!/bin/sh\n", 0600);
    free(error_of(script, JIT_NO_COMPILER));
    free(script);
}

static void test_killed_compiler(void **state)
{
    char *script =
        write_text(*state, "a compiler", "#!/bin/sh\necho going down >&2\nkill -SEGV $$\n", 0700);
    char *error = error_of(script, JIT_REJECTED);
    assert_contains(error, "killed by signal 11");
    assert_contains(error, "going down");
    free(error);
    free(script);
}

static void test_failing_compilers(void **state)
{
    char *silent = write_text(*state, "silent", "#!/bin/sh\nexit 3\n", 0700);
    char *error = error_of(silent, JIT_REJECTED);
    assert_contains(error, "exit status 3");
    free(error);
    free(silent);
    /* says yes and does nothing */
    char *lazy = write_text(*state, "lazy", "#!/bin/sh\nexit 0\n", 0700);
    free(error_of(lazy, JIT_REJECTED));
    free(lazy);
    char *liar = write_text(
        *state, "liar", "#!/bin/sh\nfor a; do case $a in *.o) echo junk >$a;; esac; done\n", 0700);
    free(error_of(liar, JIT_SYSTEM));
    free(liar);
    char *loud = write_text(*state, "loud", "#!/bin/sh\nseq 20000\nexit 1\n", 0700);
    error = error_of(loud, JIT_REJECTED);
    assert_true(strlen(error) <= PROCESS_OUTPUT);
    assert_contains(error, "1\n2\n3\n");
    free(error);
    free(loud);
}

/* The compiler sees standard descriptors, an end of file, default signals, and no other file of
 * ours; what it leaves in TMPDIR is gone afterwards. */
static void test_what_the_compiler_sees(void **state)
{
    char *seen, *script, text[1000];
    assert_true(asprintf(&seen, "%s/seen", (char *)*state) > 0);
    sprintf(
        text,
        "#!/bin/sh\n{ ls /proc/self/fd | wc -l; cat; grep -E 'SigBlk|SigIgn' /proc/self/status\n"
        "echo $TMPDIR; } >%s 2>&1\ntouch $TMPDIR/left\nexec cc \"$@\"\n",
        seen);
    script = write_text(*state, "cc", text, 0700);
    int leaked = open("/dev/null", O_RDONLY), low = dup2(leaked, 57);
    assert_true(leaked >= 0 && low == 57);
    sigset_t mask, before;
    sigfillset(&mask);
    sigprocmask(SIG_BLOCK, &mask, &before);
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    struct jit *jit = new_jit(&(struct jit_options){.cc = script});
    jit_release(compile(jit, JIT_CC, source, NULL));
    jit_free(jit);
    signal(SIGPIPE, old);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(leaked);
    close(low);
    FILE *file = fopen(seen, "r");
    int descriptors = 0;
    unsigned long long blocked = 1, ignored = 1;
    char directory[200] = "";
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d SigBlk: %llx SigIgn: %llx %199s", &descriptors, &blocked,
                            &ignored, directory),
                     4);
    fclose(file);
    /* 0, 1, 2 and the directory that ls reads */
    assert_int_equal(descriptors, 4);
    assert_int_equal(blocked, 0);
    assert_int_equal(ignored & 1ULL << (SIGPIPE - 1), 0);
    assert_contains(directory, "spcc-");
    assert_int_not_equal(access(directory, F_OK), 0);
    free(seen);
    free(script);
}

/* A host that does not want to hear of its children. */
static void test_ignored_children(void **state)
{
    (void)state;
    void (*old)(int) = signal(SIGCHLD, SIG_IGN);
    struct jit *jit = new_jit(NULL);
    struct jit_kernel *kernel = compile(jit, JIT_CC, source, NULL);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 3);
    free(fail_to_compile(jit, JIT_CC, "int f(", JIT_REJECTED));
    jit_release(kernel);
    jit_free(jit);
    signal(SIGCHLD, old);
}

static void test_no_zombies(void **state)
{
    (void)state;
    struct jit *jit = new_jit(NULL);
    jit_release(compile(jit, JIT_CC, source, NULL));
    free(fail_to_compile(jit, JIT_CC, "int f(", JIT_REJECTED));
    jit_free(jit);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* A host without standard descriptors: what the compiler writes must not go to a file of ours. */
static void test_closed_descriptors(void **state)
{
    (void)state;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        for (int i = 0; i < 3; i++)
            close(i);
        struct jit *jit = NULL;
        struct jit_kernel *kernel = NULL;
        char *error = NULL;
        struct jit_options options = {.size = sizeof options, .cache = ""};
        if (jit_new(&options, &jit, NULL) != JIT_OK)
            _exit(1);
        if (jit_compile(jit, JIT_CC, "int f(", NULL, &kernel, NULL, &error) != JIT_REJECTED
            || !error || !strstr(error, "kernel.c:1"))
            _exit(2);
        _exit(jit_compile(jit, JIT_CC, source, NULL, &kernel, NULL, NULL) == JIT_OK ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_no_temporary_directory(void **state)
{
    (void)state;
    setenv("TMPDIR", "/no/such/directory", 1);
    struct jit *jit = new_jit(NULL);
    char *error = fail_to_compile(jit, JIT_CC, source, JIT_SYSTEM);
    assert_contains(error, "temporary directory for the compiler in /no/such/directory: ");
    free(error);
    unsetenv("TMPDIR");
    jit_release(compile(jit, JIT_CC, source, NULL));
    jit_free(jit);
}

/* No shell is involved: what would be special to one is an argument like any other. */
static void test_no_shell(void **state)
{
    char *mark;
    char flag[300];
    assert_true(asprintf(&mark, "%s/mark", (char *)*state) > 0);
    sprintf(flag, "-DX=1;touch${IFS}%s", mark);
    const char *const flags[] = {flag, "-DY=$(touch mark)", "-DZ=\"a b\"", NULL};
    struct jit *jit = new_jit(&(struct jit_options){.flags = flags});
    struct jit_kernel *kernel = compile(jit, JIT_CC, "const char *f(void) { return Z; }", NULL);
    assert_string_equal(FUNCTION(kernel, "f", const char *(*)(void))(), "a b");
    assert_int_not_equal(access(mark, F_OK), 0);
    jit_release(kernel);
    jit_free(jit);
    free(mark);
}

static void test_missing_plugin(void **state)
{
    struct jit *jit = new_jit(&(struct jit_options){.plugin = "/no/such/plugin.so"});
    char *error = fail_to_compile(jit, JIT_CLANG, source, JIT_NO_COMPILER);
    assert_contains(error, "/no/such/plugin.so");
    free(error);
    assert_null(jit_engine_name(jit, JIT_CLANG, &error));
    free(error);
    jit_free(jit);
    char *file = write_text(*state, "plugin.so", "not a library", 0600);
    jit = new_jit(&(struct jit_options){.plugin = file});
    error = fail_to_compile(jit, JIT_CLANG, source, JIT_NO_COMPILER);
    assert_contains(error, "not available");
    free(error);
    jit_free(jit);
    free(file);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(missing_compiler),  TEST(not_a_program),          TEST(killed_compiler),
        TEST(failing_compilers), TEST(what_the_compiler_sees), TEST(ignored_children),
        TEST(no_zombies),        TEST(closed_descriptors),     TEST(no_temporary_directory),
        TEST(no_shell),          TEST(missing_plugin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
