/* context.c - what one compilation owns.
 *
 * Names are interned in a hash table with linear probing that doubles when it is half full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/context.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/hash.h"

struct interner {
    const char **slot;
    size_t slots, used;
};

static void give_up(void *data, enum arena_end end)
{
    context_fail(data, end == ARENA_SPENT ? CONTEXT_SPENT : CONTEXT_NO_MEMORY);
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

static const char **find_slot(const char **slot, size_t slots, const char *s, size_t n)
{
    size_t i = hash_bytes(s, n) & (slots - 1);
    while (slot[i] && !(strncmp(slot[i], s, n) == 0 && slot[i][n] == '\0'))
        i = (i + 1) & (slots - 1);
    return &slot[i];
}

static void grow_names(struct context *cx, struct interner *names)
{
    size_t slots = names->slots ? names->slots * 2 : 64;
    const char **slot = arena_array(cx->arena, const char *, slots);
    for (size_t i = 0; i < names->slots; i++)
        if (names->slot[i])
            *find_slot(slot, slots, names->slot[i], strlen(names->slot[i])) = names->slot[i];
    names->slot = slot;
    names->slots = slots;
}

const char *internn(struct context *cx, const char *s, size_t n)
{
    if (!cx->names)
        cx->names = arena_make(cx->arena, struct interner);
    struct interner *names = cx->names;
    if (names->used * 2 >= names->slots)
        grow_names(cx, names);
    const char **slot = find_slot(names->slot, names->slots, s, n);
    if (!*slot) {
        *slot = arena_strndup(cx->arena, s, n);
        names->used++;
    }
    return *slot;
}

const char *intern(struct context *cx, const char *s) { return internn(cx, s, strlen(s)); }
