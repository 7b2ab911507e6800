/* lower.h - from concrete index notation to imperative IR (thesis chapter 5).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_LOWER_H
#define SPCC_LOWER_LOWER_H

#include "compiler/imperative/imperative.h"
#include "compiler/notation/notation.h"
#include "compiler/tree/tree.h"

/* What a kernel leaves behind. */
struct lower_request {
    const struct tree *tree; /* of what can be lowered */
    /* the statement as parsed, for diagnostics to point into */
    const struct tin *notation;
    /* ... and as checked: whose modes have which sizes */
    const struct tin *checked;
    const struct tensor_var *const *tensor; /* by rank: 0 the result, then the operands */
    int tensors;
    const char *name;
    bool computes; /* values, besides the index arrays of a result that is assembled */
    /* As a textbook has it: operands are not sought in, room is not counted ahead, and sorting
     * compares. */
    bool plain;
    /* i32 or i64: of dimensions and coordinate variables */
    enum type coordinates;
    /* For a GPU, where no loop has a unit: why not, and the schedule that someone has to consent
     * to; or NULL. */
    const char *unshared, *consented;
};

/* The kernel, not yet simplified; NULL after a diagnostic: assembling and computing cannot be
 * apart. */
const struct imp_function *lower(struct context *cx, const struct lower_request *request);

#endif
