/* random.h - random imperative programs that are well formed, stay in bounds and end, and inputs
 * for them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_RANDOM_H
#define SPCC_TESTS_IMPERATIVE_RANDOM_H

#include "compiler/imperative/run/interpret.h"
#include "tests/support/rng.h"

enum { RANDOM_ELEMENTS = 16 }; /* of every array that is passed in */

/* A kernel whose only operators are those that C and the interpreter compute to the same bit. */
const struct imp_function *random_program(struct context *cx, struct rng *rng, const char *name);

/* Does the operator give the same bits everywhere, also where f32 is computed as f64 and
 * rounded? */
bool random_is_exact(enum op op, enum type type);

/* A value of the type: small numbers, and the limits of the type, infinities, NaN. */
struct value random_value(struct rng *rng, enum type type);

/* Arguments for the function, arrays in malloc'ed memory; out arrays NULL. */
struct imp_argument *random_arguments(struct rng *rng, const struct imp_function *function);
/* The same again, in memory of its own. */
struct imp_argument *copy_arguments(const struct imp_function *function,
                                    const struct imp_argument *argument);
void free_arguments(const struct imp_function *function, struct imp_argument *argument);

/* Are these n elements equal bit by bit, all NaNs being one? */
bool same_elements(enum type type, const void *a, const void *b, int64_t n);

/* Are all arrays equal so? */
bool same_results(const struct imp_function *function, const struct imp_argument *a,
                  const struct imp_argument *b);

#endif
