/* schedule.h - the interface of transformations (thesis chapter 6).
 *
 * A transformation is one const table in schedules/: its name, how it is written, and a pure
 * rewrite of a program.  The compiler knows transformations through this header only;
 * compiler/registry.c lists them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULE_H
#define SPCC_SCHEDULE_H

#include "compiler/concrete/concrete.h"

/* One directive as it was written: name(argument, argument, ...). */
struct schedule_call {
    const char *name;
    struct span span;
    int arguments;
    const char *const *argument; /* without surrounding blanks, interned */
    const struct span *argument_span;
};

struct schedule_type {
    const char *name;  /* "reorder" */
    const char *usage; /* "reorder(i, j, ...)" */
    const char *brief; /* one line for `spcc help schedules` */
    /* The transformed program, or NULL after a diagnostic that names the directive, the loop and
     * the reason. */
    const struct cin_program *(*apply)(struct context *cx, const struct cin_program *program,
                                       const struct schedule_call *call);
};

/* Apply the directives in text, ';' or ',' between them, from left to right; each result is
 * checked. */
const struct cin_program *schedule_apply(struct context *cx,
                                         const struct schedule_type *const *known,
                                         const struct cin_program *program, const char *text);

#endif
