/* loop_plan.h - what a nest of loops combines with, and how its loops move along that.
 *
 * A nest is a loop around others, its axes, around one statement `target op= addend`.  The plan
 * says of each axis whether the target moves along it, which of its iterations there are, and in
 * what steps they are taken together.  Positions and addends are written in the axes' variables and
 * in what the nest itself declares: what the axes declare has its value in its place.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_LOOP_PLAN_H
#define SPCC_OPTIMIZE_LOOP_PLAN_H

#include "compiler/optimize/vectorize.h"

enum axis_steps {
    AXIS_WHOLE,  /* all iterations, a constant number of them, are in each step */
    AXIS_STRIPS, /* a few vectors at a step: the target's elements lie side by side */
    AXIS_ALONE,  /* one iteration after the other, around all steps of the others */
};

struct axis {
    const struct imp *loop;
    const struct imp_var *var;
    enum axis_steps steps;
    bool sums;          /* the target does not move along it */
    int64_t begin, end; /* of an axis of constant extent; 0, 0: it has none */
    /* Of another, and where it is not taken whole: the bounds of its iterations in all runs, and
     * those that a run has besides, or NULL; `ranges`: it has some. */
    const struct imp *low, *high, *first, *past;
    bool ranges;
};

enum { AXES_MOST = 4 };

struct loop_plan {
    struct vectorizer *z;
    const struct imp *nest;
    int stays; /* the declarations of the nest's body that are not the axes' alone */
    struct axis axis[AXES_MOST]; /* from the outermost on */
    int axes;
    struct var_map value; /* of what the axes declare */
    /* that they have all their iterations: what the nest does not change, and what it does; NULL:
     * nothing */
    const struct imp *always, *each;
    const struct imp *target;            /* `y[position] op= addend` or `t op= addend` */
    enum op op;                          /* with which the addend goes to a register */
    const struct imp *position, *addend; /* position: NULL: a scalar */
    const struct imp *when;              /* if this holds; NULL: always */
    /* It is `tested >= 0`, and a coordinate of so many then; or NULL. */
    const struct imp *tested, *coordinates;
    /* Lanes differ in whether it holds: those where it does not are masked.  `masked` is the addend
     * with a coordinate there in place of what is tested. */
    const struct imp *masked;
    bool sums_up; /* an axis sums up in a scalar first what the target gets */
    int lanes_of; /* the axis whose iterations are lanes */
    int width;    /* lanes of a register */
    /* They are elements of the target, and not parts of the sum of one. */
    bool side_by_side;
    int vectors; /* of a strip, at most */
    /* Registers start from what the target holds, and add up in the order of the code. */
    bool in_order;
};

/* What varies along the axis. */
struct lanes loop_plan_along(const struct loop_plan *plan, const struct axis *axis);

/* The axis that is taken in these steps, of which there is at most one; or NULL. */
const struct axis *loop_plan_find(const struct loop_plan *plan, enum axis_steps steps);

/* Does an axis have other iterations each time that the nest's body runs? */
bool loop_plan_ranges(const struct loop_plan *plan);

/* Do the iterations of the nest in which `each` holds come before all others? */
bool loop_plan_splits(const struct loop_plan *plan);

/* Can the components start from a fill?  Where some of what an iteration adds goes through memory
 * before the registers do, it is needed there. */
bool loop_plan_starts(const struct loop_plan *plan);

/* The nest, with its outermost axis over i where it is over j and declares i = j + d, d another one
 * each time: what the target moves along, if any. */
const struct imp *loop_plan_over_target(struct vectorizer *z, const struct imp *nest);

/* The plan of a nest; false: it has another shape, or registers would not do. */
bool loop_plan_of(struct vectorizer *z, const struct imp *nest, struct loop_plan *plan);

/* The plan of a loop over segments that follow each other, of entries that each combine with an
 * element: its axis is the loop over the entries of one, from `low` to `high` in all. */
bool loop_plan_of_segments(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan);

/* The plan of a loop, without axes, that reduces into one element, the same in each iteration. */
bool loop_plan_of_sum(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan);

/* The plan of a loop that goes along the target in strips, whatever the nest has around it.  false:
 * it is refused, or has no vectors. */
bool loop_plan_of_row(struct vectorizer *z, const struct imp *nest, const struct imp *row,
                      struct loop_plan *plan);

#endif
