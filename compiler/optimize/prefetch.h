/* prefetch.h - what the files share that ask for what a loop will need soon.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_PREFETCH_H
#define SPCC_OPTIMIZE_PREFETCH_H

#include "compiler/optimize/vectorize.h"

/* Does the expression read arrays only along the loop: coordinates, which other iterations
 * find there, too, as no one writes them? */
bool prefetch_reads_coordinates(const struct lanes *l, const struct imp *e);

/* Is it a loop over stored positions, of which it is known where the last one is? */
bool prefetch_is_marked(const struct vectorizer *z, const struct ahead *around);

/* So many iterations ahead, unless the loop ends before. */
int64_t prefetch_by(struct context *cx, const struct ahead *around);

/* The value that e, in the body of a loop that is marked, has some iterations later. */
const struct imp *prefetch_next(struct vectorizer *z, struct ahead *around, const struct imp *e);

#endif
