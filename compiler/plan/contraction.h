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

/* How many of so many terms that are reduced into a sparse row have a component of their own.
 * Measured on 2026-11-27: of the products of A A, or of A A', for eleven matrices of graphs, meshes
 * and linear programs, 0.08 to 1 have, the median is 0.43.  Were entries independent of each other
 * it would be 0.98, and no chain of products would be worth a workspace for the first of them. */
static inline double plan_distinct(double terms) { return 0.5 * terms; }

/* More factors, or more variables, are no network. */
enum { NETWORK_MAX = 64 };

/* A set of variables, each by its number. */
typedef uint64_t var_set;

/* A set of factors, each by its number. */
typedef uint64_t factor_set;

struct network_factor {
    var_set vars;
    var_set along;  /* of these, those with which it moves from one element to the next */
    double entries; /* that it stores */
    /* factors of one kind are the same but for the names of their variables; 0: like no other */
    int kind;
    const int *index; /* of a kind: its variables as they come, perhaps several times */
    int indices;
};

struct network {
    const struct network_factor *factor;
    const double *size; /* of each variable */
    int factors, vars;
    var_set free;   /* that are not summed */
    var_set along;  /* the one with which the result moves from one element to the next; or none */
    var_set around; /* whose loop is around all steps that have it */
    unsigned first; /* a set of factors that are multiplied by themselves first; 0: any */
};

/* All coordinates of the variables. */
double network_points(const struct network *network, var_set vars);

/* What a step makes: the result of the last one, or an intermediate result. */
struct contraction_step {
    int arg[2]; /* a factor, or the number of factors plus an earlier step; arg[1] -1: none */
    var_set summed, kept;
    double entries; /* that are expected in the result */
    double cost;    /* in steps of a simple loop */
    bool dense;     /* it has a place for all coordinates */
    int same;       /* an earlier step that makes the same but for names, at no cost; -1: none */
    int last;       /* the variable with which what it makes ought to be contiguous; -1: any */
};

struct contraction {
    struct contraction_step *step; /* the last one makes the whole */
    int steps;                     /* 0: there is none */
    double cost;                   /* of all */
};

/* The cheapest: of all there are, for few factors; for more, of all whose intermediate results are
 * of connected factors; for many, the best of some that take the cheapest step each time.  The same
 * network always has the same one.  Of few and of more, what several parts of it make is paid for
 * once. */
struct contraction contraction_of(struct context *cx, const struct network *network);

/* A set of factors that makes the same as another but for names. */
struct repeated {
    unsigned first;             /* the first such set, perhaps itself; 0: the set is too large */
    const unsigned char *image; /* what stands for each of the first's factors; NULL: itself */
};

/* Of each set of some half of the factors at most.  NULL: no two factors are the same.
 * (repeated.c) */
const struct repeated *contraction_repeated(struct context *cx, const struct network *network);
/* Do the sets make the same but for names, as far as few tries tell?  Then is[v], unless it is
 * NULL, has what stands in the other one for the variable v of the one, plus 1. */
bool contraction_is_alike(const struct network *network, factor_set one, factor_set other,
                          signed char *is);

/* Find along which of its variables each intermediate result is best contiguous, where a vector has
 * so many components.  (along.c) */
void contraction_lay_out(struct context *cx, const struct network *network, int lanes,
                         struct contraction *made);

#endif
