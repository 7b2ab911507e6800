/* test_many.c - sixteen processes that start at once on one cache, and as many threads on one jit.
 *
 *     test_many ENGINE               the test
 *     test_many ENGINE CACHE         one of the processes: waits for the end of standard input,
 *                                    then compiles
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PROCESSES = 16 };

static char **arguments;
static enum jit_engine engine;

static const char source[] =
    "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i % 7; return s; }";

/* 0, or what went wrong. */
static int be_one_of_many(const char *cache)
{
    struct jit_options options = {.size = sizeof options, .cache = cache};
    struct jit *jit;
    struct jit_kernel *kernel;
    char *error = NULL, byte;
    while (read(0, &byte, 1) > 0)
        continue;
    if (jit_new(&options, &jit, &error) != JIT_OK)
        return 1;
    if (jit_note(jit)) {
        fprintf(stderr, "%s\n", jit_note(jit));
        return 2;
    }
    if (jit_compile(jit, engine, source, NULL, &kernel, NULL, &error) != JIT_OK) {
        fprintf(stderr, "%s\n", error);
        return 3;
    }
    int wrong = FUNCTION(kernel, "f", int (*)(int))(8) != 0 + 1 + 4 + 2 + 2 + 4 + 1 + 0;
    jit_release(kernel);
    jit_free(jit);
    return wrong ? 4 : 0;
}

static void run_many(char *cache)
{
    char *argv[] = {arguments[0], arguments[1], cache, NULL};
    pid_t pid[PROCESSES];
    int gate[2];
    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, gate[0], 0);
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(posix_spawn(&pid[i], "/proc/self/exe", &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(gate[0]);
    close(gate[1]); /* go */
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static void check_hit(const char *cache)
{
    struct jit *jit = new_jit(&(struct jit_options){.cache = cache});
    struct jit_times times;
    jit_release(compile(jit, engine, source, &times));
    assert_int_equal(times.origin, JIT_FROM_DISK);
    jit_free(jit);
}

static void test_empty_cache(void **state)
{
    (void)state;
    char *parent = new_directory(), *cache;
    assert_true(asprintf(&cache, "%s/not/there/yet", parent) > 0);
    run_many(cache);
    assert_int_equal(count_files(cache), 1);
    check_hit(cache);
    run_many(cache); /* and all from the disk */
    assert_int_equal(count_files(cache), 1);
    free(cache);
    remove_directory(parent);
}

static void damage(const char *directory)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        int fd = openat(dirfd(dir), entry->d_name, O_WRONLY);
        assert_int_equal(pwrite(fd, "damage", 6, 300), 6);
        close(fd);
    }
    closedir(dir);
}

static void test_damaged_cache(void **state)
{
    (void)state;
    char *cache = new_directory();
    struct jit *jit = new_jit(&(struct jit_options){.cache = cache});
    jit_release(compile(jit, engine, source, NULL));
    jit_free(jit);
    damage(cache);
    run_many(cache);
    /* One may have removed what another had just put there, so there is one file or none, and
     * none broken. */
    assert_true(count_files(cache) <= 1);
    run_many(cache);
    check_hit(cache);
    remove_directory(cache);
}

/* ---- threads ---- */

struct worker {
    struct jit *jit;
    pthread_t thread;
    int number;
    bool right;
};

/* What all compile, and what nobody else does. */
static void *compile_two(void *data)
{
    struct worker *worker = data;
    char own[100], *error = NULL;
    const char *text[] = {source, own};
    const int expected[] = {14, worker->number};
    snprintf(own, sizeof own, "int f(int n) { return %d + 0 * n; }", worker->number);
    worker->right = true;
    for (int k = 0; k < 2 && worker->right; k++) {
        struct jit_kernel *kernel = NULL;
        worker->right =
            jit_compile(worker->jit, engine, text[k], NULL, &kernel, NULL, &error) == JIT_OK
            && ((int (*)(int))(uintptr_t)jit_symbol(kernel, "f"))(8) == expected[k];
        jit_release(kernel);
        free(error);
    }
    return NULL;
}

static void test_threads(void **state)
{
    struct worker worker[PROCESSES];
    char *cache = new_directory();
    struct jit *jit = new_jit(&(struct jit_options){.cache = cache});
    (void)state;
    for (int w = 0; w < PROCESSES; w++) {
        worker[w] = (struct worker){.jit = jit, .number = w};
        assert_int_equal(pthread_create(&worker[w].thread, NULL, compile_two, &worker[w]), 0);
    }
    for (int w = 0; w < PROCESSES; w++)
        assert_int_equal(pthread_join(worker[w].thread, NULL), 0);
    for (int w = 0; w < PROCESSES; w++)
        assert_true(worker[w].right);
    assert_int_equal(count_files(cache), 1 + PROCESSES);
    jit_free(jit);
    remove_directory(cache);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    arguments = argv;
    if (argc > 2)
        return be_one_of_many(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_cache),
        cmocka_unit_test(test_damaged_cache),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
