/* undo.h - keeps a copy of what a run changes in place, and restores it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_UNDO_H
#define SPCC_API_UNDO_H

#include "runtime/api/bind.h"

/* Keeps, before the run and with its arguments bound, what it changes in place, if it may take
 * long.  May the run be stopped in the middle?  Not if it changes results that are not kept. */
spcc_status undo_prepare(struct context *cx, struct run *run, const struct imp_argument *argument,
                         bool *may_stop);

/* Frees the copy after the run, and restores it first if the run has failed.  A second call does
 * nothing. */
void undo_end(struct run *run, bool failed);

#endif
