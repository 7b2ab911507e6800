/* defined.h - operators such as users define, and what they mean to the oracle.
 *
 * A table of definitions as `--op` takes them, with what they say in the oracle's own words: a C
 * function for the body, and the laws.  Nothing is read from the text, so that the two say the same
 * only if the compiler reads it as it is meant.
 *
 * To the oracle, and in test cases, the number of a user's operator is that of its place in this
 * table; to the compiler it is that of its place among those of a statement.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_ORACLE_DEFINED_H
#define SPCC_ORACLE_DEFINED_H

#include "tests/oracle/number.h"

/* A constant in each type. */
enum defined_constant {
    DEFINED_NOTHING,
    DEFINED_ZERO,
    DEFINED_ONE,
    DEFINED_ONES,
    DEFINED_LOWEST,
    DEFINED_HIGHEST
};

struct defined {
    const char *name, *text;
    int arity;
    /* on which it is defined, and has its laws: a bit for each enum type_kind */
    unsigned kinds;
    bool associative, commutative, idempotent;
    enum defined_constant identity, annihilator;
    /* kinds on which the body, simplified, shows each constant that makes it one */
    unsigned folds;
    enum op like; /* of the language's that it is; or OP_NONE */
    /* the name of one that has to be defined before it; or NULL */
    const char *needs;
    struct number (*value)(const struct number *x); /* of operands of one type */
};

/* Number k of the table as an operator; false if there are no more. */
bool defined_operator(int k, enum op *op);

const struct defined *defined_of(enum op op);

/* By what makes them the same: the name, or the whole text. */
bool defined_named(const char *name, enum op *op);
bool defined_as(const char *text, enum op *op);

/* Is it a reduction, and an assignment, too? */
bool defined_reduces(enum op op);

/* The following are number.h's, for these operators; all operands are of the one type in which
 * it is computed. */
bool defined_result(enum op op, enum type type, enum type *result);
struct number defined_apply(enum op op, const struct number *operand);
struct number defined_identity(enum op op, enum type type);
bool defined_absorbs(enum op op, const struct number *a, struct number *result);

/* Some of the operands are known, the others are any numbers of their types: is the value one
 * number, whatever they are?
 *   ALWAYS     and the body, simplified, says so
 *   MAYBE      as far as trying says
 *   NEVER      no, there are two */
enum defined_fold { DEFINED_ALWAYS, DEFINED_MAYBE, DEFINED_NEVER };
enum defined_fold defined_folds(enum op op, const struct number *operand, const bool *known,
                                const enum type *types, struct number *value);

#endif
