/* operator.h - operators that users define, from text.
 *
 *     f(x,y) = x > y ? x : y; commutative, associative, idempotent, identity=-inf, annihilator=inf,
 *              distributes over min
 *
 * The body is an expression as C writes it, over the parameters, and is kept as a tree of the
 * language's own operators, with their meaning.  What is declared is tested before it is relied on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_OPERATOR_H
#define SPCC_NOTATION_OPERATOR_H

#include "compiler/base/context.h"
#include "compiler/notation/notation.h"
#include "compiler/value/operator.h"

/* A law that an operator is declared with. */
enum law {
    LAW_COMMUTATIVE,
    LAW_ASSOCIATIVE,
    LAW_IDEMPOTENT,
    LAW_IDENTITY,
    LAW_ANNIHILATOR,
    LAW_DISTRIBUTES,
    LAW_COUNT
};

/* What its text says. */
struct definition {
    /* parsed: parameters are tensors of order 0, by rank */
    const struct tin *body;
    const struct tensor_var *parameter[3];
    /* where it says so; no source if it does not */
    struct span name, law[LAW_COUNT], over[USER_OVER_MAX];
    bool tested[TYPE_COUNT], holds[TYPE_COUNT]; /* the laws, on operands of this type */
};

static inline bool definition_has(const struct definition *definition, enum law law)
{
    return definition->law[law].source;
}

/* Adds it to the context's operators, whose names are words of the language from then on; false
 * after a diagnostic.  text must outlive the context's diagnostics. */
bool operator_declare(struct context *cx, const char *text);

/* Say why the operator is not defined on operands of this type. */
void operator_explain(struct context *cx, enum op op, enum type type);

/* Has the operator, on operands of this type, the laws that it is declared with, as far as trying
 * values tells?  False after a diagnostic with a counterexample, at the first time.  The table's
 * own operators have theirs. */
bool operator_obeys(struct context *cx, enum op op, enum type type);

#endif
