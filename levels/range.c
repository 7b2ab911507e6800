/* range.c - the range level type: below a difference of two coordinates, the one that is subtracted.
 *
 * The thesis, section 2.4, figure 2-19.  Below d = j - i the coordinates i are those for which j = i + d is one, too;
 * there is a position for every i.  Of a 4 x 6 matrix, with i in [0, 4) and j in [0, 6):
 *
 *     parent          0               1               2
 *     d              -2               0               3
 *     coordinate i    .   .   2   3   0   1   2   3   0   1   2   .
 *     position        0   1   2   3   4   5   6   7   8   9  10  11        = parent * dimension + i
 *
 *     ordered unique                          tables 2-11, 2-12: iterate from max(0, -d) to min(4, 6 - d); locate in
 *                                             O(1); and here also insert
 *     arrays: none
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/dense.h"
#include "levels/levels.h"

/* The storage functions are those of dense, with the positions of coordinates that are none for the parent's difference:
 * what is there is the walker's to know. */

static void range_bounds(const struct level_code *code, const struct imp **begin, const struct imp **end)
{
    struct context *cx = code->b->cx;
    const struct imp *d = code->above;
    const struct imp *first = imp_op2(cx, OP_MAX, imp_int(cx, d->type, 0), imp_op1(cx, OP_NEG, d));
    const struct imp *last = imp_op2(cx, OP_MIN, code->dimension, imp_op2(cx, OP_SUB, code->above_end, d));
    *begin = dense_position(code, first);
    *end = dense_position(code, last);
}

static const struct imp *range_access(const struct level_code *code, const struct imp *position)
{
    struct context *cx = code->b->cx;
    const struct imp *before = dense_position(code, imp_int(cx, TYPE_I64, 0));
    return imp_cast(cx, code->coordinates, imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, position), before));
}

static const struct imp *range_locate(const struct level_code *code, const struct imp *coordinate,
                                      const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *j = imp_op2(cx, OP_ADD, coordinate, code->above);
    *found = imp_op2(cx, OP_AND, imp_op2(cx, OP_GE, j, imp_int(cx, j->type, 0)),
                     imp_op2(cx, OP_LT, j, code->above_end));
    return dense_position(code, coordinate);
}

const struct level_type level_range = {
    .name = "range",
    .brief = "below a level of j-i, every i that has a j",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .place = LEVEL_BELOW_DIFFERENCE,
    .check = dense_check,
    .children = dense_children,
    .coordinate = dense_coordinate,
    .pack = dense_pack,
    .bounds = range_bounds,
    .bounds_difference = true,
    .access = range_access,
    .locate = range_locate,
    .locates_fast = true,
    .size = dense_size,
};
