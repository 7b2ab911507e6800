/* result.h - makes the results of a run before it, and puts them in place, complete, after it.
 *
 * A function writes into a dense result's arrays, which are there, or allocates a result's arrays
 * and hands them over.  In the latter case a new tensor is made around them, which takes the place
 * of the old one only after success.  The old arrays are then room for the next run (spare.h):
 * from the third run on a result alternates between two halves of the memory.  If the run may
 * overwrite the result, the old arrays are room at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_RESULT_H
#define SPCC_API_RESULT_H

#include "runtime/api/bind.h"

/* Makes, before the run, the tensor of result r that its arguments come from. */
spcc_status result_prepare(struct context *cx, struct run *run, int r);

/* Makes the old arrays of result r, if nobody will read them, room for this run.  If the run fails,
 * the result is one whose arrays were taken. */
void result_give_up_old(struct run *run, int r);

/* Returns the memory for the arrays that the function makes of result r. */
const struct memory *result_memory(const struct run *run, int r);

/* Makes a complete tensor, after the run, of the arrays that the function has made. */
spcc_status result_complete(struct context *cx, struct run *run, int r);

/* Puts the new tensor in the place of the old one, whose arrays become spare. */
void result_replace(struct run *run, int r);

#endif
