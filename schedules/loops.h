/* loops.h - what directives share: refusing, and putting other loops in a loop's place; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_LOOPS_H
#define SPCC_SCHEDULES_LOOPS_H

#include "schedules/schedules.h"

/* Report that the directive cannot be applied because of this argument (-1: of all of it); always false. */
bool loops_refuse(struct context *cx, const struct cin_program *program, const struct schedule_call *call, int argument,
                  const char *why);

/* The forall over the variable that this argument names; NULL after a diagnostic. */
const struct cin *loops_find(struct context *cx, const struct cin_program *program, const struct schedule_call *call,
                             int argument);

/* The relation by which the loop's variable is a part of another, or a difference; NULL if it stands for itself. */
const struct cin_relation *loops_origin(const struct cin_program *program, const struct cin *loop);

/* Is this argument a name that nothing has yet?  false after a diagnostic. */
bool loops_check_new(struct context *cx, const struct cin_program *program, const struct schedule_call *call, int argument);

const struct index_var *loops_new_var(struct context *cx, const char *name, int64_t size);

/* The program with this statement for the loop, and one relation more; NULL after a diagnostic, if a variable is not
 * known where it is used then. */
const struct cin_program *loops_replace(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call, const struct cin *loop, const struct cin *by,
                                        const struct cin_relation *relation);

#endif
