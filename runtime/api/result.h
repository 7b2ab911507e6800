/* result.h - the results of a run: made before it, complete and in their place after it.
 *
 * A function either writes into arrays that are there, a dense result's, or allocates those of the
 * result and hands them over.  Then a new tensor is made around them, which takes the place of the
 * old one only when all is well.  The arrays of the old one are then room for the next run
 * (spare.h): from the third run on a result goes from one half of the memory to the other.  If the
 * run may overwrite it, the old arrays are room at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_RESULT_H
#define SPCC_API_RESULT_H

#include "runtime/api/bind.h"

/* Before the run: the tensor of result r that its arguments come from. */
spcc_status result_prepare(struct context *cx, struct run *run, int r);

/* The old arrays of result r, if nobody will read them, are room for this run.  If the run fails,
 * the result is one whose arrays were taken. */
void result_give_up_old(struct run *run, int r);

/* Of the arrays that the function makes of result r. */
const struct memory *result_memory(const struct run *run, int r);

/* After the run: the arrays that the function has made, as a complete tensor. */
spcc_status result_complete(struct context *cx, struct run *run, int r);

/* The new tensor takes the place of the old one, whose arrays are spare. */
void result_replace(struct run *run, int r);

#endif
