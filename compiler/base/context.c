/* context.c - the things that one compilation owns.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/context.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/hash.h"

static void give_up(void *data, enum arena_end end)
{
    switch (end) {
    case ARENA_NO_MEMORY: context_fail(data, CONTEXT_NO_MEMORY);
    case ARENA_SPENT: context_fail(data, CONTEXT_SPENT);
    case ARENA_STOPPED: context_fail(data, CONTEXT_STOPPED);
    }
}

struct context *context_new(void)
{
    struct context *cx = calloc(1, sizeof *cx);
    if (!cx)
        return NULL;
    cx->arena = arena_new(give_up, cx);
    if (!cx->arena) {
        free(cx);
        return NULL;
    }
    return cx;
}

void context_free(struct context *cx)
{
    if (!cx)
        return;
    arena_free(cx->arena);
    free(cx);
}

_Noreturn void context_fail(struct context *cx, enum context_failure failure)
{
    cx->failure = failure;
    longjmp(cx->out, 1);
}

_Noreturn void context_bug(struct context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cx->bug = arena_vprintf(cx->arena, format, args);
    va_end(args);
    context_fail(cx, CONTEXT_BUG);
}

struct letters {
    const char *s;
    size_t n;
};

static bool is_name(const void *name, const void *key)
{
    const struct letters *letters = key;
    return strncmp(name, letters->s, letters->n) == 0 && ((const char *)name)[letters->n] == '\0';
}

const char *internn(struct context *cx, const char *s, size_t n)
{
    uint64_t hash = hash_bytes(s, n);
    const char *name = table_find(&cx->names, hash, is_name, &(struct letters){s, n});
    if (!name) {
        name = arena_strndup(cx->arena, s, n);
        table_add(cx->arena, &cx->names, hash, name);
    }
    return name;
}

const char *intern(struct context *cx, const char *s) { return internn(cx, s, strlen(s)); }
