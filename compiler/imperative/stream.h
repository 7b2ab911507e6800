/* stream.h - stores that need not stay in the caches, and where lines of memory begin.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_STREAM_H
#define SPCC_IMPERATIVE_STREAM_H

#include "compiler/imperative/imperative.h"

/* Bytes of the shortest vector that may be stored so; each is at a multiple of its bytes. */
enum { IMP_STREAM_LEAST = 16 };

/* The store, which sets elements, as one that need not stay in the caches: its n is 1. */
const struct imp *imp_streamed(struct context *cx, const struct imp *store);

/* Returns how many elements lie before that at the position in its line of this many bytes, a power
 * of two: an i32. The interpreter's arrays begin where lines do. */
const struct imp *imp_in_line(struct context *cx, const struct imp_var *array,
                              const struct imp *position, int64_t bytes);

#endif
