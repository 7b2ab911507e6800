/* hashed.c - the hashed level type: the stored coordinates, in a hash table for each parent.
 *
 * The thesis, section 2.4, figure 2-18, but the width of a table is a power of two, and the hash
 * function another.  The children of parent p are among the slots [p * width, (p + 1) * width).
 * An empty slot has the coordinate -1 ((T)-1 of an unsigned crd type).  Width 4:
 *
 *     parent     0               1               2
 *     crd      |  0   1  -1  -1 | -1  -1  -1  -1 | -1   1   4  -1 |
 *     position    0   1   2   3    4   5   6   7    8   9  10  11
 *
 *     unique                                  tables 2-11, 2-12: position iterate, with slots to
 *                                             skip; locate in O(1) expected; insert
 *     arrays: width, one number; crd, a coordinate or -1 for each slot
 *
 * A search begins at the coordinate's own slot (index_slot), continues after the last slot with
 * the first, and ends at an empty slot (linear probing).  So every table has an empty slot.
 * Tables that spcc makes are at most half full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

/* Returns the coordinate's slot, or the empty slot that ends the search. */
static int64_t probe(const struct level_storage *level, int64_t begin, int64_t width,
                     int64_t coordinate)
{
    int64_t at = index_slot(coordinate, width);
    while (!marked_is_none(level, begin + at)
           && coordinates_load(level, MARKED_CRD, begin + at) != coordinate)
        at = (at + 1) & (width - 1);
    return begin + at;
}

/* ---- storage functions ---- */

static bool check_table(const struct level_storage *level, int64_t begin, int64_t width,
                        struct level_fault *fault)
{
    int64_t filled = 0;
    for (int64_t slot = begin; slot < begin + width; slot++)
        filled += !marked_is_none(level, slot);
    if (filled == width)
        return level_refuse(fault, "crd", begin, "in a table without an empty slot");
    for (int64_t slot = begin; slot < begin + width; slot++) {
        if (marked_is_none(level, slot))
            continue;
        if (!coordinates_check_distance(level, MARKED_CRD, slot, fault))
            return false;
        if (probe(level, begin, width, coordinates_load(level, MARKED_CRD, slot)) != slot)
            return level_refuse(fault, "crd", slot, "not where it would be found");
    }
    return true;
}

static bool hashed_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    if (!coordinates_check_width(level, parents, positions, fault))
        return false;
    int64_t width = marked_width(level);
    if (width < 1 || (width & (width - 1)))
        return level_refuse(fault, "width", 0, "not a power of two");
    for (int64_t p = 0; p < parents; p++)
        if (!check_table(level, p * width, width, fault))
            return false;
    return true;
}

/* Returns the width of tables that are at most half full. */
static int64_t width_for(int64_t most)
{
    int64_t width = 1;
    while (width / 2 < most)
        width *= 2;
    return width;
}

static bool hashed_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    return coordinates_make_marked(level, width_for(amount->most), amount->parents, positions,
                                   fault);
}

/* A coordinate's slot depends on those that are in the table already. */
static bool hashed_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                              int64_t *position, struct level_fault *fault)
{
    int64_t width = marked_width(level);
    for (int64_t i = 0; i < nodes->n; i++) {
        int64_t distance = nodes->coordinate[i] - level->low;
        position[i] = probe(level, nodes->parent[i] * width, width, distance);
        if (!index_store(level->format->crd, level->array[MARKED_CRD], position[i], distance))
            return coordinates_refuse(fault);
    }
    return true;
}

static int64_t hashed_room(const struct level_storage *level, const struct level_amount *amount)
{
    return coordinates_room_marked(level, width_for(amount->most), amount->parents);
}

/* ---- code: operands ---- */

static void hashed_bounds(const struct level_code *code, const struct imp **begin,
                          const struct imp **end)
{
    *begin = coordinates_segment(code, code->parent);
    *end = coordinates_segment(code, code->parent_next);
}

static const struct imp *hashed_occupied(const struct level_code *code, const struct imp *position)
{
    return imp_op2(code->b->cx, OP_NE, coordinates_access(code, MARKED_CRD, position),
                   coordinates_mark(code));
}

static const struct imp *hashed_probe(const struct level_code *code, const struct imp *distance)
{
    return level_probe(code, code->array[MARKED_CRD], coordinates_segment(code, code->parent),
                       imp_read(code->b->cx, code->scalar), distance);
}

static const struct imp *hashed_locate(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp **found)
{
    const struct imp *position = hashed_probe(code, coordinates_distance(code, coordinate));
    *found = hashed_occupied(code, position);
    return position;
}

/* ---- code: results ---- */

/* The least power of two that leaves half of each table empty. */
static const struct imp *hashed_width(const struct level_code *code, const struct imp *most)
{
    struct context *cx = code->b->cx;
    struct imp_var *width = level_local(code, TYPE_I64, "width");
    const struct imp *half =
        imp_op2(cx, OP_DIV, imp_let(code->b, width, imp_i64(cx, 1)), imp_i64(cx, 2));
    imp_add(code->b, imp_while(cx, imp_op2(cx, OP_LT, half, imp_cast(cx, TYPE_I64, most)),
                               imp_assign(cx, width, OP_MUL, imp_i64(cx, 2))));
    return coordinates_check_width_fits(code, imp_read(cx, width));
}

static const struct imp *hashed_is_full(const struct level_code *code, const struct imp *children)
{
    struct context *cx = code->b->cx;
    const struct imp *half =
        imp_op2(cx, OP_DIV, imp_read(cx, code->scalar), imp_int(cx, code->scalar->type, 2));
    return imp_op2(cx, OP_GE, imp_cast(cx, half->type, children), half);
}

static const struct imp *hashed_insert(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp *turn)
{
    (void)turn;
    const struct imp *distance = coordinates_distance(code, coordinate);
    const struct imp *position = code->located ? code->located : hashed_probe(code, distance);
    coordinates_append(code, MARKED_CRD, position, distance);
    return position;
}

const struct level_type level_hashed = {
    .name = "hashed",
    .letter = 'h',
    .brief = "the stored coordinates, a hash table for each parent",
    .properties = LEVEL_UNIQUE,
    .array = {{"width", LEVEL_SCALAR, "slots for each parent"},
              {"crd", LEVEL_COORDINATES, "coordinates, -1 in empty slots"}},
    .check = hashed_check,
    .children = marked_children,
    .coordinate = marked_coordinate,
    .pack_begin = hashed_pack_begin,
    .pack_place = hashed_pack_place,
    .packed_together = true,
    .room = hashed_room,
    .bounds = hashed_bounds,
    .access = marked_access,
    .occupied = hashed_occupied,
    .locate = hashed_locate,
    .locates_fast = true,
    .size = coordinates_segment,
    .insert = hashed_insert,
    .clear = marked_clear,
    .width = hashed_width,
    .is_full = hashed_is_full,
    .join = coordinates_join,
};
