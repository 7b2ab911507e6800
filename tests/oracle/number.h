/* number.h - the oracle's arithmetic: a value, and how far a right answer may be from it.
 *
 * Integers and bool are exact and wrap.  Floats are computed in long double, which is exact enough
 * to be called the truth, and carry a bound on what rounding, in the operand's own type and in any
 * order, can add up to.  Where two readings of the language are both right (0 * inf, a comparison
 * that rounding decides) the number is unknown, and agrees with everything.
 *
 * Written without the compiler's own arithmetic: the two must agree because they follow the same
 * definition (docs/language.md), not because they share code.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_ORACLE_NUMBER_H
#define SPCC_ORACLE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/value/op.h"

/* Operators of users' have the numbers of defined.h. */
struct number {
    enum type type;
    uint64_t bits;      /* of bool and integers: two's complement, sign-extended */
    long double re, im; /* of floats and complex types */
    long double error;  /* a right answer is at most this far away */
    /* of what was added up: of how many terms, and of what size together, as the order is not that
     * of the sums alone; 0: of itself */
    long terms;
    long double magnitude;
    bool unknown; /* nobody can tell */
};

struct number number_from(struct value value);
struct number number_int(enum type type, int64_t i);
struct number number_unknown(enum type type);

/* Is this value of the same type a right answer? */
bool number_agrees(const struct number *number, struct value value);

/* The very same number, NaN included, and both exact. */
bool number_same(const struct number *a, const struct number *b);

struct number number_convert(struct number a, enum type type);

/* The type in which operands of these two types meet. */
enum type number_promote(enum type a, enum type b);

/* Types of an operator's value, from those of its operands; false if it is not defined on them. */
bool number_result(enum op op, const enum type *operand, enum type *result);

/* The type that the operands are converted to; SELECT's first operand is bool. */
enum type number_computed(enum op op, const enum type *operand);

/* op on operands of any types, converted as the language says. */
struct number number_apply(enum op op, const struct number *operand);

/* What a reduction of nothing gives. */
struct number number_identity(enum op op, enum type type);

/* Is op(a, x), or op(x, a) with side = 1, the same number for every finite x of a's type? */
bool number_absorbs(enum op op, int side, const struct number *a, struct number *result);

/* A reduction under way: op over terms of one type, in any order. */
struct reduction {
    enum op op;
    struct number value;
    long terms;             /* of sums: those of terms that are sums, too */
    long double magnitude;  /* ... added up */
    bool coarse;            /* of sums: every term is an exact multiple of 1/256 */
    bool above, below, nan; /* of sums: a term was inf, -inf, NaN */
    /* of products: those of all factors that are more than 1, and less */
    long double growth, decay;
    /* of users' operators: a term was NaN, on which their laws say nothing; of products: some of
     * the factors come to more, or less, than the type has */
    bool lost;
};

struct reduction reduction_begin(enum op op, enum type type);
void reduction_add(struct reduction *reduction, struct number term);
struct number reduction_end(const struct reduction *reduction);

#endif
