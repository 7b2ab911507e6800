/* launch.h - what the files share that lower loops to launches; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_PARALLEL_LAUNCH_H
#define SPCC_LOWER_PARALLEL_LAUNCH_H

#include "compiler/base/gpu.h"
#include "compiler/lower/parallel/parallel.h"

enum {
    LAUNCH_THREADS = 256, /* of a block, where the schedule leaves them open */
    LAUNCH_TEAMS = 2048   /* for the outermost loop at most, if the nest makes arrays */
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
    const struct imp_var *step; /* it counts by this */
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
    VEC(const struct imp *) shared; /* declarations of what a block has */
    struct kernel_launch seen;
};

/* ---- launch.c ---- */

/* Have the results of a program with loops on a GPU places for what is stored, which are there
 * before the loops?  False after a diagnostic. */
bool launch_check(struct context *cx, const struct tree *tree);
/* A forall with a unit of a GPU, in no other; and one in another. */
void lower_launch(struct kernel *k, const struct scope *scope);
void lower_lanes(struct kernel *k, const struct scope *scope);

/* ---- launch_team.c ---- */

/* The body of the launch, all threads of a team doing the same: what they store one of them
 * stores, and they meet before what one has stored is touched by another. */
const struct imp *team_body(struct launch *l, const struct imp *body);
/* What each lane of the team has in the variable becomes what all have together. */
void team_combine(struct launch *l, const struct imp_var *var, enum op op, struct value start);

/* ---- launch_host.c ---- */

/* The kernel's body, where what stands around launches touches no memory of the device: scalars
 * are read in the launches that use them, or fetched. */
const struct imp *launch_host(struct kernel *k, const struct imp *body);

#endif
