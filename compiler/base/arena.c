/* arena.c - memory that lives exactly as long as one compilation.
 *
 * A chain of blocks, each twice as large as the one before, up to a limit.  An allocation moves a
 * pointer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 1 << 20 };
/* A step takes about 10 ns on a machine of 2020: a visited node, or a few comparisons. */
enum { STEPS_OF_ALLOCATION = 4, BYTES_OF_STEP = 128 };

struct block {
    struct block *next;
    size_t size;
    _Alignas(max_align_t) char data[];
};

struct arena {
    struct block *block;
    char *at; /* the free room in the block begins here */
    size_t room;
    arena_handler *handler;
    void *data;
    const atomic_bool *stop; /* NULL: nobody stops the compilation */
    long fail_after;
    uint64_t steps, bytes;           /* that are left */
    uint64_t half_steps, half_bytes; /* half of them are gone below these */
};

struct arena *arena_new(arena_handler *handler, void *data)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return NULL;
    arena->handler = handler;
    arena->data = data;
    arena->fail_after = -1;
    arena_allow(arena, 0, 0);
    return arena;
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *b = arena->block, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
}

void arena_fail_after(struct arena *arena, long allocations) { arena->fail_after = allocations; }

void arena_allow(struct arena *arena, uint64_t steps, uint64_t bytes)
{
    arena->steps = steps ? steps : UINT64_MAX;
    arena->bytes = bytes ? bytes : UINT64_MAX;
    arena->half_steps = steps / 2;
    arena->half_bytes = bytes / 2;
}

bool arena_is_half_spent(const struct arena *arena)
{
    return arena->steps < arena->half_steps || arena->bytes < arena->half_bytes;
}

_Noreturn static void end(struct arena *arena, enum arena_end why)
{
    arena->handler(arena->data, why);
    abort(); /* a handler must unwind */
}

_Noreturn static void out_of_memory(struct arena *arena) { end(arena, ARENA_NO_MEMORY); }

void arena_watch(struct arena *arena, const atomic_bool *stop) { arena->stop = stop; }

void arena_spend(struct arena *arena, uint64_t steps)
{
    if (arena->stop && atomic_load_explicit(arena->stop, memory_order_relaxed))
        end(arena, ARENA_STOPPED);
    if (steps > arena->steps)
        end(arena, ARENA_SPENT);
    arena->steps -= steps;
}

__attribute__((noinline)) static void add_block(struct arena *arena, size_t need)
{
    size_t size = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < need)
        size = need;
    struct block *b = size <= SIZE_MAX / 2 ? malloc(sizeof *b + size) : NULL;
    if (!b)
        out_of_memory(arena);
    b->next = arena->block;
    b->size = size;
    arena->block = b;
    arena->at = b->data;
    arena->room = size;
}

/* The bytes are not zeroed, since the caller writes all of them. */
static void *take_bytes(struct arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (arena->fail_after >= 0 && arena->fail_after-- == 0)
        out_of_memory(arena);
    if (size > SIZE_MAX / 4)
        out_of_memory(arena);
    size = (size + align - 1) / align * align;
    arena_spend(arena, STEPS_OF_ALLOCATION + size / BYTES_OF_STEP);
    if (size > arena->bytes)
        end(arena, ARENA_SPENT);
    arena->bytes -= size;
    if (arena->room < size || !arena->block)
        add_block(arena, size);
    arena->room -= size;
    arena->at += size;
    return arena->at - size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    return memset(take_bytes(arena, size), 0, size);
}

void *arena_copy(struct arena *arena, const void *data, size_t n)
{
    void *p = take_bytes(arena, n);
    return n ? memcpy(p, data, n) : p;
}

char *arena_strndup(struct arena *arena, const char *s, size_t n)
{
    char *copy = take_bytes(arena, n + 1);
    copy[n] = '\0';
    return memcpy(copy, s, n);
}

char *arena_strdup(struct arena *arena, const char *s)
{
    return arena_strndup(arena, s, strlen(s));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    char line[200]; /* most texts fit, and take no more memory than they need */
    struct text text = {.arena = arena, .at = line, .capacity = sizeof line};
    text_vprintf(&text, format, args);
    return text.at == line ? arena_strndup(arena, line, text.n) : text.at;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
