/* schedules.h - the transformations, one const table each.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_SCHEDULES_H
#define SPCC_SCHEDULES_SCHEDULES_H

#include "compiler/schedule.h"

extern const struct schedule_type schedule_reorder;
extern const struct schedule_type schedule_precompute;
extern const struct schedule_type schedule_collect;
extern const struct schedule_type schedule_distribute;
extern const struct schedule_type schedule_reuse;
extern const struct schedule_type schedule_factor;
extern const struct schedule_type schedule_sequence;
extern const struct schedule_type schedule_share;
extern const struct schedule_type schedule_split;
extern const struct schedule_type schedule_skew;
extern const struct schedule_type schedule_collapse;
extern const struct schedule_type schedule_pos;
extern const struct schedule_type schedule_convert;
extern const struct schedule_type schedule_blas;
extern const struct schedule_type schedule_bound;
extern const struct schedule_type schedule_unroll;
extern const struct schedule_type schedule_vectorize;
extern const struct schedule_type schedule_parallelize;
extern const struct schedule_type schedule_bin;

/* Returns the directive that helps where the result's components cannot be assembled in the order
 * in which they come; NULL if they come from a list already. */
const struct schedule_call *schedule_collecting(struct context *cx,
                                                const struct cin_program *program);

/* Returns the directive that helps where an operand cannot be iterated in the loops around: it is
 * copied; NULL if it is being copied already. */
const struct schedule_call *schedule_converting(struct context *cx,
                                                const struct cin_program *program,
                                                const struct cin *access);

/* Returns the directive by which one workspace, or scalar, takes the place of another; NULL: it
 * would be refused. */
const struct schedule_call *schedule_reusing(struct context *cx, const struct cin_program *program,
                                             const struct tensor_var *from,
                                             const struct tensor_var *to);

#endif
