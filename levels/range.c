/* range.c - the range level type: below a difference of two coordinates, the one that is
 * subtracted.
 *
 * The thesis, section 2.4, figure 2-19.  Below d = j - i the coordinates i are those for which j =
 * i + d is one, too; there is a position for every i.  Of a 4 x 6 matrix, with i in [0, 4) and j in
 * [0, 6):
 *
 *     parent          0               1               2
 *     d              -2               0               3
 *     coordinate i    .   .   2   3   0   1   2   3   0   1   2   .
 *     position        0   1   2   3   4   5   6   7   8   9  10  11        = parent * dimension + i
 *
 *     full ordered unique                     tables 2-11, 2-12: every i that has a j is there;
 *                                             locate in O(1); and here also insert
 *     arrays: none
 *
 * That j is one, which takes i from max(0, -d) to min(4, 6 - d), is what the loops know anyway: the
 * three are related.
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"
#include "levels/dense.h"
#include "levels/levels.h"

/* The storage functions are those of dense, with the positions of coordinates that are none for the
 * parent's difference: what is there is the walker's to know. */

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
