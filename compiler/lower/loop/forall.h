/* forall.h - what the files share that lower foralls; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_LOOP_FORALL_H
#define SPCC_LOWER_LOOP_FORALL_H

#include "compiler/lower/result/result.h"

/* An iterator's variables in the loops of one forall. */
struct cursor {
    const struct lattice_iterator *it;
    const struct level_format *format;
    struct level_code code;
    struct imp_var *position, *next;
    const struct imp *begin, *end;
    const struct imp *stop;       /* where the loop at hand stops; NULL: at the end */
    const struct imp *coordinate; /* at the current position */
    /* in a flat loop, or one that selects: is that the loop's coordinate? */
    const struct imp *here;
    bool runs;          /* it may have duplicates, which are adjacent */
    int64_t step;       /* its positions are so many apart; 0: they follow each other */
    int64_t stride;     /* ... and those of the run that it is at, which goes up to its end */
    struct place place; /* of its last level, at the current coordinate */
};

struct forall;

/* What is done around each iteration of a loop that counts, which has this number (i64). */
struct forall_each {
    void (*enter)(void *data, const struct forall *f, const struct imp *number);
    void (*leave)(void *data);
    void *data;
};

struct forall {
    struct kernel *k;
    const struct scope *scope;
    const struct tree_node *node;
    const struct lattice *lattice; /* the node's */
    const struct imp_mark *mark;   /* of its loops */
    struct cursor *cursor;         /* of each iterator with a bit */
    struct imp_var *var;           /* the coordinate */
    const struct cin_relation *by; /* ... is parent[0] of this, and the loop's child[0]; or NULL */
    /* what the level walked alone stores, and has at hand; NULL: the coordinate */
    const struct index_var *whole;
    const struct imp *at;
    struct scope inside; /* the scope where it is bound */
    /* the loop's bounds leave out what is out of range, where they can */
    bool narrow;
    struct bits room; /* the results that have room for what all regions of a loop may append */
    /* the point of which all is selected of what is there (forall_select.c); NULL: none is */
    const struct lattice_point *selected;
    struct imp_var *visited; /* counts the coordinates of all regions, for the rest; or NULL */
    bool together;           /* all that the loop coiterates are known to be at its coordinate */
    /* of a part of a parallel loop: its coordinates [from, past); NULL: all of them */
    const struct imp *from, *past;
    /* of a loop that threads of a launch share: of its iterations, counted by `step`, this one's
     * begin with that number (i64) and are so many apart; NULL: they are all its own */
    const struct imp *lane;
    struct imp_var *step;
    int64_t lanes;
    /* ... or they follow each other: the thread of this number has as many as others, of all that
     * there are (i64), once the loop runs */
    bool adjoin;
    const struct imp *iterations;
    const struct forall_each *each; /* or NULL */
};

/* ---- forall.c ---- */

const struct imp *forall_coordinate_at(struct forall *f, const struct cursor *c,
                                       const struct imp *position);
/* In a variable, from here on. */
void forall_name_coordinate(struct forall *f, struct cursor *c, const struct imp *coordinate);
/* Room for what any one of several regions may append. */
void forall_make_room(struct forall *f);
void forall_find_runs(struct forall *f, struct bits loop);
/* The body of a loop, at its coordinate; and on from there. */
void forall_inside(struct forall *f, struct bits loop);
void forall_advance(struct forall *f, struct bits loop);

/* Do the loop's bounds say what the guard of this number does?  They are narrowed by it then. */
bool forall_narrows(struct forall *f, int guard, const struct imp **begin, const struct imp **end);

/* Around the body of a loop that counts from this number on. */
void forall_enter(struct forall *f, const struct imp *begin);
void forall_leave(struct forall *f);

/* A forall and where its iterators begin and end, and then its loops. */
struct forall forall_open(struct kernel *k, const struct scope *scope);
void forall_run(struct forall *f);
/* The one cursor whose positions, or runs of them, the loop runs through; NULL: it runs through
 * coordinates. */
struct cursor *forall_single(struct forall *f);
/* ... whose positions have no duplicates. */
struct cursor *forall_only(struct forall *f);
/* Have the cursors of the loop more positions before they stop? */
const struct imp *forall_more(struct forall *f, struct bits loop);
/* Coiterate until one of them stops. */
void forall_coiterate(struct forall *f, struct bits loop);

void lower_forall(struct kernel *k, const struct scope *scope);

/* ---- forall_steps.c ---- */

/* The loop's coordinates are [forall_first, forall_end), or a part of them. */
const struct imp *forall_first(struct forall *f);
const struct imp *forall_end(struct forall *f);
/* Does the loop count from a first number to an end, so that any of its iterations can be some
 * thread's? */
bool forall_counts(struct forall *f);
/* [begin, end) become the share of this number of so many, which follow each other: variables.
 * Gives how many there are in all. */
const struct imp *forall_share(struct kernel *k, const char *name, const struct imp *number,
                               int64_t many, const struct imp **begin, const struct imp **end);
/* The loop's coordinate, or, where it counts by strides, which step that is. */
const struct imp *forall_step(const struct forall *f);
/* The loop over all coordinates from begin on, with no cursor left. */
void forall_dimension(struct forall *f, const struct imp *begin);
/* The body at each position of the cursor. */
void forall_positions(struct forall *f, const struct cursor *c, const struct imp *body);
/* Does the loop go along one cursor, through all of its positions, which come in rounds? */
bool forall_goes_in_rounds(const struct forall *f);
void forall_rounds(struct forall *f, struct bits loop, struct cursor *c);

/* ---- forall_reduce.c ---- */

/* What a loop reduces into is kept in a register around it. */
struct reductions {
    bool result[TIN_RESULTS_MAX], held;
};
struct reductions reductions_begin(struct kernel *k, struct scope *scope);
void reductions_end(struct kernel *k, const struct scope *after, const struct scope *inside,
                    const struct reductions *reductions);

/* Around loops along components of a column, one of which threads have at hand (begun.c): gives the
 * part outside. */
const struct kernel_part *column_begin(struct kernel *k, const struct scope *scope,
                                       const struct cin *loops);
void column_end(struct kernel *k, const struct scope *scope, const struct kernel_part *outside);

/* ---- forall_count.c ---- */

/* While the room of a result is counted. */
struct capacity_count {
    const struct tensor_var *source; /* the workspace */
    const struct imp_var *all, *row; /* so many in all rows; in this one */
};

struct capacity_counting {
    struct result before;
    struct capacity_count count;
};

/* The loops that are lowered between these two, those of the result or a part's share of them,
 * count how many positions its last group gets at most (capacity_is_counted). */
void capacity_count_begin(struct kernel *k, struct result *r, struct capacity_counting *counts);
void capacity_count_end(struct kernel *k, struct result *r, const struct capacity_counting *counts);

/* ---- forall_ahead.c ---- */

/* What the loop stores is noted in front of it, where that is known: nothing is asked inside. */
void forall_store_ahead(struct forall *f, struct scope *scope);
/* Room for what all iterations along the cursor append, where each does: once, not in each of
 * them. */
void forall_room_ahead(struct forall *f, const struct cursor *c);

/* ---- forall_seek.c ---- */

/* The loop that coiterates these; where they intersect a short one does not wait for a long one. */
void forall_seek(struct forall *f, struct bits loop);

/* ---- forall_flat.c ---- */

void forall_flat(struct forall *f);
/* Does a least point hold?  NULL if one always does. */
const struct imp *forall_flat_condition(struct forall *f);

/* ---- forall_rest.c ---- */

/* In front of the loops: what counts the coordinates that they come to, where the lattice has a
 * rest.  Behind them: the rest. */
void forall_count(struct forall *f);
void forall_rest(struct forall *f);

/* ---- forall_merge.c ---- */

/* Does the loop merge two operands, with nothing else that decides about its regions? */
bool forall_merges_two(const struct forall *f, struct bits loop);
/* The body of such a loop. */
void forall_merge(struct forall *f, struct bits loop);

/* ---- forall_select.c ---- */

/* The one region that will do for all cases of the loop: that where all is there; or NULL. */
const struct lattice_point *forall_selected(const struct forall *f, struct bits loop);
/* The body of such a loop behind its coordinate. */
void forall_select(struct forall *f, struct bits loop, const struct lattice_point *selected);

/* ---- forall_unread.c ---- */

/* All positions of the cursor as one run, at a coordinate that nobody reads. */
void forall_as_one_run(struct forall *f, struct bits loop, struct cursor *c);

#endif
