/* meaning.h - what a parsed statement means: its sums made explicit, its types and sizes found.
 *
 * The oracle's own reading of contract and language.md; the compiler's is in
 * compiler/notation/check.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_ORACLE_MEANING_H
#define SPCC_ORACLE_MEANING_H

#include "compiler/notation/notation.h"
#include "tests/oracle/number.h"
#include "tests/oracle/oracle.h"

enum { VARIABLES_MAX = 64 };

enum term_kind { TERM_LITERAL, TERM_ACCESS, TERM_OP, TERM_REDUCE };

/* An expression.  Variables are numbers, one for each binding: a reduction's j is not the j
 * outside of it. */
struct term {
    enum term_kind kind;
    enum type type; /* of its value */
    /* made of literals only: takes the type of what it meets */
    bool weak;
    enum op op;                         /* OP, REDUCE */
    struct number value;                /* LITERAL */
    const struct oracle_tensor *tensor; /* ACCESS */
    int vars, var[ORDER_MAX];           /* ACCESS: of each mode; REDUCE: those it binds */
    uint64_t uses;                      /* variables that occur free in it */
    int args;
    struct term *arg[3];
};

struct meaning {
    enum op op; /* of the assignment, or OP_NONE */
    const struct oracle_tensor *result;
    int var[ORDER_MAX]; /* of the result's modes */
    struct term *value;
    struct term *kept; /* of keep(value, kept): the condition; NULL: there is none */
    int variables;
    int64_t extent[VARIABLES_MAX];
    int64_t literal[VARIABLES_MAX]; /* the one value of a literal; -1: a variable */
};

/* NULL with *why set if the statement means nothing: the compiler has to refuse it too. */
const struct meaning *meaning_of(struct context *cx, const struct tin *statement,
                                 const struct oracle_input *input, const char **why);

#endif
