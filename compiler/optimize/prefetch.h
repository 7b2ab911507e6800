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

/* May the loop be looked ahead in?  If it has one run, or may have, each iteration looks how
 * far. */
bool prefetch_may_look(struct vectorizer *z, struct ahead *around);

/* The value that e, in the loop's body, has some iterations later. */
const struct imp *prefetch_next(const struct ahead *around, const struct lanes *loop,
                                const struct imp *e);

/* Ask for so many elements from there on. */
void prefetch_from(struct vectorizer *z, struct imp_builder *b, const struct imp_var *array,
                   const struct imp *place, int elements);

/* A variable that goes along a row in steps of lines; what the variable of the loop over the row is
 * then; and a loop that asks for the row's lines, where `place` is that of one. */
struct imp_var *prefetch_line_var(struct vectorizer *z);
const struct imp *prefetch_at_line(const struct vectorizer *z, const struct imp *row,
                                   const struct imp_var *line);
const struct imp *prefetch_row(const struct vectorizer *z, const struct imp *row,
                               const struct imp_var *array, struct imp_var *line,
                               const struct imp *place);

#endif
