/* bin.c - bin(i, n, m): a GPU's rows in lists, by the room that their workspaces need.
 *
 *     before    forall(i) (forall(j) A(i,j) = w(j) where ...) : parallelize(i, gpu_warp, no_races)
 *     after     ... : parallelize(i, gpu_warp, no_races); bin(i, 96, 1536)      bin(i, 96, 1536)
 *
 * A team of threads makes a workspace for each row, in a hash table.  A row with at most n
 * insertions gets a table in shared memory, and a warp, even if a team is a block otherwise.  A
 * row with at most m gets a larger table in shared memory.  All other rows have tables in the
 * device's memory; without the directive, every row has.  (Nagasaka, Nukada and Matsuoka,
 * High-performance and memory-saving sparse general matrix-matrix multiplication for NVIDIA Pascal
 * GPU, 2017.)
 *
 * Preconditions: parallelize has given the loop the unit gpu_warp or gpu_block, and a workspace
 * inside lists its coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"
#include "schedules/loops.h"

enum { ROOM_MOST = 1 << 14 };

static const struct cin_program *apply(struct context *cx, const struct cin_program *program,
                                       const struct schedule_call *call)
{
    struct cin_tag tag = {.kind = TAG_BIN};
    if (call->arguments != 3)
        return loops_refuse(cx, program, call, -1,
                            "it takes a loop, and the most room of rows in two bins");
    const struct cin *loop = loops_find(cx, program, call, 0);
    const struct cin_tag *unit = loop ? cin_parallel(program, loop) : NULL;
    if (!loop)
        return NULL;
    tag.var = loop->index[0];
    if (!unit || (unit->unit != UNIT_GPU_WARP && unit->unit != UNIT_GPU_BLOCK))
        return loops_refuse(cx, program, call, 0,
                            "the loop over %s has none of the units gpu_warp and gpu_block; "
                            "parallelize goes before",
                            tag.var->name);
    if (!tree_rows(cx, loop).n)
        return loops_refuse(cx, program, call, 0,
                            "no workspace in the loop over %s lists what it has, as a bytemap does",
                            tag.var->name);
    if (!loops_number(call, 1, ROOM_MOST, &tag.factor))
        return loops_refuse(cx, program, call, 1, "the room is a number from 1 to %d", ROOM_MOST);
    if (!loops_number(call, 2, ROOM_MOST, &tag.second) || tag.second <= tag.factor)
        return loops_refuse(cx, program, call, 2,
                            "the room of the second bin is a number above the first, %d at most",
                            ROOM_MOST);
    return loops_with_tag(cx, program, call, tag);
}

const struct schedule_type schedule_bin = {
    .name = "bin",
    .usage = "bin(i, n, m)",
    .brief = "rows on a GPU in lists, by how much room their workspaces need",
    .apply = apply,
};
