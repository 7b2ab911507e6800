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
    LAUNCH_THREADS = 256, /* of a block, unless the schedule says */
    /* The most teams that have arrays of their own.  There may be more if all their arrays are
     * known to take no more bytes than LAUNCH_BYTES. */
    LAUNCH_TEAMS = 2048,
    LAUNCH_BYTES = 32 << 20,
    /* the most blocks that hand something over, since one block combines it all */
    LAUNCH_PARTS = 2048,
    /* the same where a team keeps something for each column */
    LAUNCH_COLUMN_PARTS = 1024
};

/* Threads that do the same, except in loops that are shared among them or among smaller teams of
 * them. */
struct team {
    int lanes;                /* how many threads; 1: a thread by itself */
    bool block;               /* the team is a whole block */
    const struct imp *lane;   /* the thread's number in the team, i32 */
    const struct imp *number; /* the team's number among all teams of the grid, i64 */
    int64_t teams;            /* how many there are in the grid */
};

/* A loop whose iterations are shared among teams. */
struct launch_loop {
    /* the variable that the loop counts with; NULL: each team has a part */
    const struct imp_var *step;
    const struct imp *first; /* the step that this team begins with, i64; steps count from 0 */
    const struct imp *part;  /* the statement that is a part, of a loop inside; or NULL */
    struct team team;
};

struct launch {
    struct kernel *k;
    const struct cin_tag *tag; /* of the outermost loop */
    const struct imp_var *block, *thread;
    int threads;      /* of a block */
    int blocks;       /* the most blocks */
    struct team team; /* the team that does what is being lowered */
    VEC(struct launch_loop) loops;
    VEC(const struct imp *) shared; /* declarations of shared memory in which a block combines */
    const struct launch_rows *rows; /* of a launch that makes tables; else NULL */
    struct kernel_launch seen;
};

/* The rows of a loop whose teams make a table for each row: in lists by the room that a table needs
 * (launch_rows.c). */
enum { ROW_BINS = 3 };
struct launch_rows {
    struct kernel_rows seen;
    /* by iteration: the room of its table; and all iterations, bin by bin */
    const struct imp_var *room, *list;
    /* how many iterations there are, and the step of the first: i64 */
    const struct imp *parts, *begin;
    const struct imp *many[ROW_BINS]; /* by bin: how many iterations it has, i64 */
    const struct imp *teams;          /* the most teams that have tables in memory, i64 */
    int bins; /* the first bin in use: 0, or the last one if the schedule has no bins */
    /* by bin: the most room of a row, and the places of a table in shared memory */
    int most[ROW_BINS], places[ROW_BINS];
    int bin;                  /* the bin of the launch that is lowered */
    const struct imp *blocks; /* its number of blocks, i32 */
};

/* ---- launch.c ---- */

/* Do all results that loops on a GPU assign have their places before these loops run?  False after
 * a diagnostic. */
bool launch_check(struct context *cx, const struct tree *tree);
/* Lower a forall with a GPU's unit: lower_launch the outermost one, lower_lanes one inside. */
void lower_launch(struct kernel *k, const struct scope *scope);
void lower_lanes(struct kernel *k, const struct scope *scope);

/* Sets up the grid of teams for the outermost loop, with at most this many blocks. */
void launch_open_grid(struct launch *l, const struct cin *nest, int most);
/* Returns the most blocks of a loop whose blocks hand something over. */
int launch_blocks_that_hand(struct parallel *p, const struct scope *scope);
/* Finds the loops over columns around the components that threads begin, if there are any: a
 * component is kept for each column. */
void launch_find_columns(struct parallel *p, const struct scope *scope, struct kernel_begun *begun);
/* Divides the loop into parts of equal work, at most this many, for teams of this many lanes. */
void launch_find_parts(struct parallel *p, int64_t most, int lanes);
/* Lowers the nest as one launch.  twice: the loop as the host has opened it, if it runs twice; else
 * NULL. */
void launch_nest(struct kernel *k, const struct scope *scope, const struct parallel *twice);

/* ---- launch_twice.c ---- */

/* Lowers the nest as two launches, if it makes results in two runs; false if it does not. */
bool launch_twice(struct kernel *k, const struct scope *scope);
/* Gives the loop, in a launch, the parts that the host has found. */
void twice_adopt(struct parallel *p, const struct parallel *host);

/* ---- launch_rows.c ---- */

/* Returns the tables that teams of the loop make; NULL if they make none. */
struct launch_rows *rows_find(struct parallel *p);
/* In the launch that counts rooms: can the statement be left out, because it fills no table? */
bool rows_leave_out(struct kernel *k, const struct cin *statement);
/* Does a row belong to a thread (where rooms are counted) or to a warp (in the first bin)? */
bool rows_are_narrow(const struct launch_rows *rows);
/* Puts the rows into lists, behind the launch that counts rooms. */
void rows_count(struct parallel *p, const struct scope *scope);
/* rows_run launches the loop once for each bin; rows_close frees, behind these, what rows_count has
 * allocated. */
void rows_run(struct parallel *p, const struct scope *scope);
void rows_close(struct parallel *p);
/* Are called before and behind an iteration.  rows_leave returns true in the launch that counts
 * rooms: the iteration does nothing else. */
void rows_enter(struct parallel *p);
bool rows_leave(struct parallel *p);
/* Returns how many threads a block of such teams has, `most` or fewer, so that its tables fit into
 * shared memory. */
int rows_threads(const struct kernel *k, const struct launch_rows *rows, int lanes, int most);
/* Returns, in the launch, the loop over the iterations that the team has. */
const struct imp *rows_loop(const struct launch *l, const struct imp_var *step,
                            const struct imp *body);

/* ---- launch_appends.c ---- */

/* Is the expression the literal 1? */
bool launch_is_one(const struct imp *e);
/* For imp_any: is the statement a store to the array, an imp_var? */
bool launch_stores_to(const struct imp *imp, void *array);
/* Can all lanes of the team share this loop, because each of its steps appends exactly once?  Then
 * `run` has what goes before the loop, the loop, and what goes behind it. */
struct launch_run {
    const struct imp *before, *loop, *after;
};
bool launch_appends(const struct launch *l, const struct team *team, const struct imp *loop,
                    struct launch_run *run);

/* ---- launch_team.c ---- */

/* Returns the launch's body, with all threads of a team doing the same: one thread stores for all,
 * and the team meets at a barrier before others touch what was stored. */
const struct imp *team_body(struct launch *l, const struct imp *body);
/* Combines what smaller teams have in the variable (`of` is the thread's), so that each lane of the
 * launch's team has the total. */
void team_combine(struct launch *l, const struct imp_var *var, enum op op, struct value start,
                  const struct team *of);

/* Makes an array in the block's shared memory with one element for each warp. */
const struct imp_var *team_ends(struct launch *l, const struct imp_var *var);

/* ---- launch_begun.c ---- */

/* Stores the components that have ended.  Each smaller team (`of` is the thread's) has the
 * component at hand that its iterations ended with, and iterations of teams follow each other.  The
 * last component becomes the whole team's, combined with what the team had before if that is the
 * same component. */
void begun_gather(struct launch *l, const struct kernel_begun *begun, const struct team *of,
                  const struct team *team, const struct kernel_begun *whole);

/* ---- launch_handed.c ---- */

/* What the blocks of a launch hand over, because teams have something of their own: opened before
 * the launch's body; handed over in the launch, behind the loop; combined by one block in a launch
 * behind. */
struct handed;
struct handed *handed_open(struct launch *l, struct parallel *p);
void handed_leave(struct launch *l, struct handed *h);
void handed_combine(struct launch *l, struct handed *h, const struct imp *blocks);

/* ---- launch_host.c ---- */

/* Returns the kernel's body with host code that touches no memory of the device: a scalar is read
 * in the launches that use it, or fetched. */
const struct imp *launch_host(struct kernel *k, const struct imp *body);
/* As many blocks as there are iterations for, as far as the host knows them. */
const struct imp *launch_blocks_for(struct parallel *p, const struct launch *l);

#endif
