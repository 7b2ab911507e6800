/* words.h - the words and signs of tensor index notation that the operators' table does not have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_WORDS_H
#define SPCC_NOTATION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/value/op.h"

struct text;

/* The operator that sum, prod, min, max, any or all reduces with; false: not a reduction. */
bool reduction_find(const char *name, size_t n, enum op *op);
const char *reduction_name(enum op op);

/* The operator that "=", "+=", "*=", "min=", "max=", "|=", "&=" or "^=" combines with; OP_NONE of "=". */
bool assignment_find(const char *sign, size_t n, enum op *op);
const char *assignment_sign(enum op op);

/* inf, nan, true or false, as a constant. */
bool constant_find(const char *name, size_t n, struct value *value);

/* Is the name taken by a function, a reduction or a constant? */
bool word_is_reserved(const char *name, size_t n);

/* Every function and reduction, for messages. */
void words_list(struct text *out);

#endif
