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

/* Return the number of slots, and the distance between positions of a slot. */
const struct imp *segments_slots(struct kernel *k, const struct segments *s);
const struct imp *segments_stride(struct kernel *k, const struct segments *s);
/* Return the type and the name of the array `next`, which counts components by slot, and then has
 * the place of each slot's next component. */
enum type segments_type(const struct segments *s);
const char *segments_next_name(struct kernel *k, const struct segments *s);
/* Sets all counts to 0. segments_take gives the slot's next position, and moves `next` on. */
void segments_clear(struct kernel *k, const struct imp_var *next, const struct imp *slots);
const struct imp *segments_take(struct kernel *k, const char *name, const struct imp_var *next,
                                const struct imp *slot, const struct imp *stride);

/* Counts or stores the component of this scope; value is NULL if only patterns are made. */
void segments_store(struct kernel *k, const struct segments *s, const struct scope *scope,
                    const struct imp *value);

/* Turns, behind the first run, the counts in s->next into the place of each slot's first component,
 * and makes room for all components. */
void segments_scan(struct kernel *k, struct segments *s);

/* Do the same without parts: before the first run, between the runs, and behind the second. */
void segments_begin(struct kernel *k, struct segments *s);
void segments_turn(struct kernel *k, struct segments *s);
void segments_end(struct kernel *k, const struct segments *s);

#endif
