/* distribute.h - what distribute, and the planner that weighs it, share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_DISTRIBUTE_H
#define SPCC_SCHEDULES_DISTRIBUTE_H

#include "compiler/base/vec.h"
#include "schedules/loops.h"

/* One of the terms that an expression is the sum of, times an integer. */
struct distribute_term {
    const struct cin *e;
    int times; /* below 0: subtracted */
};
struct distribute_terms {
    struct distribute_term *at;
    size_t n, capacity;
};

/* Write out the value that is reduced by the operator, in the type of what is assigned, as far as
 * it is in `part` or around it.  One term: there is nothing to distribute.  None: there are more
 * than DISTRIBUTE_MAX. */
enum { DISTRIBUTE_MAX = 16 };
struct distribute_terms distribute_terms(struct context *cx, const struct cin *assign,
                                         const struct cin *part);

/* Returns an integer from 2 on as which e is the power of its first operand, in a reduction by
 * `over`; 0: it is no such power. */
int distribute_power(enum op over, const struct cin *e);

#endif
