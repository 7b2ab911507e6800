/* arena.h - memory that lives exactly as long as one compilation.
 *
 * Everything the compiler builds is allocated from an arena and freed at once with it, so nodes may
 * point at each other freely and nobody owns anything.  An allocation never returns NULL: when
 * memory runs out, the arena's handler is called, which unwinds (see context.h).
 *
 * An arena may be given an allowance.  Whatever a compilation does it does by making values, so
 * that counting what is allocated, and what some walks say that they take, bounds the time without
 * looking at a clock: the same input is refused on every machine.  In the same places it is seen
 * that somebody outside wants the compilation to end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_ARENA_H
#define SPCC_BASE_ARENA_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum arena_end {
    ARENA_NO_MEMORY,
    ARENA_SPENT,   /* more than was allowed */
    ARENA_STOPPED, /* by whom it is watched for */
};

/* Called when memory or the allowance runs out, or the work is to stop; must not return. */
typedef void arena_handler(void *data, enum arena_end end);

/* Returns a new, empty arena, or NULL if there is no memory for it. */
struct arena *arena_new(arena_handler *handler, void *data);
void arena_free(struct arena *arena);

/* Zeroed memory, aligned for any type.  size may be 0. */
void *arena_alloc(struct arena *arena, size_t size);

/* A copy of the n bytes at data. */
void *arena_copy(struct arena *arena, const void *data, size_t n);

char *arena_strdup(struct arena *arena, const char *s);
char *arena_strndup(struct arena *arena, const char *s, size_t n);

/* Formatted text in the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* One zeroed T, or an array of n of them. */
#define arena_make(arena, T)     ((T *)arena_alloc((arena), sizeof(T)))
#define arena_array(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

/* What may be done from now on: steps, of which an allocation takes some, and bytes.  0: as much
 * as there is. */
void arena_allow(struct arena *arena, uint64_t steps, uint64_t bytes);

/* Is half of the steps or bytes that were allowed gone?  Then what could go on improving stops. */
bool arena_is_half_spent(const struct arena *arena);

/* From now on the next step ends the work where this is set; NULL: nothing does. */
void arena_watch(struct arena *arena, const atomic_bool *stop);

/* So many steps have been done. */
void arena_spend(struct arena *arena, uint64_t steps);

/* The allocation after this many more successful ones fails; negative: never.  For the tests of
 * unwinding. */
void arena_fail_after(struct arena *arena, long allocations);

#endif
