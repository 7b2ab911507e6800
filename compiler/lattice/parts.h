/* parts.h - what the files share that build lattices; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_PARTS_H
#define SPCC_LATTICE_PARTS_H

#include "compiler/lattice/lattice.h"

/* For qsort: largest first; among equals those with the earlier members first. */
int larger_set_first(const void *a, const void *b);

/* ---- guard.c ---- */

/* Set the guards; all else is there. */
void lattice_find_guards(struct context *cx, struct lattice *lattice, const struct known *known);

#endif
