/* tiles.h - what tiles are made of; private to compiler/plan.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_TILES_H
#define SPCC_PLAN_TILES_H

#include "compiler/plan/planner.h"

/* Modes that stay together in all accesses: how many coordinates they have, and by how many
 * elements a step moves each access; 0: not at all. */
struct part {
    double count, *stride;
};

/* Modes that have one loop, the outermost first, and the loop. */
struct group {
    struct var_list modes;
    VEC(struct part) part;
    const struct index_var *loop;
};

struct group_list {
    struct group **at;
    size_t n, capacity;
};

/* One assignment in loops that nothing has put in order, all of whose accesses are dense. */
struct tiling {
    struct planner *planner;
    struct context *cx;
    const struct cin_program *program;
    const struct site *site;
    struct cin_list access; /* the assigned one first */
    struct group_list group;
    /* along which the assigned one is contiguous; along which that of number `read` is, or NULL */
    struct group *x, *y;
    size_t read;
};

/* ---- modes.c ---- */

/* Groups the modes, in the order of the shortest strides with which their loops move through any
 * access, the longest outermost; false: the assigned access is contiguous along none. */
bool tiling_take_groups(struct tiling *t);

/* As many coordinates as are known for good; -1: there may be others, or too many for one loop. */
int64_t group_size(const struct group *group);

/* Returns the same with one loop over the group and over the modes that this access stores around
 * it; false: there are none, or their sizes are not known. */
bool tiling_fuse(struct tiling *t, struct group **group, size_t access);

/* Returns what the loops as they are cost; in the groups' order, in tiles of this many elements
 * along y; 0: without. */
double tiling_given_cost(const struct tiling *t);
double tiling_cost(const struct tiling *t, int64_t size);

#endif
