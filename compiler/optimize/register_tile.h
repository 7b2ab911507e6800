/* register_tile.h - a tile: the elements that a nest combines with and keeps in registers.
 *
 *   tile_sites.c      which nests have a tile, and their sites, which combine with it
 *   tile_steps.c      what a site does to the tile's registers
 *   register_tile.c   the nest, tile after tile
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_REGISTER_TILE_H
#define SPCC_OPTIMIZE_REGISTER_TILE_H

#include "compiler/optimize/loop_plan.h"

/* A place where the nest combines with the tile: a loop along the row that the tile is a strip of;
 * or the axes of the plan, with all that they contain. */
struct site {
    const struct imp *at;
    struct loop_plan plan;
};

/* Registers for what a loop of the nest adds to each component of the tile.  If there are few
 * components each has several, which take turns, so that an addition does not wait for the one
 * before. */
struct sums {
    struct sums *around;
    const struct imp *loop;
    const struct site *site; /* the first site in the loop; the only one if there are factors */
    /* kept: what the sums are multiplied by in the end, or NULL; rest: what is added, NULL: all of
     * it */
    struct factors factors;
    /* They start from nothing and are added to what is there.  Else they start from what is
     * there. */
    bool adds;
    struct imp_var *some; /* tells whether the site has run; NULL: it runs if the loop does */
    const char *name;
    struct registers {
        struct imp_var *reg[TARGET_SUMS_MOST];
        int n, next;
    } of[TARGET_REGISTERS_MOST];
};

enum { ROWS = 16 }; /* the most rows that prefetches ask for */

/* A loop beside the nest, or a nest of loops along the target's axes, that computes each element
 * from that element alone: `element op= value`, in the axes' variables. */
struct beside {
    const struct imp *loop; /* NULL: there is none */
    enum op op;
    const struct imp *value;
};

struct tile {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest;
    VEC(struct site *) sites;
    const struct loop_plan *plan; /* of the first site */
    int width;                    /* the lanes of a register */
    /* Each iteration adds to another row, and the registers have what all of them add. */
    bool scattered;
    struct factors kept; /* scattered: what all iterations add, and what they multiply it by */
    int stores;          /* in the nest */
    const struct imp *begin, *end; /* the current iterations of the nest, if it is a for loop */
    const struct imp *start; /* the fill that components start from; NULL: they start from memory */
    struct beside before, behind; /* what sets the row before the nest, or changes it behind */
    /* The conditions that registers start from what memory holds (NULL: they never do), and that
     * all of the nest has been done when they are stored (NULL: it always has). */
    const struct imp *later, *final;
    bool splits;             /* the current iterations are whole: others come behind them */
    const struct imp *strip; /* where the current strip begins; NULL: there is none */
    const struct imp *alone; /* the value of the axis that is taken alone; NULL: there is none */
    int vectors;             /* of a strip; 0: there is none, and everything goes through memory */
    const struct imp *at[AXES_MOST]; /* the axes' variables in the current step */
    struct lanes_place place;        /* where the lanes of the current step begin */
    const struct site *site;         /* the current step's */
    /* The components, each an element at a position that the nest does not change, or NULL for a
     * scalar; and the number of steps that each has. */
    const struct imp *component[TARGET_REGISTERS_MOST];
    /* what the loops before and behind have for each; NULL: there is no such loop */
    const struct imp *set[TARGET_REGISTERS_MOST], *change[TARGET_REGISTERS_MOST];
    int steps[TARGET_REGISTERS_MOST], components;
    struct sums *sums;        /* the current ones */
    const struct imp *tested; /* the bitwise or of what all lanes of the steps so far test */
    const struct imp
        *row[ROWS]; /* what the steps read along the lanes, from the strip's begin on */
    int rows;
};

/* ---- tile_sites.c ---- */

/* Takes the nest if all its loops over a row combine with that row, or if it is one loop in the
 * other around one statement.  False if it is neither. */
bool tile_take_rows(struct tile *t);
bool tile_take_nest(struct tile *t);

/* Takes the statements beside the nest that belong to it: a fill of the components, and loops over
 * the row. */
void tile_take_beside(struct tile *t, struct nest *of);

/* Returns the site that is this statement, or NULL. */
struct site *tile_site(const struct tile *t, const struct imp *at);

/* Returns the site that runs in every iteration of the loop; NULL if there is none, or more than
 * one. */
const struct site *tile_only_site(const struct tile *t, const struct imp *loop);

/* Returns sums for the addends of the loop's only site, without the factors that the loop keeps.
 * NULL if there are no such factors. */
struct sums *tile_factor(const struct tile *t, const struct imp *loop);

/* Are the sites loops over a row? */
static inline bool tile_has_rows(const struct tile *t)
{
    return t->sites.at[0]->at->kind == IMP_FOR;
}

/* ---- tile_steps.c ---- */

/* Finds the components of the tile.  False if there are too many. */
bool tile_count(struct tile *t);

/* Returns the site's steps on the current registers, for the case that its whole condition holds.
 */
const struct imp *tile_steps(struct tile *t, const struct site *site);

/* Is a single vector combined, so that prefetching costs more than it gains? */
static inline bool tile_is_narrow(const struct tile *t)
{
    return t->components == 1 && t->steps[0] == 1 && !t->scattered;
}

/* Returns prefetches, for the loop `around`, of the rows that the site goes along.  NULL if there
 * are none. */
const struct imp *tile_fetches(struct tile *t, struct ahead *around, const struct site *site);

/* Returns the expression along a loop for the u-th vector of the strip, in this many lanes. */
const struct imp *tile_vector(const struct tile *t, const struct lanes *l, const struct imp *e,
                              int u, int lanes);

/* Declares registers, which are the current ones from here on; and adds them to the registers
 * around, or stores them. */
void tile_open(struct tile *t, struct sums *s);
void tile_close(struct tile *t, const struct sums *s);

/* Returns the i-th component in memory; the statements that load all components into the current
 * registers; and those that store them. */
const struct imp *tile_element(const struct tile *t, int i);
const struct imp *tile_read(struct tile *t);
const struct imp *tile_write(struct tile *t);

#endif
