/* lower.h - from concrete index notation to imperative IR (thesis chapter 5).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_LOWER_H
#define SPCC_LOWER_LOWER_H

#include "compiler/imperative/imperative.h"
#include "compiler/notation/notation.h"
#include "compiler/tree/tree.h"

/* What stands in the way of a kernel, and a directive could move: an operand that the loops cannot iterate, or a result
 * that they cannot assemble. */
struct lower_trouble { const struct tensor_var *tensor; const struct cin *access; };

/* What a kernel leaves behind. */
struct lower_request {
    const struct tree *tree;
    const struct tin *notation;              /* the statement as parsed, for diagnostics to point into */
    const struct tin *checked;               /* ... and as checked: whose modes have which sizes */
    struct lower_trouble *trouble;           /* set instead of reporting what a directive could help, or NULL */
    const struct tensor_var *const *tensor;  /* by rank: 0 the result, then the operands */
    int tensors;
    const char *name;
    bool assembles, computes;                /* index arrays of a sparse result; values */
    enum type coordinates;                   /* i32 or i64: of dimensions and coordinate variables */
};

/* The kernel, not yet simplified; NULL after a diagnostic that says what cannot be lowered and why. */
const struct imp_function *lower(struct context *cx, const struct lower_request *request);

#endif
