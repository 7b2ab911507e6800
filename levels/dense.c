/* dense.c - the dense level type: every coordinate is stored, at a position that is computed.
 *
 * The thesis, section 2.4, figure 2-15.  Only the dimension is stored:
 *
 *     parent         0               1
 *     coordinate     0   1   2   3   0   1   2   3
 *     position       0   1   2   3   4   5   6   7        = parent * dimension + coordinate
 *
 * Differences begin below zero; their positions count from the least one.
 *
 *     full ordered unique compact             tables 2-11, 2-12: locate in O(1), insert; no
 *                                             iteration of its own: a loop runs over the dimension
 *                                             and locates
 *     arrays: none
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/dense.h"
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

/* ---- storage functions ---- */

bool dense_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                 struct level_fault *fault)
{
    if (__builtin_mul_overflow(parents, level->dimension, positions)
        || *positions > index_max(level->format->pos))
        return level_refuse(fault, "pos", -1, "has more positions than its pos type can count");
    return true;
}

void dense_children(const struct level_storage *level, int64_t parent, int64_t *begin, int64_t *end)
{
    *begin = parent * level->dimension;
    *end = *begin + level->dimension;
}

bool dense_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                      const int64_t *above, int64_t *coordinate)
{
    (void)above;
    *coordinate = level->low + position - parent * level->dimension;
    return true;
}

bool dense_pack_begin(struct level_storage *level, const struct level_amount *amount,
                      int64_t *positions, struct level_fault *fault)
{
    return dense_check(level, amount->parents, positions, fault);
}

bool dense_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                      int64_t *position, struct level_fault *fault)
{
    (void)fault;
    for (int64_t i = 0; i < nodes->n; i++)
        position[i] = nodes->parent[i] * level->dimension + nodes->coordinate[i] - level->low;
    return true;
}

int64_t dense_room(const struct level_storage *level, const struct level_amount *amount)
{
    struct level_fault fault;
    int64_t positions;
    return dense_check(level, amount->parents, &positions, &fault) ? positions : -1;
}

/* ---- code ---- */

/* parent * dimension + coordinate - low, in i64, since the coordinates' type may not hold the
 * product. */
const struct imp *dense_locate(const struct level_code *code, const struct imp *coordinate,
                               const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *distance = coordinates_distance(code, coordinate);
    *found = NULL;
    if (code->parent->kind == IMP_LITERAL && value_is_zero(code->parent->value))
        return distance;
    const struct imp *before = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, code->parent),
                                       imp_cast(cx, TYPE_I64, code->dimension));
    return imp_op2(cx, OP_ADD, before, imp_cast(cx, TYPE_I64, distance));
}

const struct imp *dense_size(const struct level_code *code, const struct imp *parents)
{
    struct context *cx = code->b->cx;
    return imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, parents),
                   imp_cast(cx, TYPE_I64, code->dimension));
}

static const struct imp *dense_parent_of(const struct level_code *code, const struct imp *position)
{
    return imp_op2(code->b->cx, OP_DIV, position, code->dimension);
}

static const struct imp *dense_coordinate_of(const struct level_code *code,
                                             const struct imp *position)
{
    const struct imp *below = imp_op2(code->b->cx, OP_MOD, position, code->dimension);
    return code->low ? imp_op2(code->b->cx, OP_ADD, code->low, below) : below;
}

const struct level_type level_dense = {
    .name = "dense",
    .letter = 'd',
    .brief = "every coordinate; its position is computed",
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .stored = LEVEL_ALL,
    .with_flags = &level_bitmap,
    .check = dense_check,
    .children = dense_children,
    .coordinate = dense_coordinate,
    .pack_begin = dense_pack_begin,
    .pack_place = dense_pack_place,
    .room = dense_room,
    .locate = dense_locate,
    .parent_of = dense_parent_of,
    .coordinate_of = dense_coordinate_of,
    .locates_fast = true,
    .size = dense_size,
    .join = coordinates_join,
};
