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
    const struct imp *stop;       /* where the current loop stops; NULL: at the end */
    const struct imp *coordinate; /* at the current position */
    /* in a flat loop, or one that selects: is `coordinate` the loop's coordinate? */
    const struct imp *here;
    bool runs;      /* coordinates may repeat; equal ones are adjacent, a run */
    int64_t step;   /* the distance between positions, or 0 if they follow each other */
    int64_t stride; /* the distance between positions of the current run, which goes up to `end` */
    struct place place; /* the place of the iterator's last level at the current coordinate */
};

struct forall;

/* What is done before and behind each iteration of a loop that counts; `number` is the iteration's
 * (i64). */
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
    const struct imp_mark *mark;   /* of the forall's loops */
    struct cursor *cursor;         /* by bit of an iterator */
    struct imp_var *var;           /* the coordinate */
    /* the relation by which the coordinate is parent[0], and the loop's variable child[0]; or
     * NULL */
    const struct cin_relation *by;
    /* the variable whose coordinate the level stores that is iterated alone, and that coordinate;
     * NULL: it stores the loop's coordinate */
    const struct index_var *whole;
    const struct imp *at;
    struct scope inside; /* the scope of the body, where the coordinate is bound */
    /* the bounds of the loop leave out what is out of range, as far as they can */
    bool narrow;
    /* the results that have room for all that one iteration may append, whichever its region */
    struct bits room;
    /* the point whose body serves for all regions, by selecting what is present (forall_select.c);
     * or NULL */
    const struct lattice_point *selected;
    /* counts the coordinates of all regions, for the lattice's rest; or NULL */
    struct imp_var *visited;
    bool together; /* all cursors of the loop are known to be at its coordinate */
    /* of a part of a parallel loop: it has the coordinates [from, past); NULL: all */
    const struct imp *from, *past;
    /* Of a loop that threads of a launch share: this thread's first iteration (i64), the variable
     * that counts iterations, and the distance between this thread's iterations.  lane is NULL: all
     * iterations are this thread's. */
    const struct imp *lane;
    struct imp_var *step;
    int64_t lanes;
    /* A thread's iterations follow each other instead: thread number `lane` has an equal share of
     * `iterations` (i64), which is known once the loop runs. */
    bool adjoin;
    const struct imp *iterations;
    const struct forall_each *each; /* or NULL */
};

/* ---- forall.c ---- */

/* Returns the coordinate of the cursor at a position. */
const struct imp *forall_coordinate_at(struct forall *f, const struct cursor *c,
                                       const struct imp *position);
/* Keeps the cursor's coordinate in a variable from here on. */
void forall_name_coordinate(struct forall *f, struct cursor *c, const struct imp *coordinate);
/* Makes room for what one iteration may append, whichever its region. */
void forall_make_room(struct forall *f);
/* Finds where the runs of equal coordinates end that the loop's cursors are at. */
void forall_find_runs(struct forall *f, struct bits loop);
/* Lowers the body of a loop at its coordinate; and advances its cursors. */
void forall_inside(struct forall *f, struct bits loop);
void forall_advance(struct forall *f, struct bits loop);

/* Can the loop's bounds express this guard?  If so they are narrowed by it. */
bool forall_narrows(struct forall *f, int guard, const struct imp **begin, const struct imp **end);

/* Calls each->enter and each->leave around the body; iterations count from `begin`. */
void forall_enter(struct forall *f, const struct imp *begin);
void forall_leave(struct forall *f);

/* Opens a forall, so that it is known where its iterators begin and end; and lowers its loops. */
struct forall forall_open(struct kernel *k, const struct scope *scope);
void forall_run(struct forall *f);
/* Returns the one cursor along whose positions, or runs of them, the loop goes; NULL if the loop
 * goes over coordinates. */
struct cursor *forall_single(struct forall *f);
/* Returns the same cursor if its coordinates do not repeat; else NULL. */
struct cursor *forall_only(struct forall *f);
/* Returns the condition that all cursors of the loop are before their stops. */
const struct imp *forall_more(struct forall *f, struct bits loop);
/* Lowers the loop that coiterates its cursors until one stops. */
void forall_coiterate(struct forall *f, struct bits loop);

void lower_forall(struct kernel *k, const struct scope *scope);

/* ---- forall_steps.c ---- */

/* Return the coordinates [forall_first, forall_end) of the loop; it may have a part of them. */
const struct imp *forall_first(struct forall *f);
const struct imp *forall_end(struct forall *f);
/* Does the loop count from a first number to an end, so that threads can share its iterations in
 * any way? */
bool forall_counts(struct forall *f);
/* Narrows [begin, end), in new variables, to share number `number` of `many` contiguous ones.
 * Gives the length of the whole. */
const struct imp *forall_share(struct kernel *k, const char *name, const struct imp *number,
                               int64_t many, const struct imp **begin, const struct imp **end);
/* Returns the loop's coordinate; of a loop that counts by strides the number of the step. */
const struct imp *forall_step(const struct forall *f);
/* Lowers the loop over all coordinates from `begin` on, where no cursor is left. */
void forall_dimension(struct forall *f, const struct imp *begin);
/* Lowers the loop over the cursor's positions, with this body. */
void forall_positions(struct forall *f, const struct cursor *c, const struct imp *body);
/* Does the loop go over all positions of one cursor, in rounds? */
bool forall_goes_in_rounds(const struct forall *f);
void forall_rounds(struct forall *f, struct bits loop, struct cursor *c);

/* ---- forall_reduce.c ---- */

/* What the loop reduces into, kept in registers around it: results by rank, and a component that is
 * held. */
struct reductions {
    bool result[TIN_RESULTS_MAX], held;
};
struct reductions reductions_begin(struct kernel *k, struct scope *scope);
void reductions_end(struct kernel *k, const struct scope *after, const struct scope *inside,
                    const struct reductions *reductions);

/* Opens and closes the loops over the components of a column, if threads keep the component that
 * they are at (begun.c). column_begin gives the part of the code around. */
const struct kernel_part *column_begin(struct kernel *k, const struct scope *scope,
                                       const struct cin *loops);
void column_end(struct kernel *k, const struct scope *scope, const struct kernel_part *outside);

/* ---- forall_count.c ---- */

/* The counting of a result's room: how much its last group needs in all rows, and in this row, as
 * far as this workspace tells. */
struct capacity_count {
    const struct tensor_var *source;
    const struct imp_var *all, *row;
};

struct capacity_counting {
    struct result before;
    struct capacity_count count;
};

/* Begin and end counting: lowering the result's loops (or a part's share of them) in between only
 * counts how many positions its last group needs at most (capacity_is_counted). */
void capacity_count_begin(struct kernel *k, struct result *r, struct capacity_counting *counts);
void capacity_count_end(struct kernel *k, struct result *r, const struct capacity_counting *counts);

/* ---- forall_ahead.c ---- */

/* Notes before the loop what it will store, where that is known, so that nothing is asked inside.
 */
void forall_store_ahead(struct forall *f, struct scope *scope);
/* Makes room for all iterations along the cursor once, before the loop, if each of them appends. */
void forall_room_ahead(struct forall *f, const struct cursor *c);

/* ---- forall_seek.c ---- */

/* Lowers the loop that coiterates these.  In an intersection, a short operand seeks in a long one
 * instead of stepping through it. */
void forall_seek(struct forall *f, struct bits loop);

/* ---- forall_flat.c ---- */

void forall_flat(struct forall *f);
/* Does a least point of the flat loop hold?  NULL if one always does. */
const struct imp *forall_flat_condition(struct forall *f);

/* ---- forall_rest.c ---- */

/* Handle the lattice's rest, if it has one: forall_count counts, before the loops, the coordinates
 * that they come to, and forall_rest lowers the rest behind them. */
void forall_count(struct forall *f);
void forall_rest(struct forall *f);

/* ---- forall_merge.c ---- */

/* Does the loop merge exactly two operands, with nothing else that decides between its regions? */
bool forall_merges_two(const struct forall *f, struct bits loop);
/* Lowers the body of such a loop. */
void forall_merge(struct forall *f, struct bits loop);

/* ---- forall_select.c ---- */

/* Returns the point whose body serves for all regions of the loop, that where all operands are
 * present; or NULL. */
const struct lattice_point *forall_selected(const struct forall *f, struct bits loop);
/* Lowers the body of such a loop behind its coordinate. */
void forall_select(struct forall *f, struct bits loop, const struct lattice_point *selected);

/* ---- forall_unread.c ---- */

/* Lowers the cursor's positions as a single run, in a loop whose coordinate is not used. */
void forall_as_one_run(struct forall *f, struct bits loop, struct cursor *c);

#endif
