/* bitmap.c - the bitmap level type: a position for every coordinate, and a flag that says whether
 * it is stored.
 *
 * Like dense (the thesis, section 2.4), but not full:
 *
 *     parent       0                   1
 *     map        | 1   0   1   0   0 | 0   0   0   1   1 |
 *     position     0   1   2   3   4   5   6   7   8   9        = parent * dimension + coordinate
 *
 *     ordered unique                          locate in O(1), insert; no iteration of its own: a
 *                                             loop runs over the dimension and reads the flags
 *     arrays: map, a bool for each position
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/dense.h"
#include "levels/levels.h"

enum { MAP };

/* ---- storage functions ---- */

static bool bitmap_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    return dense_check(level, parents, positions, fault)
           && flags_check(level, MAP, *positions, fault);
}

static bool bitmap_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                              const int64_t *above, int64_t *coordinate)
{
    return dense_coordinate(level, parent, position, above, coordinate)
           && flags_is_set(level, MAP, position);
}

static bool bitmap_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    return dense_pack_begin(level, amount, positions, fault)
           && flags_make(level, MAP, *positions, fault);
}

static bool bitmap_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                              const int64_t *position, struct level_fault *fault)
{
    (void)fault;
    for (int64_t i = 0; i < nodes->n; i++)
        ((bool *)level->array[MAP])[position[i]] = true;
    return true;
}

/* ---- code ---- */

/* As in dense; a variable, because the flag and the levels below use it. */
static const struct imp *position_of(const struct level_code *code, const struct imp *coordinate)
{
    const struct imp *found, *position = dense_locate(code, coordinate, &found);
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

static const struct imp *bitmap_insert(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp *turn)
{
    struct context *cx = code->b->cx;
    (void)turn;
    const struct imp *position = position_of(code, coordinate);
    imp_add(code->b, imp_store(cx, code->array[MAP], position, OP_NONE, imp_true(cx)));
    return position;
}

static void bitmap_clear(const struct level_code *code, const struct imp *begin,
                         const struct imp *end)
{
    flags_clear(code, MAP, begin, end);
}

const struct level_type level_bitmap = {
    .name = "bitmap",
    .letter = 'b',
    .brief = "a position for every coordinate, with a flag if it is stored",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .walks_all = true,
    .place = LEVEL_BELOW_UNIQUE,
    .array = {{"map", LEVEL_FLAGS, "is the component stored?"}},
    .check = bitmap_check,
    .children = dense_children,
    .coordinate = bitmap_coordinate,
    .pack_begin = bitmap_pack_begin,
    .pack_place = dense_pack_place,
    .pack_nodes = bitmap_pack_nodes,
    .room = dense_room,
    .locate = bitmap_locate,
    .locates_fast = true,
    .size = dense_size,
    .insert = bitmap_insert,
    .clear = bitmap_clear,
    .join = coordinates_join,
};
