/* target.h - the machine that code is made for: what passes and the planner know of it.
 *
 * One value goes with a compilation (struct context).  It describes a machine in figures, each of
 * which some pass reads; none is asked whether it is this processor or that.  target.def lists
 * them, target.c has the machines that have names.  The text of a target is one figure a line:
 *
 *     like x86-64-v3        the figures that are not listed are those of this one
 *     line 128
 *     l3 33554432
 *
 * docs/hacking.md says how to add a figure or a machine.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TARGET_H
#define SPCC_TARGET_H

#include <stdint.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"

struct target {
    const char *name;
    const char *what; /* a few words, for people */
#define FIGURE(name, least, most, power, what) int64_t name;
#include "compiler/target.def"
};

enum {
    /* vectors of a row at once, and sums side by side: bounds of the figures (target.def) */
    TARGET_VECTORS_MOST = 16,
    TARGET_SUMS_MOST = 16,
    /* bytes of a vector that squares are turned in, so that a square and its halves fit the
     * registers; rows of squares that are stored past the caches,
     * and lines of each row at once */
    TARGET_SQUARE_BYTES = 32,
    TARGET_STREAMED_ROWS = 128,
    TARGET_STREAMED_LINES = 8,
    TARGET_REGISTERS_MOST = 64,
    TARGET_SCATTER_MOST = 16,
    /* a machine of which nobody knows that there are too many */
    TARGET_FORESEES_ALL = 1 << 30,
};

/* Those that have names, in the order in which they are listed: the first is for code that may run
 * anywhere. */
extern const struct target *const target_named[];
extern const int targets_named;

#define TARGET_GENERIC (target_named[0])

/* Returns the target of a compilation. */
static inline const struct target *target_of(const struct context *cx)
{
    return cx->target ? cx->target : TARGET_GENERIC;
}

/* Returns the target with other vectors: of 32 or 64 bytes, say. */
const struct target *target_with_vectors(struct context *cx, const struct target *target,
                                         int bytes);

/* Gives a figure another value, if its bounds allow that. */
bool target_set(struct target *target, const char *figure, int64_t value);

/* By its name; NULL: there is none. */
const struct target *target_find(const char *name);

/* From its text; `name` is what it is called from then on.  NULL, and why not: a sentence. */
const struct target *target_parse(struct context *cx, const char *name, const char *text,
                                  const char **fault);

/* The text of all its figures, which target_parse reads; with what each means, as comments. */
void target_print(struct text *out, const struct target *target, bool explains);

#endif
