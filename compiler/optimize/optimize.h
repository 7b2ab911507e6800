/* optimize.h - the passes over imperative IR, by file.
 *
 * A pass takes a function and returns one that computes the same; its argument if nothing changes;
 * NULL after a diagnostic.  passes.c says what each does, in which order they run, what they
 * require and what they maintain.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_OPTIMIZE_H
#define SPCC_OPTIMIZE_OPTIMIZE_H

#include "compiler/imperative/imperative.h"
#include "compiler/optimize/pass.h"

/* Folds constants, uses identities and annihilators, drops code without effect (empty ifs and
 * loops, unused pure declarations, copies of variables), and keeps everything else in place.  Other
 * passes and their tests call it, too. */
const struct imp_function *imp_simplify(struct context *cx, const struct imp_function *function);

#define PASS(name)                                                                           \
    const struct imp_function *name(struct context *cx, const struct imp_function *function, \
                                    const struct pass_options *options)
PASS(imp_rejoin);
PASS(imp_fuse_lists);
PASS(imp_split_appends);
PASS(imp_refuse_vectors); /* vectorize.c */
PASS(imp_hoist);
PASS(imp_vectorize);
PASS(imp_version_blocks);
PASS(imp_exit_early);
PASS(imp_unroll);
PASS(imp_share_memory);
PASS(imp_tidy);
PASS(imp_read_once);
PASS(imp_look_for_stops); /* stops.c */
#undef PASS

#endif
