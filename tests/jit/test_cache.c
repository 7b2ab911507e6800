/* test_cache.c - the cache on disk: what is trusted, what is removed, who may write.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/jit/cache.h"
#include "runtime/jit/texts.h"

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

static void make_key(unsigned char key[SHA256_SIZE], int number)
{
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, &number, sizeof number);
    sha256_end(&hash, key);
}

static void test_sha256(void **state)
{
    (void)state;
    static const char *const text[] = {"", "abc",
                                       "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"};
    static const unsigned char first[][4] = {
        {0xe3, 0xb0, 0xc4, 0x42}, {0xba, 0x78, 0x16, 0xbf}, {0x24, 0x8d, 0x6a, 0x61}};
    static const unsigned char last[][4] = {
        {0x78, 0x52, 0xb8, 0x55}, {0xf2, 0x00, 0x15, 0xad}, {0x19, 0xdb, 0x06, 0xc1}};
    for (int i = 0; i < 3; i++) {
        unsigned char digest[SHA256_SIZE];
        struct sha256 hash;
        sha256_start(&hash);
        for (const char *at = text[i]; *at; at++)
            sha256_add(&hash, at, 1);
        sha256_end(&hash, digest);
        assert_memory_equal(digest, first[i], 4);
        assert_memory_equal(digest + 28, last[i], 4);
    }
}

static void test_put_and_get(void **state)
{
    struct cache cache;
    struct cache_entry got, one = {(char[]){"one"}, 4}, two = {(char[]){"two!"}, 5};
    unsigned char key[2][SHA256_SIZE];
    char *note = NULL, *inner;
    assert_true(asprintf(&inner, "%s/a/b/c", (char *)*state) > 0);
    make_key(key[0], 1);
    make_key(key[1], 2);
    cache_open(&cache, inner, 1 << 20, &note);
    assert_null(note);
    assert_false(cache_get(&cache, key[0], &got));
    assert_int_equal(cache_put(&cache, key[0], &one), 0);
    assert_int_equal(cache_put(&cache, key[1], &one), 0);
    assert_int_equal(cache_put(&cache, key[1], &two), 0);
    assert_int_equal(count_files(inner), 2);
    assert_true(cache_get(&cache, key[0], &got));
    assert_int_equal(got.size, 4);
    assert_string_equal(got.data, "one");
    free(got.data);
    assert_true(cache_get(&cache, key[1], &got));
    assert_string_equal(got.data, "two!");
    free(got.data);
    cache_remove(&cache, key[1]);
    assert_false(cache_get(&cache, key[1], &got));
    cache_close(&cache);
    free(inner);
}

static void refuse(const char *path, const char *why)
{
    struct cache cache;
    struct cache_entry entry = {(char[]){"x"}, 1}, got;
    unsigned char key[SHA256_SIZE] = {0};
    char *note = NULL;
    cache_open(&cache, path, 1 << 20, &note);
    assert_non_null(note);
    assert_contains(note, why);
    assert_contains(note, path);
    free(note);
    assert_int_equal(cache_put(&cache, key, &entry), 0); /* as if there were none */
    assert_false(cache_get(&cache, key, &got));
    cache_close(&cache);
}

static void test_permissions(void **state)
{
    const char *path = *state;
    assert_int_equal(chmod(path, 0770), 0);
    refuse(path, "writable by you alone");
    assert_int_equal(chmod(path, 0702), 0);
    refuse(path, "writable by you alone");
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(count_files(path), 0);
    char *file = write_text(path, "file", "", 0600);
    refuse(file, "");
    char *below;
    assert_true(asprintf(&below, "%s/below", file) > 0);
    refuse(below, "Not a directory");
    free(below);
    free(file);
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(path, 12345, (gid_t)-1), 0); /* somebody else's */
    refuse(path, "belong to you");
    assert_int_equal(chown(path, 0, (gid_t)-1), 0);
}

/* The one file of the cache: its path, to free(). */
static char *only_file(const char *directory)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    char *path = NULL;
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.' && asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
            fail_msg("no memory");
    closedir(dir);
    assert_non_null(path);
    return path;
}

static void test_damaged_files(void **state)
{
    struct cache cache;
    struct cache_entry got, entry = {(char[]){"some bytes"}, 10};
    unsigned char key[SHA256_SIZE];
    char *note;
    make_key(key, 3);
    cache_open(&cache, *state, 1 << 20, &note);
    assert_int_equal(cache_put(&cache, key, &entry), 0);
    char *path = only_file(*state);
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    for (off_t at = 0; at < s.st_size; at++) { /* every byte counts */
        char byte;
        int fd = open(path, O_RDWR);
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 4;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        close(fd);
        assert_false(cache_get(&cache, key, &got));
        assert_int_equal(count_files(*state), 0);
        assert_int_equal(cache_put(&cache, key, &entry), 0);
    }
    for (off_t size = 0; size < s.st_size; size++) {
        assert_int_equal(truncate(path, size), 0);
        assert_false(cache_get(&cache, key, &got));
        assert_int_equal(cache_put(&cache, key, &entry), 0);
    }
    assert_true(cache_get(&cache, key, &got));
    free(got.data);
    /* Another key's file under this name; one that others may write; a link; a directory; a
     * pipe. */
    unsigned char other[SHA256_SIZE];
    memcpy(other, key, SHA256_SIZE);
    other[SHA256_SIZE - 1] ^= 1;
    assert_false(cache_get(&cache, other, &got));
    assert_int_equal(cache_put(&cache, key, &entry), 0);
    assert_int_equal(chmod(path, 0660), 0);
    assert_false(cache_get(&cache, key, &got));
    assert_int_equal(cache_put(&cache, key, &entry), 0);
    char *moved;
    assert_true(asprintf(&moved, "%s-moved", path) > 0);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(cache_get(&cache, key, &got));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(cache_get(&cache, key, &got));
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(cache_get(&cache, key, &got));
    assert_int_not_equal(cache_put(&cache, key, &entry), 0);
    /* the directory and what was moved */
    assert_int_equal(count_files(*state), 2);
    free(moved);
    free(path);
    cache_close(&cache);
}

/* What cannot be opened for a moment is not damaged. */
static void test_no_descriptors(void **state)
{
    struct cache cache;
    struct cache_entry got, entry = {(char[]){"some bytes"}, 10};
    struct rlimit before, none = {0, 0};
    unsigned char key[SHA256_SIZE];
    char *note;
    make_key(key, 5);
    cache_open(&cache, *state, 1 << 20, &note);
    assert_int_equal(cache_put(&cache, key, &entry), 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_false(cache_get(&cache, key, &got));
    assert_int_equal(cache_put(&cache, key, &entry), EMFILE);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(cache_get(&cache, key, &got));
    free(got.data);
    cache_close(&cache);
}

/* A cache that is too large loses what was not used for longest, and nothing that is not its
 * own. */
static void test_limit(void **state)
{
    enum { ENTRIES = 400, SIZE = 8192 };
    struct cache cache;
    struct cache_entry got, entry = {calloc(1, SIZE), SIZE};
    unsigned char key[SHA256_SIZE];
    char *note, *foreign = write_text(*state, "letter.txt", "dear", 0600);
    char *stale = write_text(*state, "0123.1.2.kernel-new", "half", 0600);
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, stale, old, 0), 0);
    cache_open(&cache, *state, 40 * SIZE, &note);
    for (int i = 0; i < ENTRIES; i++) {
        make_key(key, i);
        assert_int_equal(cache_put(&cache, key, &entry), 0);
        make_key(key, 0);
        if (cache_get(&cache, key, &got)) /* always in use */
            free(got.data);
        else
            fail_msg("lost after %d", i);
    }
    assert_true(count_files(*state) < ENTRIES / 2);
    assert_int_equal(access(foreign, R_OK), 0);
    assert_int_not_equal(access(stale, R_OK), 0);
    cache_close(&cache);
    free(entry.data);
    free(foreign);
    free(stale);
}

static void test_standard_place(void **state)
{
    struct cache cache;
    char *note, *path;
    assert_true(asprintf(&path, "%s/spcc", (char *)*state) > 0);
    setenv("XDG_CACHE_HOME", *state, 1);
    cache_open(&cache, NULL, 1, &note);
    assert_null(note);
    assert_true(cache.directory >= 0);
    assert_int_equal(access(path, W_OK), 0);
    cache_close(&cache);
    free(path);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", *state, 1);
    cache_open(&cache, NULL, 1, &note);
    assert_true(asprintf(&path, "%s/.cache/spcc", (char *)*state) > 0);
    assert_int_equal(access(path, W_OK), 0);
    cache_close(&cache);
    free(path);
    unsetenv("HOME");
    cache_open(&cache, NULL, 1, &note);
    assert_int_equal(cache.directory, -1);
    assert_contains(note, "HOME");
    free(note);
    cache_open(&cache, "", 1, &note);
    assert_int_equal(cache.directory, -1);
    assert_null(note);
}

/* From here on: the cache as a jit uses it. */

/* The kernel calls the mathematical library, which this program does not link. */
static void test_disk_hit(void **state)
{
    static const char source[] =
        "double tgamma(double); int f(int i) { return 2 * i + (int)(tgamma(i) + 0.5); }";
    struct jit_options options = {.cache = *state};
    for (int round = 0; round < 3; round++) {
        struct jit *jit = new_jit(&options);
        struct jit_times times;
        struct jit_kernel *kernel = compile(jit, JIT_CC, source, &times);
        assert_int_equal(times.origin, round == 1 ? JIT_FROM_DISK : JIT_COMPILED);
        assert_true(round != 1 || times.compile_ms == 0);
        assert_int_equal(FUNCTION(kernel, "f", int (*)(int))(4), 8 + 6);
        jit_release(kernel);
        jit_free(jit);
        assert_int_equal(count_files(*state), 1);
        /* well-formed, but no kernel: compiled again */
        if (round == 1) {
            char *path = only_file(*state);
            assert_int_equal(truncate(path, 200), 0);
            free(path);
        }
    }
}

/* Other flags, levels, sources and compilers are other kernels. */
static void test_keys(void **state)
{
    static const char *const flags[] = {"-DX", NULL};
    struct jit_options options[] = {{.cache = *state},
                                    {.cache = *state, .level = 1},
                                    {.cache = *state, .flags = flags},
                                    {.cache = *state, .cc = "gcc"},
                                    {.cache = *state, .cc = "gcc -DX"}};
    size_t n = sizeof options / sizeof *options;
    setenv("CC", "cc -DY", 1);
    for (size_t i = 0; i < n; i++) {
        struct jit *jit = new_jit(&options[i]);
        struct jit_times times;
        struct jit_kernel *kernel = compile(jit, JIT_CC, "int f(void) { return 1; }", &times);
        assert_int_equal(times.origin, JIT_COMPILED);
        jit_release(kernel);
        kernel = compile(jit, JIT_CC, "int f(void) { return 2; }", &times);
        assert_int_equal(times.origin, JIT_COMPILED);
        assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 2);
        jit_release(kernel);
        jit_free(jit);
    }
    unsetenv("CC");
    assert_int_equal(count_files(*state), 2 * n);
}

/* A compiler that has changed, also behind a launcher, is another one. */
static void test_compiler_changes(void **state)
{
    char *cache, *launcher = write_text(*state, "launcher", "#!/bin/sh\nexec \"$@\"\n", 0700),
                 command[600];
    char *compiler = write_text(*state, "compiler", "#!/bin/sh\nexec cc \"$@\"\n", 0700);
    assert_true(asprintf(&cache, "%s/cache", (char *)*state) > 0);
    snprintf(command, sizeof command, "%s %s", launcher, compiler);
    static const enum jit_origin origin[] = {JIT_COMPILED, JIT_FROM_DISK, JIT_COMPILED};
    for (int round = 0; round < 3; round++) {
        if (round == 2)
            free(write_text(*state, "compiler", "#!/bin/sh\nexec cc -DNEW \"$@\"\n", 0700));
        struct jit *jit = new_jit(&(struct jit_options){.cache = cache, .cc = command});
        struct jit_times times;
        jit_release(compile(jit, JIT_CC, "int f(void) { return 1; }", &times));
        assert_int_equal(times.origin, origin[round]);
        jit_free(jit);
    }
    free(cache);
    free(launcher);
    free(compiler);
}

static void test_unusable_cache_is_noted(void **state)
{
    assert_int_equal(chmod(*state, 0777), 0);
    struct jit *jit = new_jit(&(struct jit_options){.cache = *state});
    assert_contains(jit_note(jit), "is not used");
    struct jit_kernel *kernel = compile(jit, JIT_CC, "int f(void) { return 1; }", NULL);
    assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 1);
    jit_release(kernel);
    jit_free(jit);
    assert_int_equal(count_files(*state), 0);
    jit = new_jit(NULL);
    assert_null(jit_note(jit));
    jit_free(jit);
}

/* A folder of ours in which nobody, not even root, can make a file. */
static void test_cache_without_room_is_noted(void **state)
{
    (void)state;
    static const char place[] = "/proc/self/task";
    if (access(place, X_OK) != 0)
        skip();
    struct jit *jit = new_jit(&(struct jit_options){.cache = place});
    struct jit_cache cache;
    assert_null(jit_note(jit));
    for (int round = 0; round < 2; round++) { /* compiled, and from memory */
        struct jit_kernel *kernel = compile(jit, JIT_CC, "int f(void) { return 1; }", NULL);
        assert_int_equal(FUNCTION(kernel, "f", int (*)(void))(), 1);
        assert_contains(jit_kernel_note(kernel),
                        "the kernel cache /proc/self/task keeps nothing new: ");
        jit_release(kernel);
    }
    assert_true(jit_look_at_cache(jit, &cache));
    assert_true(cache.used);
    assert_string_equal(cache.path, place);
    assert_contains(cache.trouble, "keeps nothing new: ");
    free(cache.trouble);
    jit_free(jit);
}

static void test_look(void **state)
{
    struct jit_cache cache;
    struct jit *jit = new_jit(&(struct jit_options){.cache = *state});
    for (size_t n = 0; n < 2; n++) {
        assert_true(jit_look_at_cache(jit, &cache));
        assert_int_equal(cache.kernels, n);
        assert_int_equal(cache.bytes > 0, n);
        assert_int_equal(cache.limit, 256 << 20);
        assert_null(cache.trouble);
        assert_int_equal(count_files(*state), n); /* the trial is gone */
        struct jit_kernel *kernel = compile(jit, JIT_CC, "int f(void) { return 1; }", NULL);
        assert_null(jit_kernel_note(kernel));
        jit_release(kernel);
    }
    jit_free(jit);
    assert_int_equal(chmod(*state, 0777), 0);
    jit = new_jit(&(struct jit_options){.cache = *state});
    assert_true(jit_look_at_cache(jit, &cache));
    assert_false(cache.used);
    assert_string_equal(cache.path, *state);
    assert_contains(cache.trouble, "is not used: it must");
    free(cache.trouble);
    jit_free(jit);
}

/* Texts beside the kernels: whole or not there. */
static void test_texts(void **state)
{
    struct cache cache, none = {.directory = -1};
    char *note = NULL, *text, *longer;
    cache_open(&cache, *state, 1 << 20, &note);
    assert_null(note);
    assert_null(texts_recall(&cache, "one"));
    assert_int_equal(texts_keep(&cache, "one", "first"), 0);
    assert_int_equal(texts_keep(&cache, "two", ""), 0);
    assert_int_equal(texts_keep(&cache, "one", "again"), 0);
    text = texts_recall(&cache, "one");
    assert_string_equal(text, "again");
    free(text);
    text = texts_recall(&cache, "two");
    assert_string_equal(text, "");
    free(text);
    assert_null(texts_recall(&cache, "on"));
    assert_int_equal(count_files(*state), 2);
    longer = calloc(1, 100001);
    memset(longer, 'x', 100000);
    assert_int_equal(texts_keep(&cache, longer, longer), 0);
    text = texts_recall(&cache, longer);
    assert_string_equal(text, longer);
    free(text);
    free(longer);
    cache_close(&cache);
    assert_int_equal(texts_keep(&none, "one", "first"), 0);
    assert_null(texts_recall(&none, "one"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        TEST(put_and_get),
        TEST(permissions),
        TEST(damaged_files),
        TEST(no_descriptors),
        TEST(limit),
        TEST(standard_place),
        TEST(disk_hit),
        TEST(keys),
        TEST(compiler_changes),
        TEST(unusable_cache_is_noted),
        TEST(cache_without_room_is_noted),
        TEST(look),
        TEST(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
