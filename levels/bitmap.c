/* bitmap.c - the bitmap level type: a position for every coordinate, and a flag whether it is there.
 *
 * As dense (the thesis, section 2.4), but not full:
 *
 *     parent       0                   1
 *     map        | 1   0   1   0   0 | 0   0   0   1   1 |
 *     position     0   1   2   3   4   5   6   7   8   9        = parent * dimension + coordinate
 *
 *     ordered unique                          locate in O(1), insert; no iteration of its own, a loop runs over the
 *                                             dimension and looks at the flags
 *     arrays: map, a bool for each position
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { MAP };

static bool is_set(const struct level_storage *level, int64_t position)
{
    return ((const bool *)level->array[MAP])[position];
}

/* ---- storage functions ---- */

static bool count_positions(const struct level_storage *level, int64_t parents, int64_t *positions,
                            struct level_fault *fault)
{
    if (__builtin_mul_overflow(parents, level->dimension, positions) || *positions > index_max(level->format->pos))
        return level_refuse(fault, "pos", -1, "has more positions than its pos type can count");
    return true;
}

static bool bitmap_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    return count_positions(level, parents, positions, fault) && flags_check(level, MAP, *positions, fault);
}

static void bitmap_children(const struct level_storage *level, int64_t parent, int64_t *begin, int64_t *end)
{
    *begin = parent * level->dimension;
    *end = *begin + level->dimension;
}

static bool bitmap_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                              const int64_t *above, int64_t *coordinate)
{
    (void)above;
    *coordinate = level->low + position - parent * level->dimension;
    return is_set(level, position);
}

static bool bitmap_pack(struct level_storage *level, const struct level_nodes *nodes, int64_t *position,
                        int64_t *positions, struct level_fault *fault)
{
    if (!count_positions(level, nodes->parents, positions, fault) || !flags_make(level, MAP, *positions, fault))
        return false;
    for (int64_t i = 0; i < nodes->n; i++) {
        position[i] = nodes->parent[i] * level->dimension + nodes->coordinate[i] - level->low;
        ((bool *)level->array[MAP])[position[i]] = true;
    }
    return true;
}

/* ---- code ---- */

/* As in dense; named, because the flag and what is below use it. */
static const struct imp *position_of(const struct level_code *code, const struct imp *coordinate)
{
    const struct imp *found, *position = level_dense.locate(code, coordinate, &found);
    bool simple = position->kind == IMP_VAR || position->kind == IMP_LITERAL;
    return simple ? position : imp_let(code->b, level_local(code, position->type, NULL), position);
}

static const struct imp *bitmap_locate(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp **found)
{
    const struct imp *position = position_of(code, coordinate);
    *found = imp_load(code->b->cx, code->array[MAP], position);
    return position;
}

static const struct imp *bitmap_size(const struct level_code *code, const struct imp *parents)
{
    return level_dense.size(code, parents);
}

static const struct imp *bitmap_insert(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp *turn)
{
    struct context *cx = code->b->cx;
    (void)turn;
    const struct imp *position = position_of(code, coordinate);
    imp_add(code->b, imp_store(cx, code->array[MAP], position, OP_NONE, imp_true(cx)));
    return position;
}

static void bitmap_clear(const struct level_code *code, const struct imp *begin, const struct imp *end)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_fill(cx, code->array[MAP], begin, end, imp_int(cx, TYPE_BOOL, 0)));
}

const struct level_type level_bitmap = {
    .name = "bitmap",
    .letter = 'b',
    .brief = "a position for every coordinate, and whether it is there",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .place = LEVEL_BELOW_UNIQUE,
    .array = {{"map", LEVEL_FLAGS, "is there a component?"}},
    .check = bitmap_check,
    .children = bitmap_children,
    .coordinate = bitmap_coordinate,
    .pack = bitmap_pack,
    .locate = bitmap_locate,
    .locates_fast = true,
    .size = bitmap_size,
    .insert = bitmap_insert,
    .clear = bitmap_clear,
};
