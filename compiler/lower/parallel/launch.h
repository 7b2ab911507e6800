/* launch.h - what the files share that lower loops to launches; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_PARALLEL_LAUNCH_H
#define SPCC_LOWER_PARALLEL_LAUNCH_H

#include "compiler/base/gpu.h"
#include "compiler/lower/base/grid.h"
#include "compiler/lower/parallel/parallel.h"

enum {
    LAUNCH_THREADS = 256, /* of a block, where the schedule leaves them open */
    /* teams that make arrays, at most; more, if all arrays are known to have no more bytes */
    LAUNCH_TEAMS = 2048,
    LAUNCH_BYTES = 32 << 20,
    LAUNCH_PARTS = 2048, /* blocks, if they hand over something: one block goes through all that */
    LAUNCH_COLUMN_PARTS = 1024 /* ... of each column, which each team keeps in memory */
};

/* Threads that do the same, but in loops that go to them, or to smaller teams of them. */
struct team {
    int lanes;                /* so many; 1: a thread by itself */
    bool block;               /* they are all of a block's */
    const struct imp *lane;   /* which of them the thread is, i32 */
    const struct imp *number; /* which of all such teams it is, i64 */
    int64_t teams;            /* there are in the grid */
};

/* A loop whose iterations go to teams. */
struct launch_loop {
    const struct imp_var *step; /* it counts by this; NULL: teams have parts */
    const struct imp *first;    /* ... from 0 on: where this team begins, i64 */
    struct team team;
};

struct launch {
    struct kernel *k;
    const struct cin_tag *tag; /* of the outermost loop */
    const struct imp_var *block, *thread;
    int threads;      /* of a block */
    int blocks;       /* at most */
    struct team team; /* that does what is being lowered */
    VEC(struct launch_loop) loops;
    VEC(const struct imp *) shared; /* declarations of what a block combines through */
    const struct launch_rows *rows; /* of one that makes tables; or NULL */
    struct kernel_launch seen;
};

/* Rows of a loop whose teams make tables, in lists by the room that these need (launch_rows.c). */
enum { ROW_BINS = 3 };
struct launch_rows {
    struct kernel_rows seen;
    const struct imp_var *room, *list;    /* by iteration: its room; iterations, by bin */
    const struct imp *parts, *begin;      /* so many iterations, and the step of the first: i64 */
    const struct imp *many[ROW_BINS];     /* are in each bin, i64 */
    const struct imp *teams;              /* so many have tables in memory, at most: i64 */
    int bins;                             /* the first there is: all, or the last alone */
    int most[ROW_BINS], places[ROW_BINS]; /* by bin: room, and places of tables that are shared */
    int bin;                              /* of the launch at hand */
    const struct imp *blocks;             /* ... and its blocks, i32 */
};

/* ---- launch.c ---- */

/* Have the results of a program with loops on a GPU places for what is stored, which are there
 * before the loops?  False after a diagnostic. */
bool launch_check(struct context *cx, const struct tree *tree);
/* A forall with a unit of a GPU, in no other; and one in another. */
void lower_launch(struct kernel *k, const struct scope *scope);
void lower_lanes(struct kernel *k, const struct scope *scope);

/* The teams of the grid, for the outermost loop, in so many blocks at most. */
void launch_open_grid(struct launch *l, const struct cin *nest, int most);
/* The most blocks where the loop's hand over something. */
int launch_blocks_that_hand(struct parallel *p, const struct scope *scope);
/* The loops over columns, each of which has components of its own at hand. */
void launch_find_columns(struct parallel *p, const struct scope *scope, struct kernel_begun *begun);
/* Parts of it, of as much work for each of the teams. */
void launch_find_parts(struct parallel *p, const struct team *team);
/* The nest as one launch; of a loop that runs twice: as the host has opened it, else NULL. */
void launch_nest(struct kernel *k, const struct scope *scope, const struct parallel *twice);

/* ---- launch_twice.c ---- */

/* The nest as two launches, if it makes results in two runs; false: it does not. */
bool launch_twice(struct kernel *k, const struct scope *scope);
/* In a launch the loop has the parts that the host has found. */
void twice_adopt(struct parallel *p, const struct parallel *host);

/* ---- launch_rows.c ---- */

/* The tables that teams of the loop make, for so many iterations; NULL: none. */
struct launch_rows *rows_find(struct parallel *p);
/* Is the statement, where their room is counted, nothing that fills one? */
bool rows_leave_out(struct kernel *k, const struct cin *statement);
/* Are rows a thread's, where they are counted, or a warp's, in the first bin? */
bool rows_are_narrow(const struct launch_rows *rows);
/* Behind a launch that counts their room: rows in lists. */
void rows_count(struct parallel *p, const struct scope *scope);
/* The loop, once for each bin. */
void rows_run(struct parallel *p, const struct scope *scope);
void rows_close(struct parallel *p);
/* Around an iteration; true: it counts the room, and nothing else. */
void rows_enter(struct parallel *p);
bool rows_leave(struct parallel *p);
/* How many threads a block has of such teams, as far as their tables fit. */
int rows_threads(const struct kernel *k, const struct launch_rows *rows, int lanes, int most);
/* In the launch: the iterations that this team has. */
const struct imp *rows_loop(const struct launch *l, const struct imp_var *step,
                            const struct imp *body);

/* ---- launch_appends.c ---- */

bool launch_is_one(const struct imp *e);
/* For imp_any: is it a store to the array, an imp_var? */
bool launch_stores_to(const struct imp *imp, void *array);
/* A loop each of whose steps appends once, by all lanes of the team; false: it is none. */
struct launch_run {
    const struct imp *before, *loop, *after;
};
bool launch_appends(const struct launch *l, const struct team *team, const struct imp *loop,
                    struct launch_run *run);

/* ---- launch_team.c ---- */

/* The body of the launch, all threads of a team doing the same: what they store one of them
 * stores, and they meet before what one has stored is touched by another. */
const struct imp *team_body(struct launch *l, const struct imp *body);
/* What smaller teams (`of` is the thread's) have in the variable becomes what the team at hand has
 * together, in each lane. */
void team_combine(struct launch *l, const struct imp_var *var, enum op op, struct value start,
                  const struct team *of);

/* A new array of the block's, with an element for each warp. */
const struct imp_var *team_ends(struct launch *l, const struct imp_var *var);

/* ---- launch_begun.c ---- */

/* Smaller teams of the team (`of` is the thread's) have a component at hand each, those of
 * iterations that follow each other: those that have ended are stored, and the last one is the
 * whole team's, which goes on with what that had before. */
void begun_gather(struct launch *l, const struct kernel_begun *begun, const struct team *of,
                  const struct team *team, const struct kernel_begun *whole);

/* ---- launch_handed.c ---- */

/* What teams of the grid have of their own each block hands over: in the launch, behind the loop;
 * and behind the launch, combined by one block. */
struct handed;
struct handed *handed_open(struct launch *l, struct parallel *p);
void handed_leave(struct launch *l, struct handed *h);
void handed_combine(struct launch *l, struct handed *h, const struct imp *blocks);

/* ---- launch_host.c ---- */

/* The kernel's body, where what stands around launches touches no memory of the device: scalars
 * are read in the launches that use them, or fetched. */
const struct imp *launch_host(struct kernel *k, const struct imp *body);

#endif
