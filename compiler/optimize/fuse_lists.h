/* fuse_lists.h - what the files of the pass share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_FUSE_LISTS_H
#define SPCC_OPTIMIZE_FUSE_LISTS_H

#include "compiler/imperative/query.h"

/* Returns the bound of a loop in the block, or its value, if the block declares it and keeps it. */
const struct imp *fuse_bound(const struct imp *block, const struct imp *bound);

/* Returns where the search for the end of a run stops at the latest, if `find` is such a search:
 * `while (next < end && A[next] == i) next++`, where i, the declared coordinate, is A[p]. NULL if
 * it is none. */
const struct imp *fuse_search_end(struct context *cx, const struct imp *find,
                                  const struct imp *coordinate, const struct imp_var *p,
                                  const struct imp_var *next);

/* Returns the declaration of a variable in the body, at any depth, or the loop whose variable it
 * is; or NULL. */
const struct imp *fuse_origin(const struct imp *body, const struct imp_var *var);

/* Joins the marks of a loop and the one inside it into the mark of one loop.  False if each mark is
 * needed. */
bool fuse_marks(const struct imp_mark *outer, const struct imp_mark *inner, struct imp_mark *both);

/* Returns the while loop over runs, and over the runs in these, as one; itself if they are not such
 * (fuse_nests.c). */
const struct imp *fuse_nest(struct context *cx, const struct imp *loop);

/* Returns the while loop that merges lists, with branches that go entry by entry through the
 * coordinates of one list alone; itself if there are none (fuse_merges.c). */
const struct imp *fuse_merge(struct context *cx, const struct imp *loop);

#endif
