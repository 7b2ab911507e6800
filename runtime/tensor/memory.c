/* memory.c - the memory of tensors' arrays, and how much of it may be used.
 *
 * Other processes take memory, too, so the system is asked each time.  That costs some
 * microseconds, and is done for large allocations only.  80 % of the free memory may be used,
 * since it has other uses than these allocations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static _Thread_local struct memory_rules rules;
static _Thread_local int64_t refused; /* the bytes of the last refused request */

void memory_follow(struct memory_rules r)
{
    rules = r;
    refused = 0;
}

struct memory_rules memory_rules(void) { return rules; }

bool memory_is_stopped(void)
{
    return rules.stop && atomic_load_explicit(rules.stop, memory_order_relaxed);
}

/* ---- what the system says ---- */

/* Reads the number in the file, after `key` unless that is NULL. INT64_MAX if there is none, as in
 * "max". */
static int64_t number_in(const char *path, const char *key)
{
    char line[256];
    int64_t n = INT64_MAX;
    FILE *file = fopen(path, "re");
    while (file && n == INT64_MAX && fgets(line, sizeof line, file)) {
        size_t before = key ? strlen(key) : 0;
        if (!key || strncmp(line, key, before) == 0)
            sscanf(line + before, "%" SCNd64, &n);
    }
    if (file)
        fclose(file);
    return n < 0 ? INT64_MAX : n;
}

static int64_t left_of(int64_t most, int64_t used)
{
    return most == INT64_MAX || used == INT64_MAX ? INT64_MAX : most > used ? most - used : 0;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Counts this process's pages: all that are mapped, or those that were written. */
static int64_t used_pages(bool mapped)
{
    int64_t size = 0, resident = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%" SCNd64 " %" SCNd64 " %" SCNd64, &size, &resident, &shared) != 3)
        size = resident = shared = 0;
    if (file)
        fclose(file);
    return mapped ? size : resident - shared;
}

static int64_t used_bytes(bool mapped) { return used_pages(mapped) * sysconf(_SC_PAGESIZE); }

/* Version 2 of control groups, or version 1, as a container sees its own. */
static int64_t left_in_group(void)
{
    int64_t two = left_of(number_in("/sys/fs/cgroup/memory.max", NULL),
                          number_in("/sys/fs/cgroup/memory.current", NULL));
    int64_t one = left_of(number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", NULL),
                          number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes", NULL));
    return least(one, two);
}

static int64_t left_of_machine(void)
{
    struct rlimit space;
    int64_t kilobytes = number_in("/proc/meminfo", "MemAvailable:");
    int64_t left =
        least(kilobytes < INT64_MAX / 1024 ? kilobytes * 1024 : INT64_MAX, left_in_group());
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY
        && space.rlim_cur < INT64_MAX)
        left = least(left, left_of((int64_t)space.rlim_cur, used_bytes(true)));
    return left == INT64_MAX ? left : left / 5 * 4;
}

int64_t memory_left(void)
{
    return rules.limit > 0 ? left_of(rules.limit, used_bytes(false)) : left_of_machine();
}

bool memory_allows(size_t bytes)
{
    if (bytes <= (uint64_t)memory_left())
        return true;
    refused = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
    return false;
}

/* ---- the host's memory ---- */

static void *host_allocate(const struct memory *memory, int64_t n, size_t size)
{
    (void)memory;
    return rt_array(n, size);
}

static void *host_resize(const struct memory *memory, void *array, size_t bytes)
{
    (void)memory;
    return rt_resize(array, bytes);
}

static void *host_fit(const struct memory *memory, void *array, int64_t n, size_t size)
{
    size_t bytes = n > 0 ? rt_whole((uint64_t)n * size) : 1;
    void *fitted = bytes < malloc_usable_size(array) ? realloc(array, bytes) : NULL;
    (void)memory;
    return fitted ? fitted : array;
}

static void host_release(const struct memory *memory, void *array)
{
    (void)memory;
    free(array);
}

const struct memory memory_host = {
    .name = "host",
    .allocate = host_allocate,
    .resize = host_resize,
    .fit = host_fit,
    .adopt = host_fit,
    .release = host_release,
};

/* ---- a user's memory ---- */

static void *given_allocate(const struct memory *memory, int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, size, &bytes) || bytes > PTRDIFF_MAX
        || !rt_allows(bytes))
        return NULL;
    return memory->given.allocate(memory->given.user, bytes ? bytes : 1);
}

static void *given_resize(const struct memory *memory, void *array, size_t bytes)
{
    const struct memory_functions *given = &memory->given;
    return bytes > PTRDIFF_MAX ? NULL
           : array             ? given->resize(given->user, array, bytes)
                               : given->allocate(given->user, bytes);
}

/* The user knows how much room there is. */
static void *given_fit(const struct memory *memory, void *array, int64_t n, size_t size)
{
    void *fitted = given_resize(memory, array, n > 0 ? (uint64_t)n * size : 1);
    return fitted ? fitted : array;
}

static void *given_adopt(const struct memory *memory, void *array, int64_t n, size_t size)
{
    void *own = given_allocate(memory, n, size);
    if (own)
        memory_copy(own, array, (size_t)n * size);
    free(array);
    return own;
}

static void given_release(const struct memory *memory, void *array)
{
    if (array)
        memory->given.release(memory->given.user, array);
}

struct memory memory_of(const struct memory_functions *functions)
{
    return (struct memory){
        .name = "given",
        .allocate = given_allocate,
        .resize = given_resize,
        .fit = given_fit,
        .adopt = given_adopt,
        .release = given_release,
        .given = *functions,
    };
}

const struct memory *memory_here(void) { return rules.arrays ? rules.arrays : &memory_host; }

void memory_copy(void *array, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(array, from, bytes);
}

/* ---- messages ---- */

void memory_print(double n, char text[MEMORY_TEXT])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int u = 0;
    for (; n >= 1024 && u < 6; u++)
        n /= 1024;
    snprintf(text, MEMORY_TEXT, u == 0 ? "%.0f %s" : n < 1e4 ? "%.1f %s" : "%.1e %s", n, units[u]);
}

enum rt_status memory_fail(const char *what, int64_t bytes, struct rt_error *error)
{
    char needed[MEMORY_TEXT], left[MEMORY_TEXT];
    bytes = bytes > 0 ? bytes : refused;
    if (bytes == 0)
        return rt_no_memory(error);
    memory_print((double)bytes, needed);
    memory_print((double)memory_left(), left);
    rt_fail(error, RT_NO_MEMORY, DIAG_MEMORY, "%s%s%s %s, and %s may be used", what ? what : "",
            what ? " " : "", what ? "take" : "it takes", needed, left);
    rt_help(error, MEMORY_HELP);
    return RT_NO_MEMORY;
}
