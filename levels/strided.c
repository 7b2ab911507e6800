/* strided.c - the strided level type: every coordinate is stored, one stride behind the one
 * before.
 *
 * Arrays of other programs have it (NumPy's strides, DLPack's): a part of a larger array, a
 * reversed one, a repeated one.  It is the dense level (dense.c) with a step that is not a product
 * of sizes.  An example are the columns 3, 2 and 1 of a 2 x 4 matrix, with the strides 4 and -1:
 *
 *     coordinate i   0           1
 *     coordinate j   0   1   2   0   1   2
 *     place          2   1   0   6   5   4     = 4 i + (2 - j), from the least used place on
 *
 *     full ordered unique                     tables 2-11, 2-12: locate in O(1); no iteration of
 *                                             its own, and no insertion: places may coincide, as
 *                                             with stride 0
 *     arrays: stride, one number
 *
 * The type strided(unit) has the stride 1 and no array, so code can rely on it.  Storage functions
 * count positions as dense's do; value_at says where a value is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"
#include "levels/dense.h"
#include "levels/levels.h"

enum { STRIDE };

/* ---- storage functions ---- */

static int64_t stride_of(const struct level_storage *level)
{
    return index_load(level->format->pos, level->array[STRIDE], 0);
}

static int64_t strided_value_at(const struct level_storage *level, int64_t coordinate)
{
    int64_t stride = stride_of(level), at = coordinate - level->low;
    return stride < 0 ? (at - (level->dimension - 1)) * stride : at * stride;
}

static bool strided_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                          struct level_fault *fault)
{
    int64_t steps = level->dimension > 0 ? level->dimension - 1 : 0, span;
    if (level->length[STRIDE] < 1 || !level->array[STRIDE])
        return level_refuse(fault, "stride", -1, "is not there");
    if (__builtin_mul_overflow(steps, stride_of(level), &span)
        || span > index_max(level->format->pos) || span < -index_max(level->format->pos))
        return level_refuse(fault, "stride", 0, "more than its pos type can count in all");
    return dense_check(level, parents, positions, fault);
}

/* A step until it is known how much is below. */
static bool strided_pack_begin(struct level_storage *level, const struct level_amount *amount,
                               int64_t *positions, struct level_fault *fault)
{
    enum type pos = level->format->pos;
    level->array[STRIDE] = level_alloc(fault, pos, 1);
    level->length[STRIDE] = 1;
    return level->array[STRIDE] && index_store(pos, level->array[STRIDE], 0, 1)
           && dense_pack_begin(level, amount, positions, fault);
}

static int64_t unit_value_at(const struct level_storage *level, int64_t coordinate)
{
    return coordinate - level->low;
}

static bool unit_pack_end(struct level_storage *level, int64_t below, struct level_fault *fault)
{
    return below == 1 || level->dimension <= 1
           || level_refuse(fault, NULL, -1, "the stride is 1, and others are below it");
}

static bool strided_pack_end(struct level_storage *level, int64_t below, struct level_fault *fault)
{
    return index_store(level->format->pos, level->array[STRIDE], 0, below)
           || level_refuse(fault, "stride", 0, "more than its pos type can count");
}

/* ---- code ---- */

/* The place from the least used one on: coordinate * stride or, if the stride is negative,
 * (coordinate - (dimension - 1)) * stride.  The part without a coordinate is the same in all loops.
 */
static const struct imp *strided_locate(const struct level_code *code, const struct imp *coordinate,
                                        const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *stride = imp_cast(cx, TYPE_I64, imp_read(cx, code->scalar)),
                     *size = imp_cast(cx, TYPE_I64, code->dimension),
                     *at = imp_cast(cx, TYPE_I64, coordinates_distance(code, coordinate));
    const struct imp *first =
        imp_op2(cx, OP_MAX, imp_op2(cx, OP_MUL, imp_op2(cx, OP_SUB, imp_i64(cx, 1), size), stride),
                imp_i64(cx, 0));
    const struct imp *above = imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, code->parent), first);
    *found = NULL;
    return imp_op2(cx, OP_ADD, above, imp_op2(cx, OP_MUL, at, stride));
}

static const struct imp *unit_locate(const struct level_code *code, const struct imp *coordinate,
                                     const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *at = coordinates_distance(code, coordinate);
    *found = NULL;
    return imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, code->parent), imp_cast(cx, TYPE_I64, at));
}

const struct level_type level_strided = {
    .name = "strided",
    .brief = "every coordinate, a stride from the one before",
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE,
    .stored = LEVEL_ALL,
    .place = LEVEL_BELOW_STRIDES,
    .array = {{"stride", LEVEL_SCALAR, "how far a value is from the one before"}},
    .check = strided_check,
    .children = dense_children,
    .coordinate = dense_coordinate,
    .value_at = strided_value_at,
    .pack_begin = strided_pack_begin,
    .pack_place = dense_pack_place,
    .pack_end = strided_pack_end,
    .room = dense_room,
    .locate = strided_locate,
    .locates_fast = true,
};

const struct level_type level_strided_unit = {
    .name = "strided(unit)",
    .brief = "every coordinate, each beside the one before",
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE,
    .stored = LEVEL_ALL,
    .place = LEVEL_BELOW_STRIDES,
    .check = dense_check,
    .children = dense_children,
    .coordinate = dense_coordinate,
    .value_at = unit_value_at,
    .pack_begin = dense_pack_begin,
    .pack_place = dense_pack_place,
    .pack_end = unit_pack_end,
    .room = dense_room,
    .locate = unit_locate,
    .locates_fast = true,
};
