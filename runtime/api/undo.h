/* undo.h - what a run changes in place, as it was.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_UNDO_H
#define SPCC_API_UNDO_H

#include "runtime/api/bind.h"

/* Before the run, whose arguments are bound: keep what it changes in place, if it may take long.
 * May it be stopped in the middle?  Not if it changes results that are not kept. */
spcc_status undo_prepare(struct context *cx, struct run *run, const struct imp_argument *argument,
                         bool *may_stop);

/* After it: free what is kept; give it back first if the run has failed.  Again: nothing. */
void undo_end(struct run *run, bool failed);

#endif
