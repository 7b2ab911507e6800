/* optimize.h - the passes over imperative IR.
 *
 * A pass takes a function and returns one that computes the same; its argument if nothing changes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_OPTIMIZE_H
#define SPCC_OPTIMIZE_OPTIMIZE_H

#include "compiler/imperative/imperative.h"

/* Fold constants, use identities and annihilators, drop code without effect (empty ifs and loops,
 * unused pure declarations, copies of variables), keep everything else in place.  Returns its
 * argument when nothing changes. */
const struct imp_function *imp_simplify(struct context *cx, const struct imp_function *function);

/* Without tests of flags that a condition around them has decided (propagate_conditions.c). */
const struct imp_function *imp_imply(struct context *cx, const struct imp_function *function);

/* Compute integer products that a loop repeats in front of it (hoist.c). */
const struct imp_function *imp_hoist(struct context *cx, const struct imp_function *function);

/* Vectorize innermost loops (vectorize.c), in vectors of so many bytes: 32 or 64; 0: 32.
 * gcc makes very bad code of vectors that are longer than its target's.
 * NULL after a diagnostic: a loop that is asked to have vectors has none. */
const struct imp_function *imp_vectorize(struct context *cx, const struct imp_function *function,
                                         int bytes);

/* Is no loop asked to have vectors, where there can be none?  false after a diagnostic. */
bool imp_is_plain(struct context *cx, const struct imp_function *function);

/* End loops that reduce truth values where these stay as they are (early_exit.c). */
const struct imp_function *imp_end_early(struct context *cx, const struct imp_function *function);

/* Read what is used once where it is used (read_once.c). */
const struct imp_function *imp_read_once(struct context *cx, const struct imp_function *function);
/* Loops, declarations and ifs as people write them (tidy.c). */
const struct imp_function *imp_tidy(struct context *cx, const struct imp_function *function);

/* Unroll the loops of which that is asked (unroll.c).  NULL after a diagnostic: too much code. */
const struct imp_function *imp_unroll(struct context *cx, const struct imp_function *function);

#endif
