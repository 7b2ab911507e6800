/* contraction.h - the order in which the factors of a product are multiplied and summed.
 *
 * A product of tensors that is summed over some of its variables is a network: its factors are the
 * nodes, the variables the edges.  A contraction takes it apart step by step.  A step multiplies
 * two tensors, or takes one alone, and sums over the variables that nothing else uses.  The number
 * of steps of simple loops depends on the order by powers of the sizes.
 *
 * Nothing here knows of expressions or programs: numbers go in, and numbers come out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_CONTRACTION_H
#define SPCC_PLAN_CONTRACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/context.h"

/* More factors, or more variables, are no network. */
enum { NETWORK_MAX = 64 };

/* A set of variables, each by its number. */
typedef uint64_t var_set;

struct network_factor {
    var_set vars;
    double entries; /* that it stores */
};

struct network {
    const struct network_factor *factor;
    const double *size; /* of each variable */
    int factors, vars;
    var_set free;   /* that are not summed */
    var_set around; /* whose loop is around all steps that have it */
};

/* What a step makes: the result of the last one, or an intermediate result. */
struct contraction_step {
    int arg[2]; /* a factor, or the number of factors plus an earlier step; arg[1] -1: none */
    var_set summed, kept;
    double entries; /* that are expected in the result */
    double cost;    /* in steps of a simple loop */
    bool dense;     /* it has a place for all coordinates */
};

struct contraction {
    struct contraction_step *step; /* the last one makes the whole */
    int steps;                     /* 0: there is none */
    double cost;                   /* of all */
};

/* The cheapest: of all there are, for few factors; for more, of all whose intermediate results are
 * of connected factors; for many, the best of some that take the cheapest step each time.  The same
 * network always has the same one. */
struct contraction contraction_of(struct context *cx, const struct network *network);

#endif
