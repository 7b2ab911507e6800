/* prelude.h - the helpers that kernels call: searching, probing, sorting, sums.
 *
 * They are written in imperative IR, in the files *.ir, with types as parameters; a kernel gets
 * those that it calls, read and checked for the types that it calls them with.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PRELUDE_PRELUDE_H
#define SPCC_PRELUDE_PRELUDE_H

#include "compiler/imperative/text/parse.h"

/* All of them; the table is made of the files while spcc is built. */
extern const struct imp_library prelude;

/* Sorting entries needs room for this many places; a row, for a bit for each coordinate, one for
 * each word of this many bits, and for a few coordinates as they were, and ranks of these. */
enum { SORT_PLACES = 4096, SORT_ROW_WORD = 64, SORT_RANKED = 48, SORT_RANKS = 16 };

/* Returns a call of a helper, of these types and with these arguments, which the kernel under
 * construction then has.  Scalars are converted to what it takes. */
const struct imp *prelude_call(struct imp_builder *b, const char *name, const enum type *type,
                               int types, const struct imp *const *arg, int args);

#endif
