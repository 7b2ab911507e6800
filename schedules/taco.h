/* taco.h - taco's directives, said in spcc's; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_TACO_H
#define SPCC_SCHEDULES_TACO_H

#include "compiler/schedule.h"

enum taco_answer {
    TACO_OWN,        /* it is not taco's alone */
    TACO_TRANSLATED, /* *made is spcc's directive */
    TACO_NOTHING,    /* spcc does so without being told */
    TACO_REFUSED     /* after a diagnostic that says what to do instead */
};

/* What taco's directive is in spcc's language, for this program; spans stay those of the call. */
enum taco_answer taco_translate(struct context *cx, const struct cin_program *program,
                                const struct schedule_call *call, struct schedule_call *made);

#endif
