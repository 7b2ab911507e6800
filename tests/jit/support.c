/* support.c - what the tests of the JIT share.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/jit/support.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum jit_engine engine_of(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "cc";
    if (strcmp(name, "no-clang") == 0) {
        puts("spcc is built without LLVM: nothing to test here");
        exit(77);
    }
    return strcmp(name, "clang") == 0 ? JIT_CLANG : JIT_CC;
}

struct jit *new_jit(const struct jit_options *options)
{
    struct jit_options own = {.size = sizeof own};
    struct jit *jit = NULL;
    char *error = NULL;
    if (options)
        own = *options;
    own.size = sizeof own;
    if (!own.cache)
        own.cache = "";
    if (jit_new(&own, &jit, &error) != JIT_OK)
        fail_msg("no jit: %s", error);
    return jit;
}

struct jit_kernel *compile(struct jit *jit, enum jit_engine engine, const char *source,
                           struct jit_times *times)
{
    struct jit_kernel *kernel = NULL;
    char *error = NULL;
    enum jit_status status = jit_compile(jit, engine, source, NULL, &kernel, times, &error);
    if (status != JIT_OK)
        fail_msg("status %d: %s", status, error);
    return kernel;
}

char *fail_to_compile(struct jit *jit, enum jit_engine engine, const char *source,
                      enum jit_status expected)
{
    struct jit_kernel *kernel = NULL;
    char *error = NULL;
    enum jit_status status = jit_compile(jit, engine, source, NULL, &kernel, NULL, &error);
    if (status != expected)
        fail_msg("status %d, not %d: %s", status, expected, error);
    assert_non_null(error);
    return error;
}

void *address_of(const struct jit_kernel *kernel, const char *name)
{
    void *address = jit_symbol(kernel, name);
    if (!address)
        fail_msg("no symbol %s", name);
    return address;
}

char *new_directory(void)
{
    char *path = strdup("/tmp/spcc-test-XXXXXX");
    if (!path || !mkdtemp(path))
        fail_msg("no temporary directory: %s", strerror(errno));
    return path;
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
    (void)s;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void remove_directory(char *path)
{
    chmod(path, 0700);
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(path);
}

size_t count_files(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    size_t n = 0;
    while (dir && (entry = readdir(dir)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (dir)
        closedir(dir);
    return n;
}

char *write_text(const char *directory, const char *name, const char *text, unsigned mode)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        fail_msg("no memory");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

bool contains(const char *text, const char *part)
{
    if (strstr(text, part))
        return true;
    print_error("`%s` is not in: %s\n", part, text);
    return false;
}
