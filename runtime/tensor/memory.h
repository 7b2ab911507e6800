/* memory.h - where the arrays of tensors are, and how much memory may be used.
 *
 * A space of memory is a table; a tensor names the one that its arrays are from, which gives them
 * back.  There is the host's, which is malloc's, and those of users who give functions for them.
 *
 * Each call of the library gives the thread that made it rules: a limit, which is a number of bytes
 * for the process, or most of what the machine, the control group and the process's own limit have
 * to give; and a flag that stops it.  Allocations (alloc.h) look here first, large ones at the
 * limit, so that what cannot fit is refused with a message, and not by a machine that stands still
 * or a process that is killed; where the flag is set, all are refused.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_MEMORY_H
#define SPCC_TENSOR_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/tensor/status.h"

/* As malloc, realloc and free, which none has to be there for in vain: bytes are never 0, and only
 * what was allocated is resized or released. */
struct memory_functions {
    void *(*allocate)(void *user, size_t bytes);
    void *(*resize)(void *user, void *array, size_t bytes);
    void (*release)(void *user, void *array);
    void *user;
};

struct memory {
    const char *name;
    /* n elements of that size, of which nothing is known; NULL: no memory.  Never NULL because n
     * is 0. */
    void *(*allocate)(const struct memory *memory, int64_t n, size_t size);
    /* As realloc, but not held to the limit; bytes are not 0. */
    void *(*resize)(const struct memory *memory, void *array, size_t bytes);
    /* The array, which has room for n elements or more and is not NULL, without the room that it
     * has beyond those that `allocate` makes; possibly elsewhere. */
    void *(*fit)(const struct memory *memory, void *array, int64_t n, size_t size);
    /* The same of an array of malloc's, which becomes one of this memory's; NULL: no memory, and
     * the array is freed. */
    void *(*adopt)(const struct memory *memory, void *array, int64_t n, size_t size);
    void (*release)(const struct memory *memory, void *array); /* NULL is allowed */
    struct memory_functions given;
};

/* malloc's. */
extern const struct memory memory_host;

/* By these functions. */
struct memory memory_of(const struct memory_functions *functions);

/* Bytes of the caller's memory into an array; it may be NULL of none. */
void memory_copy(void *array, const void *from, size_t bytes);

struct memory_rules {
    int64_t limit;           /* bytes that the process may use; 0: what the machine has to give */
    const atomic_bool *stop; /* NULL: never set */
    const struct memory *arrays; /* where those of tensors come from; NULL: the host's */
};

/* From now on in this thread. */
void memory_follow(struct memory_rules rules);

/* Returns those of this thread, for others that work for it. */
struct memory_rules memory_rules(void);

/* Returns where arrays of tensors come from in this thread. */
const struct memory *memory_here(void);

/* Is the flag set? */
bool memory_is_stopped(void);

/* Bytes that may be allocated in this thread as things stand. */
int64_t memory_left(void);

/* May this many be?  If not that is noted for memory_fail. */
bool memory_allows(size_t bytes);

/* "1.5 GiB" into text, of MEMORY_TEXT bytes. */
enum { MEMORY_TEXT = 32 };
void memory_print(double bytes, char text[MEMORY_TEXT]);

/* The remedy. */
#define MEMORY_HELP "{memory SIZE} allows for more"

/* There is no memory for `what` ("A: its values", NULL: not known), which takes this many bytes (0:
 * as many as were refused last, if any were).  RT_NO_MEMORY, with a remedy. */
enum rt_status memory_fail(const char *what, int64_t bytes, struct rt_error *error);

#endif
