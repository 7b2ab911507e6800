/* contracting.h - what the ways to find a contraction share; private to contraction.c and greedy.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_CONTRACTING_H
#define SPCC_PLAN_CONTRACTING_H

#include "compiler/plan/contraction.h"

/* All connected sets of up to this many factors are tried. */
enum { CONNECTED_MAX = 14 };

/* A tensor that steps make. */
struct part {
    var_set vars;
    double entries;  /* -1: there is no such part */
    double cost;     /* of making it */
    double step;     /* of its last step alone */
    uint64_t makers; /* a bit for each set that its steps make and that may have one like it */
};

enum form { FORM_GIVEN, FORM_DENSE, FORM_SPARSE, FORMS };

/* The steps of a part, or of several parts.  Sets that make the same up to names are made once. */
struct taken {
    unsigned set[3 * CONNECTED_MAX]; /* the first set that makes the same */
    enum form form[3 * CONNECTED_MAX];
    int step[3 * CONNECTED_MAX]; /* the number of its step */
    int n;
    double cost;
};

struct contracting {
    struct context *cx;
    const struct network *network;
    const struct target *target;
    double largest;    /* the most that a factor stores */
    struct cell *cell; /* by set of factors */
    double *share;     /* by set: the expected share of points at which the product is stored */
    var_set *vars;     /* by set: its variables */
    const struct cell *whole;        /* of the set of all factors */
    const struct repeated *repeated; /* by set; NULL: no two sets make the same */
    struct contraction made;
    struct taken taken; /* the steps so far */
};

/* Returns the number of products of two parts whose entries are in random places.  The shorter part
 * is gone through. */
double contracting_products(const struct contracting *c, const struct part *a,
                            const struct part *b);
/* Returns how many entries remain when products with this share are summed over the variables that
 * are not kept. */
double contracting_entries(const struct contracting *c, var_set vars, var_set kept, double share);
/* Returns the result of a step with this many terms, and the step's cost. */
struct part contracting_result(const struct contracting *c, var_set kept, double points,
                               double entries, double terms, enum form form);

/* Starts without steps. */
void contracting_begin(struct contracting *c);
/* Adds a step.  Gives its number as an argument of other steps. */
int contracting_push(struct contracting *c, struct contraction_step step);

/* Finds the steps one after the other (greedy.c). */
void contract_greedily(struct contracting *c);

#endif
