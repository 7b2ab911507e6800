/* segments.h - results and workspaces that are assembled by counting (compiler/tree/two_pass.c says
 * which): full levels, and a last one with segments.
 *
 * The statement is lowered twice.  First each component counts below its parent; a scan of the
 * counts gives the segments; then each component goes to the next free position of its parent.
 *
 * Parts of a parallel loop may do so, each for itself: parallel/count_apart.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_WORKSPACE_SEGMENTS_H
#define SPCC_LOWER_WORKSPACE_SEGMENTS_H

#include "compiler/lower/base/kernel.h"

/* The parents of the last level, and the level below one of them. */
const struct imp *segments_parents(struct kernel *k, const struct segments *s);
struct level_code segments_below(struct kernel *k, const struct segments *s,
                                 const struct imp *parent);
/* The name of an array that says where each parent's next component goes. */
const char *segments_next_name(struct kernel *k, const struct segments *s);

/* A component of this scope; value is NULL where patterns alone are made. */
void segments_store(struct kernel *k, const struct segments *s, const struct scope *scope,
                    const struct imp *value);

/* Before the components are counted; and behind it: where the first component of each parent goes,
 * or NULL; and room for all. */
void segments_open(struct kernel *k, const struct segments *s);
void segments_scan(struct kernel *k, const struct segments *s, const struct imp_var *next);

/* Without parts: before the statement is lowered, in between, and behind the second time. */
void segments_begin(struct kernel *k, struct segments *s);
void segments_turn(struct kernel *k, struct segments *s);
void segments_end(struct kernel *k, const struct segments *s);

#endif
