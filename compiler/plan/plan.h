/* plan.h - the planner, which completes a schedule with directives.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_PLAN_H
#define SPCC_PLAN_PLAN_H

#include "compiler/base/text.h"
#include "schedules/schedules.h"

/* What the planner weighs: a whole schedule, and the number of its cost, in steps of a simple
 * loop; INFINITY: it cannot be lowered. */
struct plan_alternative {
    const char *schedule;
    double cost;
    const struct cin_program *program; /* with the schedule; NULL: that is refused */
};

/* What the planner weighed. */
struct plan_report {
    /* a paragraph for each run of loops where there was a choice, the cheapest first; .at is NULL
     * if there was none */
    struct text reasons;
    /* Each alternative: the directives that had been taken before, it, and what goes with it. */
    struct {
        struct plan_alternative *at;
        size_t n, capacity;
    } alternative;
    /* the plan */
    const char *taken;
    const struct cin_program *program;
};

/* Directives as a schedule, from which schedule_apply makes the same program; "": none. */
struct plan_result {
    const char *schedule;
    const struct cin_program *program; /* with the schedule */
    /* plan_algebra: it takes so many times the steps of what it may not do; 0: not far more */
    double times;
    /* plan_gpu: what it would be if updates of floats may be atomic; NULL: the same */
    const char *consented;
};

/* The directives that complete the program so that it can be lowered well.  *report, unless it is
 * NULL, tells what else there was. */
struct plan_result plan_program(struct context *cx, const struct cin_program *program,
                                struct plan_report *report);

static inline const char *plan_schedule(struct context *cx, const struct cin_program *program,
                                        struct plan_report *report)
{
    return plan_program(cx, program, report).schedule;
}

/* The same where the planner may distribute products over sums, or tells how much it would gain. */
struct plan_result plan_algebra(struct context *cx, const struct cin_program *program,
                                bool distributes, struct plan_report *report);

/* At most n of the alternatives: the plan first, then the others by their costs, up to `most` times
 * the plan's.  No two make the same program.  Gives their number. */
int plan_best(struct context *cx, const struct cin_program *program,
              const struct plan_report *report, double most, struct plan_alternative *best, int n);

/* What the plan of a program takes: its cost, and the loops of which threads have to combine what
 * each has, or that one thread runs. */
struct plan_weight {
    double cost;
    int combined;
};
struct plan_weight plan_weigh(struct context *cx, const struct cin_program *program);
bool plan_weighs_less(struct plan_weight a, struct plan_weight than);

/* The directives that remove the obstacles to lowering the program, as a schedule; "" if none do.
 * Without diagnostics. */
const char *plan_remedy(struct context *cx, const struct cin_program *program);

/* Does the schedule make of the program one that can be lowered?  Without diagnostics. */
bool plan_fits(struct context *cx, const struct cin_program *program, const char *schedule);

/* The planned program for a kernel that computes values only, into a pattern that is given
 * (compiler/tree/masked_compute.c). */
const struct cin_program *plan_given(struct context *cx, const struct cin_program *program);
/* The planned program with what it updates at the components that are stored; itself if it updates
 * nothing. */
const struct cin_program *plan_updates(struct context *cx, const struct cin_program *program);

/* The directives by which threads share loops of a program that is planned: none if none can be
 * shared, or if some are. */
struct plan_result plan_parallel(struct context *cx, const struct cin_program *program);

/* The same for the blocks, warps and threads of a GPU.  *report says of each outermost loop which
 * shape it has, or why none, with ';' between them. */
struct plan_result plan_gpu(struct context *cx, const struct cin_program *program,
                            struct text *report);

#endif
