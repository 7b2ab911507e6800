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
    const struct tree *tree; /* without trouble */
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
    int part_work; /* iterations and stored entries that are worth a part */
    /* i32 or i64: of dimensions and coordinate variables */
    enum type coordinates;
};

/* Iterations and stored entries count as one each.  Two parts of y(i) = A(i,j) * x(j) are 50 us of
 * one thread's time, of which two threads save half.  A parallel loop costs 1 us if the threads are
 * awake and 5 to 7 us if not (two cores of an AMD EPYC, gcc 12 with its libgomp, least and median
 * of 20,000 loops), but some ms where other programs keep the processors busy: a shared loop has to
 * be worth that risk. */
enum { PART_WORK = 32768 };

/* The kernel, not yet simplified; NULL after a diagnostic: assembling and computing cannot be
 * apart. */
const struct imp_function *lower(struct context *cx, const struct lower_request *request);

#endif
