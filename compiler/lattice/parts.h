/* parts.h - what the files share that build lattices; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_PARTS_H
#define SPCC_LATTICE_PARTS_H

#include "compiler/lattice/lattice.h"

/* For qsort: largest first; among equals those with the earlier members first. */
int larger_set_first(const void *a, const void *b);

/* ---- repeat.c ---- */

/* Is the effect of the last point, {}, at several coordinates one step, which may come last? */
bool lattice_may_rest(struct context *cx, const struct lattice *lattice, const struct known *known);
/* Does the loop come to no coordinate twice, so that it can count them? */
bool lattice_is_distinct(const struct lattice *lattice);

/* ---- guard.c ---- */

/* Sets the guards; all else is there. */
void lattice_find_guards(struct context *cx, struct lattice *lattice, const struct known *known);

#endif
