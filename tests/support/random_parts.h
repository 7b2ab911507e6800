/* random_parts.h - what the files that draw a case share.
 *
 *   random.c         sizes, entries, the case as a whole
 *   grow.c           its statement
 *   random_tensor.c  types, values, formats
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_RANDOM_PARTS_H
#define SPCC_SUPPORT_RANDOM_PARTS_H

#include "tests/support/case.h"
#include "tests/support/rng.h"

struct grower {
    struct rng rng;
    struct test_case *test;
    int row[CASE_NODES], n;     /* what is still to be joined */
    enum type type[CASE_NODES]; /* of each node */
};

enum type random_type(struct rng *rng);
struct value random_value(struct rng *rng, enum type type, int zero_percent);
struct value random_fill(struct rng *rng, enum type type);
/* The numbers below n in any order. */
void random_order(struct rng *rng, int *order, int n);
/* Dense, or compressed with the levels below it hanging from it as singletons or not. */
void random_levels(struct rng *rng, struct case_tensor *t, bool dense);

/* Literals in the result, and a variable that indexes two of its modes. */
void grow_left_side(struct rng *rng, int *var, int order);
/* A tensor without sizes and entries. */
void grow_tensor(struct rng *rng, struct test_case *test, const char *name, int order,
                 enum type type);
/* Operands, the component that is being written as one, and literals: nodes in the row. */
void grow_operands(struct grower *g, enum type theme);
void grow_result(struct grower *g);
void grow_literals(struct grower *g);
/* The product of 6 to 10 factors, or the least of such sums, and now and then other terms: a node
 * of the row each. */
void grow_product(struct grower *g, enum type theme);
/* A few operators of the user's, most of which the statement may use. */
void grow_operators(struct grower *g, enum type theme);
/* One node of the row. */
void grow_expression(struct grower *g);
/* Writes a sum that the statement leaves to the reader, anywhere its variable is used; false: there
 * is none. */
bool grow_sum(struct rng *rng, struct test_case *test);
/* A complex value goes into a complex result only; one case in a hundred has to find that out. */
void grow_suited_result(struct grower *g);
/* The operator of a compound assignment of a value, or OP_NONE. */
enum op grow_assignment(struct grower *g, enum type type, enum type value);
/* Keeps the value where a comparison holds, of itself or of other components. */
void grow_keep(struct grower *g);

/* What else an assembled result holds would be lost where it is read. */
bool grow_is_partial(const struct test_case *test);
/* Does the node use the variable outside of reductions that bind it? */
bool grow_uses(const struct test_case *test, int node, int var);

#endif
