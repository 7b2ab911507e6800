/* squares.h - squares of lanes: what squares.c and squares_stream.c share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_SQUARES_H
#define SPCC_OPTIMIZE_SQUARES_H

#include "compiler/optimize/vectorize.h"

enum { SQUARES_TURNED = 4, SQUARES_LANES = 16 }; /* arrays that are turned, and lanes, at most */

/* One loop of the two: where it begins and ends, and how it runs. */
struct side {
    const struct imp *loop;
    const struct imp *begin, *end;
    const struct imp *at; /* where the square begins */
    bool whole;           /* its iterations are a multiple of a vector's lanes */
};

/* A load along y, and the vectors along x that come of it. */
struct turned {
    const struct imp *load;
    const struct imp *vector[SQUARES_LANES];
};

struct squares {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *outer, *inner, *store;
    struct side x, y; /* x: along which the store is contiguous */
    struct lanes along_x, along_y;
    const struct imp *value; /* of loads, the variables of the loops, and what is outside of them */
    struct turned turned[SQUARES_TURNED];
    int turns, width;
    bool fetches; /* Squares ask for lines that others will need. */
};

/* ---- squares.c ---- */

/* Returns e at this x and this y. */
const struct imp *squares_at(const struct squares *s, const struct imp *e, const struct imp *x,
                             const struct imp *y);

/* Adds the loops over squares, to these ends, with a square in them.  `last`: the last square ends
 * where the loop does. */
void squares_loops(struct squares *s, const struct imp *y_end, const struct imp *x_end, bool last);

/* ---- squares_stream.c ---- */

/* Need the elements not stay in the caches, and are there buffers for as many rows? */
bool squares_may_stream(const struct squares *s);

/* Adds all squares, whose elements are stored past the caches. */
void squares_stream(struct squares *s);

#endif
