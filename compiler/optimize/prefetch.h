/* prefetch.h - shared by the files that prefetch for later iterations of a loop.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_PREFETCH_H
#define SPCC_OPTIMIZE_PREFETCH_H

#include "compiler/optimize/vectorize.h"

/* Does the expression read arrays only along the loop, and no one writes them, so that the values
 * for later iterations can be read now? */
bool prefetch_reads_coordinates(const struct lanes *l, const struct imp *e);

/* Is it a loop over stored positions whose last position is known? */
bool prefetch_is_marked(const struct vectorizer *z, const struct ahead *around);

/* Returns the end of the last segment of a loop whose mark tells it.  It is looked up once, in
 * front of the function's body. */
const struct imp *prefetch_last(struct vectorizer *z, const struct imp *loop);

/* Returns how many iterations ahead to look.  The loop may end before. */
int64_t prefetch_by(struct context *cx, const struct ahead *around);

/* Returns the value that e, from the body of such a loop, will have some iterations later. */
const struct imp *prefetch_next(struct vectorizer *z, struct ahead *around, const struct imp *e);

#endif
