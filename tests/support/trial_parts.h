/* trial_parts.h - what the files behind trial.h share.
 *
 *   trial.c      compiling a case, asking the oracle
 *   laws.c       what holds of every stage
 *   pack.c       its tensors in memory
 *   run.c        its kernels, run
 *   scheduled.c  its kernels under schedules, run
 *   directives.c schedules for it, drawn at random
 *   compare.c    their results against the oracle
 *   update.c     ... of which a part is updated in place
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_TRIAL_PARTS_H
#define SPCC_SUPPORT_TRIAL_PARTS_H

#include "tests/support/trial.h"

/* Why a context was left. */
const char *trial_unwound(const struct context *cx);
/* The case ends so: it is refused if it takes more than a compilation may, else it has failed. */
void trial_take_unwound(struct trial *t);

/* A machine of which the case's number draws the figures: code is right on each.  So much work is
 * worth a thread's part there; 0: as on any. */
const struct target *trial_target(const struct trial *trial, int part_work);
struct pipeline_request trial_request(const struct trial *trial);

void trial_check_laws(struct trial *trial);
/* Does the program read back from what is printed of it? */
void trial_check_text(struct trial *trial, const struct cin_program *program);

/* Is the kernel's C no longer than any may be? */
void trial_check_length(struct trial *trial, const struct pipeline *pipeline);

/* Returns a tensor packed; NULL after setting the verdict, or where the format of the result does
 * not hold it. */
struct tensor *trial_pack(struct trial *trial, const struct case_tensor *from,
                          const struct format *format);
void trial_pack_operands(struct trial *trial);

/* Does the value depend on where products and sums are formed? */
bool trial_has_infinite_factors(const struct trial *trial);

/* Values, pattern, order and uniqueness of a valid result. */
void trial_compare(struct trial *trial, const struct tensor *y);
/* Does the result's format hold its components? */
enum trial_limit trial_limit(struct trial *trial);
/* The values alone of what it stores. */
void trial_compare_stored(struct trial *trial, const struct tensor *y);

/* Does the statement update a part of a sparse result in place?  Is this the right status then, and
 * has a kernel that failed left the result as it was? */
bool trial_updates(const struct trial *trial);
bool trial_is_right_update(struct trial *trial, int status);
void trial_check_unchanged(struct trial *trial);

/* Directives about its loops, or about collapsed ones and positions; NULL: there is no loop. */
struct rng;
const char *trial_draw_schedule(struct trial *trial, struct rng *rng);
/* Returns how many times as large parts are as those of small cases: each may go through a row of
 * its own. */
int trial_part_scale(const struct trial *trial);
const char *trial_draw_parallel(struct trial *trial, struct rng *rng);
/* Returns the plan, or the loops as they are, with a nest of loops of a GPU's units. */
const char *trial_draw_launch(struct trial *trial, struct rng *rng);
/* Returns the planner's schedule, its rows in other bins; NULL: it has none. */
const char *trial_draw_bins(struct trial *trial, struct rng *rng, const char *plan);
/* Returns the plan with every outermost loop parallel that may be. */
const char *trial_parallel_plan(struct trial *trial);
const char *trial_draw_positions(struct trial *trial, struct rng *rng, bool positions);

/* Returns the result as the kernel wants it: of a compound assignment what it holds, else nothing
 * of use.  False after setting the verdict. */
bool trial_new_result(struct trial *trial);
/* Does a size of the case not keep to a bound of the schedule? */
bool trial_breaks_bound(const struct trial *trial, const struct pipeline *pipeline);
/* Interpret a kernel into a new result, and compare it. */
void trial_interpret_and_check(struct trial *trial, const struct pipeline *pipeline);
/* If nothing is wrong so far: body, whose unwinding is a failure as well. */
void trial_in_context(struct trial *trial,
                      void (*body)(struct trial *trial, const struct pipeline *pipeline),
                      const struct pipeline *pipeline);

/* Frees what a run has assembled and nothing has taken. */
void trial_free_out(struct trial *trial);

#endif
