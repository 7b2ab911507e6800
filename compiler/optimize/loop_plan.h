/* loop_plan.h - what a nest of loops combines with, and how its loops move along that.
 *
 * A nest is a loop around other loops, its axes, around one statement `target op= addend`.  For
 * each axis the plan tells whether the target moves along it, which iterations it has, and in what
 * steps they are taken together.  Positions and addends are written in the axes' variables and in
 * what the nest itself declares: declarations inside axes are replaced by their values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_LOOP_PLAN_H
#define SPCC_OPTIMIZE_LOOP_PLAN_H

#include "compiler/optimize/vectorize.h"

enum axis_steps {
    AXIS_WHOLE,  /* each step has all iterations; their number is constant */
    AXIS_STRIPS, /* each step has a few vectors: the target's elements lie side by side */
    AXIS_ALONE,  /* each step has one iteration, and all steps of the other axes are inside it */
};

struct axis {
    const struct imp *loop;
    const struct imp_var *var;
    enum axis_steps steps;
    bool sums;          /* the target does not move along it */
    int64_t begin, end; /* the bounds of an axis of constant extent; else 0, 0 */
    /* Of other axes, and where an axis is not taken whole: low and high bound the iterations in all
     * runs of the nest's body; first and past (or NULL) those of one run, if `ranges`. */
    const struct imp *low, *high, *first, *past;
    bool ranges;
};

enum { AXES_MOST = 4 };

struct loop_plan {
    struct vectorizer *z;
    const struct imp *nest;
    int stays; /* how many declarations in the nest's body are not the axes' alone */
    struct axis axis[AXES_MOST]; /* from the outermost */
    int axes;
    struct var_map value; /* of the variables that the axes declare */
    /* The condition that all axes have all their iterations, in two parts: the nest does not change
     * `always`, and `each` has to be asked in each iteration; NULL: it holds. */
    const struct imp *always, *each;
    const struct imp *target;            /* `y[position] op= addend` or `t op= addend` */
    enum op op;                          /* the operator that combines an addend with a register */
    const struct imp *position, *addend; /* position is NULL if the target is a scalar */
    const struct imp *when;              /* the statement runs if this holds; NULL: always */
    /* If `when` is `tested >= 0`: the number of coordinates that `tested` then is one of; else
     * NULL. */
    const struct imp *tested, *coordinates;
    /* If lanes differ in whether the condition holds: the addend with a valid coordinate in place
     * of what is tested, to be masked by it; else NULL. */
    const struct imp *masked;
    bool sums_up; /* an axis first adds up in a scalar what the target gets */
    int lanes_of; /* the axis whose iterations are lanes */
    int width;    /* the lanes of a register */
    /* Lanes are elements of the target that lie side by side, rather than parts of the sum of
     * one. */
    bool side_by_side;
    int vectors; /* the most vectors of a strip */
    /* Registers start from what the target holds, and add up in the order of the code. */
    bool in_order;
};

/* Returns the lanes along the axis, for questions about values that vary along it. */
struct lanes loop_plan_along(const struct loop_plan *plan, const struct axis *axis);

/* Returns the axis that is taken in these steps, or NULL. There is at most one. */
const struct axis *loop_plan_find(const struct loop_plan *plan, enum axis_steps steps);

/* Does some axis have other iterations in each run of the nest's body? */
bool loop_plan_ranges(const struct loop_plan *plan);

/* Do the iterations of the nest in which `each` holds come before all others? */
bool loop_plan_splits(const struct loop_plan *plan);

/* Can the registers start from a fill?  If some iterations combine in memory before the registers
 * are stored, the fill is needed there. */
bool loop_plan_starts(const struct loop_plan *plan);

/* Returns the nest with its outermost axis over i in place of j, where the axis over j declares i =
 * j + d with another d each time.  So the axis goes along the target if the target moves along i.
 */
const struct imp *loop_plan_over_target(struct vectorizer *z, const struct imp *nest);

/* Finds the plan of a nest.  False if it has another shape, or if registers would not pay. */
bool loop_plan_of(struct vectorizer *z, const struct imp *nest, struct loop_plan *plan);

/* Finds the plan of a loop over adjacent segments whose entries each combine with one element.  Its
 * axis is the loop over the entries of a segment, with low and high for all segments. */
bool loop_plan_of_segments(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan);

/* Finds the plan of a loop without axes that reduces into one element, the same in each iteration.
 */
bool loop_plan_of_sum(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan);

/* Finds the plan of a loop that goes along the target in strips, whatever loops the nest has around
 * it.  False if the schedule refuses vectors, or if there are none for it. */
bool loop_plan_of_row(struct vectorizer *z, const struct imp *nest, const struct imp *row,
                      struct loop_plan *plan);

#endif
