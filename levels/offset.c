/* offset.c - the offset level type: a coordinate that follows from the two above it.
 *
 * The thesis, section 2.4, figure 2-20.  Below a difference d = j - i and an i there is one j, i +
 * d.  It has its parent's position, and nothing is stored.  An example is a 4 x 6 matrix, below
 * the range level of its diagonals 0 and 3:
 *
 *     d              0               3
 *     i              0   1   2   3   0   1   2   .
 *     coordinate j   0   1   2   3   3   4   5   .
 *     position       0   1   2   3   4   5   6   7        = parent
 *
 *     ordered unique branchless compact       tables 2-11, 2-12: located and never iterated, since
 *                                             the coordinates above determine it; here also insert
 *     arrays: none
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

/* ---- storage functions ---- */

static bool offset_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    (void)level;
    (void)fault;
    *positions = parents;
    return true;
}

static bool offset_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                              const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)position;
    *coordinate = above[-1] + above[-2];
    return *coordinate >= 0 && *coordinate < level->dimension;
}

static bool offset_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    (void)level;
    (void)fault;
    *positions = amount->parents;
    return true;
}

/* ---- code ---- */

static const struct imp *offset_locate(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp **found)
{
    (void)coordinate;
    *found = NULL;
    return code->parent;
}

static const struct imp *offset_size(const struct level_code *code, const struct imp *parents)
{
    (void)code;
    return parents;
}

const struct level_type level_offset = {
    .name = "offset",
    .brief = "below levels of j-i and i: the j that follows from them",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS | LEVEL_COMPACT,
    .stored = LEVEL_ONE,
    .place = LEVEL_BELOW_BOTH,
    .check = offset_check,
    .children = coordinates_only_child,
    .coordinate = offset_coordinate,
    .pack_begin = offset_pack_begin,
    .pack_place = coordinates_place_only_child,
    .room = coordinates_room_of_parents,
    .locate = offset_locate,
    .locates_fast = true,
    .size = offset_size,
    .join = coordinates_join,
};
