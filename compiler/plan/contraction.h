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

/* Returns how many components a sparse row gets from this many terms that are reduced into it.
 * Measured on 2026-11-27 for the products A A and A A' of eleven matrices of graphs, meshes and
 * linear programs: 0.08 to 1 of the terms, with a median of 0.43. If entries were independent it
 * would be 0.98, and no chain of products would deserve a workspace for its first one. */
static inline double plan_distinct(double terms) { return 0.5 * terms; }

/* The most factors of a network, and the most variables. */
enum { NETWORK_MAX = 64 };

/* A set of variables, each by its number. */
typedef uint64_t var_set;

/* A set of factors, each by its number. */
typedef uint64_t factor_set;

struct network_factor {
    var_set vars;
    var_set along;  /* of these, those with which it moves from one element to the next */
    double entries; /* that it stores */
    /* factors of one kind are equal up to the names of their variables; 0: no other factor is like
     * it */
    int kind;
    /* of a factor with a kind: its variables as they occur, perhaps several times */
    const int *index;
    int indices;
};

struct network {
    const struct network_factor *factor;
    const double *size; /* by variable */
    int factors, vars;
    var_set free;   /* the variables that are not summed */
    var_set along;  /* the one with which the result moves from one element to the next; or none */
    var_set around; /* the variables whose loops are around all steps that have them */
    unsigned first; /* a set of factors that are multiplied with each other first; 0: any */
};

/* Returns the number of points that the variables span. */
double network_points(const struct network *network, var_set vars);

/* A step, which makes the result if it is the last, else an intermediate result. */
struct contraction_step {
    /* a factor's number, or the number of factors plus that of an earlier step; arg[1] may be -1:
     * none */
    int arg[2];
    var_set summed, kept;
    double entries; /* that the result is expected to store */
    double cost;    /* in steps of a simple loop */
    bool dense;     /* the result has a place for every point */
    /* an earlier step that makes the same up to names, so that this one costs nothing; -1: none */
    int same;
    int last; /* the variable along which the result should be contiguous; -1: any */
};

struct contraction {
    struct contraction_step *step; /* the last one makes the whole */
    int steps;                     /* 0: there is none */
    double cost;                   /* of all */
};

/* Returns the cheapest contraction.  Of few factors it is the cheapest of all; of more, the
 * cheapest whose intermediate results have connected factors; of many, the best of several that
 * greedily take the cheapest step.  It depends on the network alone.  Of few and of more factors,
 * what several parts of the network make alike is paid for once. */
struct contraction contraction_of(struct context *cx, const struct network *network);

/* A set of factors that makes the same as another set, up to names. */
struct repeated {
    unsigned first; /* the first such set, perhaps itself; 0: the set is too large */
    /* by factor of the first set: the one of this set that corresponds to it; NULL: the sets are
     * the same */
    const unsigned char *image;
};

/* Returns, by set of factors, which set makes the same, for sets of up to about half of the
 * factors.  NULL: no two factors are alike.  (repeated.c) */
const struct repeated *contraction_repeated(struct context *cx, const struct network *network);
/* Do the two sets make the same up to names, as far as a few attempts tell?  If `is` is not NULL,
 * is[v] gets the variable of the other set that corresponds to variable v, plus 1. */
bool contraction_is_alike(const struct network *network, factor_set one, factor_set other,
                          signed char *is);

/* Finds the variable along which each intermediate result should be contiguous, if a vector has
 * this many components.  (along.c) */
void contraction_lay_out(struct context *cx, const struct network *network, int lanes,
                         struct contraction *made);

#endif
