/* register_tile.h - a tile: what a nest combines with, as far as it is in registers.
 *
 *   tile_sites.c      which nests have one, and where they combine with it
 *   tile_steps.c      what these places do to its registers
 *   register_tile.c   all tiles of a nest
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_REGISTER_TILE_H
#define SPCC_OPTIMIZE_REGISTER_TILE_H

#include "compiler/optimize/loop_plan.h"

/* Where the nest combines with the tile: a loop along the row that it goes over, or the block of
 * what the nest's body has from the axes on. */
struct site {
    const struct imp *at;
    struct loop_plan plan;
};

/* Registers that what a loop of the nest adds goes to, for each component.  Where there are few
 * components they have several each, which take turns: an addition need not wait for the one before
 * it. */
struct sums {
    struct sums *around;
    const struct imp *loop;
    const struct site *site; /* the first one in it, the only one if they have factors */
    /* kept: what they are multiplied by in the end; rest: what is added; NULL: nothing, all */
    struct factors factors;
    bool adds; /* They start from nothing, and add to what is there; or they start from that. */
    struct imp_var *some; /* has the site run?  NULL: it does where the loop does */
    const char *name;
    struct registers {
        struct imp_var *reg[TARGET_SUMS_MOST];
        int n, next;
    } of[TARGET_REGISTERS_MOST];
};

enum { ROWS = 16 }; /* that are asked for, at most */

struct tile {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest;
    VEC(struct site *) sites;
    const struct loop_plan *plan; /* of the first one */
    int width;                    /* lanes of a register */
    bool scattered; /* Each iteration adds to another row: registers have what all of them add. */
    struct factors kept;               /* that, and what they multiply it by */
    int stores;                        /* in the nest */
    const struct imp *begin, *end;     /* of the nest, a for loop: those at hand */
    const struct imp *start;           /* what its components are before; NULL: they are there */
    const struct imp *before, *behind; /* loops beside the nest that set the row, or change it */
    const struct imp *later;           /* they have what others before left there; NULL: never */
    bool splits;                       /* those at hand are whole, as others come behind them */
    const struct imp *strip;           /* where the strip at hand begins; NULL: there is none */
    const struct imp *alone;           /* where the axis is that goes alone, likewise */
    int vectors;                       /* of a strip; 0: none, all goes through memory */
    const struct imp *at[AXES_MOST];   /* of the step at hand, the axes' variables */
    struct lanes_place place;          /* and where its lanes begin */
    const struct site *site;           /* and whose it is */
    /* What is reduced into: an element at a position that the nest does not change; NULL: a
     * scalar.  And the steps that each has. */
    const struct imp *component[TARGET_REGISTERS_MOST];
    int steps[TARGET_REGISTERS_MOST], components;
    struct sums *sums;        /* at hand */
    const struct imp *tested; /* of all lanes of the steps so far, together */
    const struct imp
        *row[ROWS]; /* what the steps read along the lanes, from the strip's begin on */
    int rows;
};

/* ---- tile_sites.c ---- */

/* Take the nest, if all its loops over a row combine with it, or if it is one loop in the other
 * around one statement. */
bool tile_take_rows(struct tile *t);
bool tile_take_nest(struct tile *t);

/* What is beside the nest and done with it: a fill of the components, and loops over a row. */
void tile_take_beside(struct tile *t, struct nest *of);

/* What the loop beside the nest computes in the u-th vector of the strip. */
const struct imp *tile_beside(const struct tile *t, const struct imp *loop, int u);

/* The site that is this statement; NULL: it is none. */
struct site *tile_site(const struct tile *t, const struct imp *at);

/* The site that every iteration of this loop has; NULL: there is none, or more than one. */
const struct site *tile_only_site(const struct tile *t, const struct imp *loop);

/* Sums of what the loop adds by its only site, without what multiplies all of it; NULL: there is no
 * such thing. */
struct sums *tile_factor(const struct tile *t, const struct imp *loop);

/* Are the sites loops over a row? */
static inline bool tile_has_rows(const struct tile *t)
{
    return t->sites.at[0]->at->kind == IMP_FOR;
}

/* ---- tile_steps.c ---- */

/* Find the components of the tile; false: they are too many. */
bool tile_count(struct tile *t);

/* What the site does to the registers at hand, where all of its condition holds. */
const struct imp *tile_steps(struct tile *t, const struct site *site);

/* Is a single vector combined, for which asking ahead costs more than it gains? */
static inline bool tile_is_narrow(const struct tile *t)
{
    return t->components == 1 && t->steps[0] == 1 && !t->scattered;
}

/* Prefetches for the loop of the rows that the site goes along; NULL: there is nothing to ask
 * for. */
const struct imp *tile_fetches(struct tile *t, struct ahead *around, const struct site *site);

/* What is computed along a loop where the u-th vector of the strip is, in so many lanes. */
const struct imp *tile_vector(const struct tile *t, const struct lanes *l, const struct imp *e,
                              int u, int lanes);

/* Declare registers, which are those at hand from here on; and add what they come to where it
 * goes: to those around them, or to memory. */
void tile_open(struct tile *t, struct sums *s);
void tile_close(struct tile *t, const struct sums *s);

/* The i-th component in memory; and all of them from there to the registers at hand, and back. */
const struct imp *tile_element(const struct tile *t, int i);
const struct imp *tile_read(struct tile *t);
const struct imp *tile_write(struct tile *t);

#endif
