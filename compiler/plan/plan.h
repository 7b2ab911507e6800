/* plan.h - the planner, which completes a schedule with directives.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_PLAN_H
#define SPCC_PLAN_PLAN_H

#include "compiler/base/text.h"
#include "schedules/schedules.h"

/* A schedule that the planner weighed, and its cost in steps of a simple loop; INFINITY: it cannot
 * be lowered. */
struct plan_alternative {
    const char *schedule;
    double cost;
    const struct cin_program *program; /* the program with the schedule; NULL: it is refused */
};

/* What the planner weighed. */
struct plan_report {
    /* a paragraph for each run of loops where there was a choice, with the cheapest alternative
     * first; .at is NULL if there was no choice */
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

/* A schedule, from which schedule_apply makes `program`; "" has no directives. */
struct plan_result {
    const char *schedule;
    const struct cin_program *program;
    /* plan_algebra: how many times the steps it takes of a plan that may distribute; 0: not far
     * more */
    double times;
    /* plan_gpu: the plan if updates of floats may be atomic; NULL: the same */
    const char *consented;
};

/* Returns the directives that complete the program so that it can be lowered, and runs well.
 * *report, if not NULL, gets what was weighed. */
struct plan_result plan_program(struct context *cx, const struct cin_program *program,
                                struct plan_report *report);

static inline const char *plan_schedule(struct context *cx, const struct cin_program *program,
                                        struct plan_report *report)
{
    return plan_program(cx, program, report).schedule;
}

/* Does the same if the planner may distribute products over sums; if it may not, `times` tells how
 * much it would gain. */
struct plan_result plan_algebra(struct context *cx, const struct cin_program *program,
                                bool distributes, struct plan_report *report);

/* Finds up to n alternatives: the plan first, then others by their costs, up to `most` times the
 * plan's cost.  No two make the same program.  Returns their number. */
int plan_best(struct context *cx, const struct cin_program *program,
              const struct plan_report *report, double most, struct plan_alternative *best, int n);

/* What a program's plan takes: its cost, and how many loops are left to one thread, or combine what
 * each thread has. */
struct plan_weight {
    double cost;
    int combined;
};
struct plan_weight plan_weigh(struct context *cx, const struct cin_program *program);
bool plan_weighs_less(struct plan_weight a, struct plan_weight than);

/* Returns the directives that remove the obstacles to lowering the program, as a schedule; "": none
 * do.  Makes no diagnostics. */
const char *plan_remedy(struct context *cx, const struct cin_program *program);

/* Can the program be lowered with this schedule?  Makes no diagnostics. */
bool plan_fits(struct context *cx, const struct cin_program *program, const char *schedule);

/* Returns the planned program for a kernel that only computes values into a given pattern
 * (compiler/tree/masked_compute.c). */
const struct cin_program *plan_given(struct context *cx, const struct cin_program *program);
/* Returns the planned program whose updated results are assigned at their stored components alone;
 * itself if it updates none. */
const struct cin_program *plan_updates(struct context *cx, const struct cin_program *program);

/* Returns the directives by which threads of a CPU share loops of a planned program: none if no
 * loop can be shared, or if some are. */
struct plan_result plan_parallel(struct context *cx, const struct cin_program *program);

/* Does the same for the blocks, warps and threads of a GPU. *report tells the shape of each
 * outermost loop, or why it has none, separated by ';'. */
struct plan_result plan_gpu(struct context *cx, const struct cin_program *program,
                            struct text *report);

#endif
