/* loops.h - random loops of the kinds that are vectorized, with arguments that make every sum
 * exact.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_LOOPS_H
#define SPCC_TESTS_IMPERATIVE_LOOPS_H

#include "compiler/imperative/run/interpret.h"
#include "compiler/optimize/pass.h"
#include "tests/support/rng.h"

/* So many of a kind are drawn. */
#ifndef LOOPS_DRAWN
#define LOOPS_DRAWN 1000
#endif

/* What the vectorizer is told; from then on the context's target has vectors of so many bytes, 0:
 * its own. */
#define VECTORS(bytes) loops_in_vectors(cx, bytes)
const struct pass_options *loops_in_vectors(struct context *cx, int bytes);

enum loops_kind {
    LOOPS_REDUCE,
    LOOPS_ROW,
    LOOPS_SHORT,
    LOOPS_BLOCK,
    LOOPS_RANGE,
    LOOPS_SCATTER,
    LOOPS_SPREAD,
    LOOPS_KINDS
};

const struct imp_function *random_loops(struct context *cx, struct rng *rng, const char *name,
                                        enum loops_kind kind);

/* Free them with free_arguments. */
struct imp_argument *random_loops_arguments(struct rng *rng, const struct imp_function *function);

#endif
