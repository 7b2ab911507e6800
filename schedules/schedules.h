/* schedules.h - the transformations, one const table each; and the planner, which completes a schedule with them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_SCHEDULES_H
#define SPCC_SCHEDULES_SCHEDULES_H

#include "compiler/schedule.h"

extern const struct schedule_type schedule_reorder;

/* The directives that complete the program so that it can be lowered well, as a schedule; "" if none is needed. */
const char *plan_schedule(struct context *cx, const struct cin_program *program);

#endif
