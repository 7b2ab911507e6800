/* words.h - the words and signs of tensor index notation that the operators' table does not have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_WORDS_H
#define SPCC_NOTATION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/value/op.h"

struct suggestion;
struct text;

/* Returns the operator that sum, prod, min, max, any or all reduces with; false: not a reduction.
 */
bool reduction_find(const char *name, size_t n, enum op *op);
const char *reduction_name(enum op op);

/* Returns the operator that "+=" and the like combine with; OP_NONE of "=". */
bool assignment_find(const char *sign, size_t n, enum op *op);
const char *assignment_sign(enum op op);
/* All of them, for messages. */
void assignments_list(struct text *out);

/* "**", which is pow. */
bool power_find(const char *sign, size_t n);

/* inf, nan, true or false, as a constant. */
bool constant_find(const char *name, size_t n, struct value *value);

/* Is the name taken by a reduction or a constant?  (By a function: operator_find.) */
bool word_is_reserved(const char *name, size_t n);

/* Offers every function and reduction. */
void words_suggest(struct suggestion *near);

/* Every function and reduction, for messages. */
void words_list(struct text *out);

#endif
