/* check.h - the steps of tin_check that have a file of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_CHECK_H
#define SPCC_NOTATION_CHECK_H

#include "compiler/base/bits.h"
#include "compiler/notation/notation.h"

/* A check stops looking after this many mistakes. */
enum { TIN_ERRORS_MAX = 20 };

/* Makes the sums explicit over all those of the statement's index variables (numbered by their
 * place in index) that are neither in left nor bound by a reduction.  NULL after diagnostics. */
const struct tin *tin_sum(struct context *cx, const struct tin *value,
                          const struct index_var *const *index, int indices, struct bits left);

/* Returns the statement result op= value, every node with its type and every literal of the type
 * that it takes from what it is combined with.  NULL after diagnostics. */
const struct tin *tin_type(struct context *cx, struct span span, enum op op,
                           const struct tin *result, const struct tin *value);

/* Returns the same for a value by itself, which goes into nothing wider; what is of literals only
 * takes the type `beside`. */
const struct tin *tin_type_value(struct context *cx, const struct tin *value, enum type beside);

/* Does the statement keep components (keep.c) where it may?  false after a diagnostic.  The second
 * asks of one that updates a part of a sparse result. */
bool check_keep(struct context *cx, const struct tin *statement);
bool check_keep_held(struct context *cx, const struct tin *statement);

#endif
