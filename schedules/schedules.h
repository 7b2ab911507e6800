/* schedules.h - the transformations, one const table each; and the planner, which completes a
 * schedule with them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_SCHEDULES_H
#define SPCC_SCHEDULES_SCHEDULES_H

#include "compiler/schedule.h"

extern const struct schedule_type schedule_reorder;
extern const struct schedule_type schedule_precompute;
extern const struct schedule_type schedule_collect;
extern const struct schedule_type schedule_sequence;
extern const struct schedule_type schedule_share;
extern const struct schedule_type schedule_split;
extern const struct schedule_type schedule_skew;
extern const struct schedule_type schedule_collapse;
extern const struct schedule_type schedule_pos;
extern const struct schedule_type schedule_convert;
extern const struct schedule_type schedule_bound;
extern const struct schedule_type schedule_unroll;
extern const struct schedule_type schedule_vectorize;
extern const struct schedule_type schedule_parallelize;

/* What the planner weighed. */
struct plan_report {
    /* a paragraph for each run of loops where there was a choice, the cheapest first */
    const char *reasons;
    /* Each alternative, whole: the directives that had been taken before, it, and what goes with
     * it; and the number of its cost. */
    struct {
        struct plan_alternative {
            const char *schedule;
            double cost;
        } * at;
        size_t n, capacity;
    } alternative;
};

/* The directives that complete the program so that it can be lowered well, as a schedule; "" if
 * none is needed. *report, unless it is NULL, tells what else there was. */
const char *plan_schedule(struct context *cx, const struct cin_program *program,
                          struct plan_report *report);

/* The planned program for a kernel that computes values only, into a pattern that is given
 * (compiler/tree/given.c). */
const struct cin_program *plan_given(struct context *cx, const struct cin_program *program);

/* The directives by which threads share loops of a program that is planned; "" if none can be
 * shared, or if some are. */
const char *plan_parallel(struct context *cx, const struct cin_program *program);

#endif
