/* range.c - the range level type: below a difference of two coordinates, the subtracted one.
 *
 * The thesis, section 2.4, figure 2-19.  Below d = j - i the coordinates are those i for which i +
 * d is a coordinate j.  Every i has a position.  An example is a 4 x 6 matrix, with i in [0, 4)
 * and j in [0, 6):
 *
 *     parent          0               1               2
 *     d              -2               0               3
 *     coordinate i    .   .   2   3   0   1   2   3   0   1   2   .
 *     position        0   1   2   3   4   5   6   7   8   9  10  11        = parent * dimension + i
 *
 *     full ordered unique                     tables 2-11, 2-12: every i that has a j is stored;
 *                                             locate in O(1); here also insert
 *     arrays: none
 *
 * A j exists for i from max(0, -d) to min(4, 6 - d).  Loops know that without the level, from the
 * relation between the three.
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"
#include "levels/dense.h"
#include "levels/levels.h"

/* The storage functions are dense's.  They count positions of coordinates that the parent's
 * difference does not have, too; whoever walks the level leaves these out. */

const struct level_type level_range = {
    .name = "range",
    .brief = "below a level of j-i: every i that has a j",
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE,
    .stored = LEVEL_ALL,
    .place = LEVEL_BELOW_DIFFERENCE,
    .check = dense_check,
    .children = dense_children,
    .coordinate = dense_coordinate,
    .pack_begin = dense_pack_begin,
    .pack_place = dense_pack_place,
    .room = dense_room,
    .locate = dense_locate,
    .locates_fast = true,
    .size = dense_size,
    .join = coordinates_join,
};
