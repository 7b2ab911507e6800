/* lower.h - from concrete index notation to imperative IR (thesis chapter 5).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_LOWER_H
#define SPCC_LOWER_LOWER_H

#include "compiler/imperative/imperative.h"
#include "compiler/notation/notation.h"
#include "compiler/tree/tree.h"

/* What to lower, and to which kernel. */
struct lower_request {
    const struct tree *tree; /* can be lowered */
    /* the statement as parsed, which diagnostics point into */
    const struct tin *notation;
    /* the statement as checked, which tells the sizes of modes */
    const struct tin *checked;
    const struct tensor_var *const *tensor; /* by rank: the results, then the operands */
    int tensors;
    const char *name;
    bool computes; /* it computes values, besides the arrays of an assembled result */
    /* As a textbook has it: loops do not seek, room is not counted ahead, and sorting compares. */
    bool plain;
    /* of sizes and coordinates: i32 or i64 */
    enum type coordinates;
    /* For a GPU, if no loop has a unit: the reason, and the schedule that needs the user's consent;
     * or NULL. */
    const char *unshared, *consented;
};

/* Returns the kernel, not yet simplified.  NULL after a diagnostic: assembly and computation cannot
 * be separated. */
const struct imp_function *lower(struct context *cx, const struct lower_request *request);

#endif
