/* segments.h - results and workspaces that are assembled by counting (compiler/tree/two_pass.c says
 * which): full levels, and a last one with segments, or two that have them in rounds.
 *
 * The statement is lowered twice.  First each component counts in its slot (format_counted); a scan
 * of the counts gives the segments; then each component goes to the next place of its slot.
 *
 * Parts of a parallel loop may do so, each for itself: parallel/count_apart.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_WORKSPACE_SEGMENTS_H
#define SPCC_LOWER_WORKSPACE_SEGMENTS_H

#include "compiler/lower/base/kernel.h"

/* How many slots there are, and how far apart the positions of a slot are. */
const struct imp *segments_slots(struct kernel *k, const struct segments *s);
const struct imp *segments_stride(struct kernel *k, const struct segments *s);
/* The type and the name of an array that counts, and says where each slot's next component goes. */
enum type segments_type(const struct segments *s);
const char *segments_next_name(struct kernel *k, const struct segments *s);
/* Nothing is counted in that array; the next position of the slot, and the one behind it is the
 * next then. */
void segments_clear(struct kernel *k, const struct imp_var *next, const struct imp *slots);
const struct imp *segments_take(struct kernel *k, const char *name, const struct imp_var *next,
                                const struct imp *slot, const struct imp *stride);

/* A component of this scope; value is NULL where patterns alone are made. */
void segments_store(struct kernel *k, const struct segments *s, const struct scope *scope,
                    const struct imp *value);

/* Behind the first time: s->next, which has the counts, says where the first component of each slot
 * goes; and there is room for all, which are put in their places. */
void segments_scan(struct kernel *k, struct segments *s);

/* Without parts: before the statement is lowered, in between, and behind the second time. */
void segments_begin(struct kernel *k, struct segments *s);
void segments_turn(struct kernel *k, struct segments *s);
void segments_end(struct kernel *k, const struct segments *s);

#endif
