/* target.c - finds the machine that a context's kernels are made for: by name, from a file, or
 * this one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/suggest.h"

/* ---- this machine ---- */

const struct target *target_host(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return target_find(__builtin_cpu_supports("avx512f") ? "x86-64-v4"
                       : __builtin_cpu_supports("avx2")  ? "x86-64-v3"
                                                         : "x86-64");
#elif defined(__aarch64__)
    return target_find("arm64");
#else
    return TARGET_GENERIC;
#endif
}

/* Reads the first line of a system's file about a cache of the first processor; false if there is
 * none. */
static bool read_cache(int index, const char *what, char line[64])
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    FILE *file = fopen(path, "re");
    bool is_read = file && fgets(line, 64, file);
    if (file)
        fclose(file);
    return is_read;
}

/* Reads "1024K". */
static int64_t bytes_of(const char *text)
{
    char *unit;
    long long n = strtoll(text, &unit, 10);
    return n < 0 || n > INT32_MAX ? 0 : *unit == 'K' ? n << 10 : *unit == 'M' ? n << 20 : n;
}

/* Counts the processors in "0-3,8". */
static int64_t processors_of(const char *list)
{
    int64_t n = 0;
    for (char *end; *list >= '0' && *list <= '9'; list = *end == ',' ? end + 1 : end) {
        long first = strtol(list, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        n += last >= first ? last - first + 1 : 1;
    }
    return n > 0 ? n : 1;
}

struct caches {
    int64_t level[4], line; /* bytes; 0: unknown */
};

/* Processors that share the last cache, at least: a virtual machine does not list others'. */
enum { SHARE_LEAST = 4 };

/* Reads the caches that Linux lists.  Processors that share a cache have a part of it each. */
static struct caches look_at_caches(void)
{
    struct caches found = {0};
    char text[64];
    for (int i = 0; read_cache(i, "type", text); i++) {
        if (strncmp(text, "Instruction", 11) == 0 || !read_cache(i, "level", text))
            continue;
        int level = atoi(text);
        int64_t bytes = read_cache(i, "size", text) ? bytes_of(text) : 0;
        if (level == 1 && read_cache(i, "coherency_line_size", text))
            found.line = bytes_of(text);
        if (level > 2 && read_cache(i, "shared_cpu_list", text)) {
            const int64_t sharing = processors_of(text);
            bytes /= sharing > SHARE_LEAST ? sharing : SHARE_LEAST;
        }
        if (level >= 1 && level <= 3)
            found.level[level] = bytes;
    }
    return found;
}

#if defined(_SC_LEVEL1_DCACHE_SIZE)
/* Asks the C library for the caches that Linux does not list. */
static void ask_for_caches(struct caches *found)
{
    found->line = found->line ? found->line : sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    found->level[1] = found->level[1] ? found->level[1] : sysconf(_SC_LEVEL1_DCACHE_SIZE);
}
#else
static void ask_for_caches(struct caches *found) { (void)found; }
#endif

/* Sets the machine by name, with its own caches as far as they are known. */
static void native(struct target *target)
{
    struct caches found = look_at_caches();
    ask_for_caches(&found);
    *target = *target_host();
    target->name = "native";
    target_set(target, "line", found.line);
    target_set(target, "l1", found.level[1]);
    target_set(target, "l3", found.level[3]);
    target->l3 = target->l3 < target->l1 ? target->l1 : target->l3;
}

/* ---- from a file ---- */

enum { FILE_MOST = 64 << 10 };

/* Reads all of the file; NULL after a diagnostic. */
static char *read_text(struct context *cx, const char *path, FILE *file)
{
    char *text = arena_array(cx->arena, char, FILE_MOST + 1);
    size_t n = fread(text, 1, FILE_MOST + 1, file);
    const char *fault = ferror(file)            ? strerror(errno)
                        : n > FILE_MOST         ? "it is too long to be a target"
                        : memchr(text, '\0', n) ? "it is no text"
                                                : NULL;
    if (fault) {
        api_error(cx, SPCC_ERROR_FILE, "%s: %s", path, fault);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

static const char *names(struct context *cx)
{
    struct text out = text_new(cx->arena);
    text_add(&out, "the targets are native");
    for (int i = 0; i < targets_named; i++)
        text_printf(&out, "%s%s", i < targets_named - 1 ? ", " : " and ", target_named[i]->name);
    return out.at;
}

static void complain_of_name(struct context *cx, const char *name, int error)
{
    struct suggestion near = suggest_for(name);
    suggest_consider(&near, "native", strlen("native"));
    for (int i = 0; i < targets_named; i++)
        suggest_consider(&near, target_named[i]->name, strlen(target_named[i]->name));
    if (error == ENOENT)
        api_error(cx, SPCC_ERROR_ARGUMENT, "there is no target '%s', and no file of that name",
                  name);
    else
        api_error(cx, SPCC_ERROR_FILE, "%s: %s", name, strerror(error));
    struct diag *diag = &cx->diags.at[cx->diags.n - 1];
    if (error == ENOENT && near.nearest)
        diag_help(cx, diag, "did you mean %.*s?", near.length, near.nearest);
    else
        diag_help(cx, diag, "%s", names(cx));
}

static bool from_file(struct context *cx, const char *path, struct target *target)
{
    const char *shown = api_printable(cx, path), *fault;
    FILE *file = fopen(path, "re");
    if (!file) {
        complain_of_name(cx, shown, errno);
        return false;
    }
    const char *text = read_text(cx, shown, file);
    fclose(file);
    if (!text)
        return false;
    const struct target *read = target_parse(cx, path, text, &fault);
    if (!read)
        api_error(cx, SPCC_ERROR_FILE, "%s: %s", shown, fault);
    else
        *target = *read;
    return read != NULL;
}

/* ---- the context's ---- */

bool api_target(struct spcc_context *api, struct context *cx, const struct target **target)
{
    const struct target *named = api->target ? target_find(api->target) : NULL;
    *target = named ? named : api->machine;
    if (!api->target || *target)
        return true;
    struct target *found = arena_make(cx->arena, struct target);
    if (strcmp(api->target, "native") == 0)
        native(found);
    else if (!from_file(cx, api->target, found))
        return false;
    found->name = api->target; /* it lives as long */
    struct target *kept = malloc(sizeof *kept);
    if (!kept)
        context_fail(cx, CONTEXT_NO_MEMORY);
    *kept = *found;
    *target = api->machine = kept;
    return true;
}
