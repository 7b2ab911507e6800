/* contracting.h - what the ways to find a contraction share; private to contraction.c and greedy.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_CONTRACTING_H
#define SPCC_PLAN_CONTRACTING_H

#include "compiler/plan/contraction.h"

/* All connected sets of so many factors are tried. */
enum { CONNECTED_MAX = 14 };

/* A tensor on the way. */
struct part {
    var_set vars;
    double entries;  /* -1: there is no such part */
    double cost;     /* of making it */
    double step;     /* ... of its last step alone */
    uint64_t makers; /* a bit for each step's set that may have another one like it */
};

enum form { FORM_GIVEN, FORM_DENSE, FORM_SPARSE, FORMS };

/* The steps of a part, or of several; what they make but for names is made by the first. */
struct taken {
    unsigned set[3 * CONNECTED_MAX]; /* the first that makes the same */
    enum form form[3 * CONNECTED_MAX];
    int step[3 * CONNECTED_MAX]; /* its number */
    int n;
    double cost;
};

struct contracting {
    struct context *cx;
    const struct network *network;
    const struct target *target;
    double largest;           /* that a factor stores */
    struct cell *cell;        /* of each set of factors */
    double *share;            /* ... what part of all coordinates is expected in the product */
    var_set *vars;            /* ... the variables */
    const struct cell *whole; /* of all factors */
    const struct repeated *repeated; /* of each set; NULL: no two make the same */
    struct contraction made;
    struct taken taken; /* the steps so far */
};

/* The products of two parts: both are in random places.  The shorter one is gone through. */
double contracting_products(const struct contracting *c, const struct part *a,
                            const struct part *b);
/* How many of the coordinates a sum of products with this share leaves. */
double contracting_entries(const struct contracting *c, var_set vars, var_set kept, double share);
/* What a step of so many terms makes; its cost is that of the step. */
struct part contracting_result(const struct contracting *c, var_set kept, double points,
                               double entries, double terms, enum form form);

/* There are no steps yet. */
void contracting_begin(struct contracting *c);
/* Its number as an argument of others. */
int contracting_push(struct contracting *c, struct contraction_step step);

/* One step after the other (greedy.c). */
void contract_greedily(struct contracting *c);

#endif
