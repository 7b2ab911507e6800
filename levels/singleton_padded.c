/* singleton_padded.c - the padded singleton level type: one coordinate or none for each parent.
 *
 * The padded singleton of ELL (the thesis, section 2.5, figure 2-26).  The level above has
 * positions without a component.  The child of parent p is at position p.  A parent without a
 * child has the coordinate -1 ((T)-1 of an unsigned crd type):
 *
 *     parent     0   1   2   3   4   5   6
 *     crd        0   1  -1   1   0  -1   4
 *     position   0   1   2   3   4   5   6
 *
 *     ordered unique branchless               position iterate, with positions to skip; append,
 *                                             after a clear
 *     drops ordered
 *     arrays: crd, a coordinate or -1 for each position
 *
 * Levels of differences store the distance from the least difference, so no coordinate is -1.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { CRD };

/* ---- storage functions ---- */

static bool is_none(const struct level_storage *level, int64_t position)
{
    return index_is_none(level->format->crd, level->array[CRD], position);
}

static bool padded_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    if (level->length[CRD] < parents || (parents > 0 && !level->array[CRD]))
        return level_refuse(fault, "crd", -1, "is shorter than one element for each parent");
    if (!coordinates_check_mark(level, fault))
        return false;
    for (int64_t p = 0; p < parents; p++)
        if (!is_none(level, p) && !coordinates_check_distance(level, CRD, p, fault))
            return false;
    *positions = parents;
    return true;
}

static bool padded_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                              const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    if (is_none(level, position))
        return false;
    *coordinate = level->low + coordinates_load(level, CRD, position);
    return true;
}

static bool padded_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    *positions = amount->parents;
    if (!coordinates_check_mark(level, fault) || !coordinates_make(level, CRD, *positions, fault))
        return false;
    index_store_none(level->format->crd, level->array[CRD], 0, *positions);
    return true;
}

static bool padded_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                              const int64_t *position, struct level_fault *fault)
{
    return distances_pack(level, CRD, nodes, position, fault);
}

/* ---- code ---- */

static void padded_bounds(const struct level_code *code, const struct imp **begin,
                          const struct imp **end)
{
    *begin = code->parent;
    *end = code->parent_next;
}

static const struct imp *padded_access(const struct level_code *code, const struct imp *position)
{
    return coordinates_from_distance(code, coordinates_access(code, CRD, position));
}

/* Only the mark is negative, if coordinates are signed. */
static const struct imp *padded_occupied(const struct level_code *code, const struct imp *position)
{
    struct context *cx = code->b->cx;
    const struct imp *crd = coordinates_access(code, CRD, position);
    bool has_sign = type_kind(crd->type) == KIND_INT;
    return has_sign ? imp_op2(cx, OP_GE, crd, imp_int(cx, crd->type, 0))
                    : imp_op2(cx, OP_NE, crd, coordinates_mark(code));
}

/* The mark is not a distance.  Parents with the same coordinate cannot be searched as a run, since
 * the run would have positions to skip. */
static const struct imp *padded_locate(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *distance = coordinates_distance(code, coordinate),
                     *stored = coordinates_access(code, CRD, code->parent);
    *found = imp_op2(cx, OP_EQ, imp_cast(cx, code->coordinates, stored), distance);
    return code->parent;
}

static void padded_clear(const struct level_code *code, const struct imp *begin,
                         const struct imp *end)
{
    coordinates_check_mark_fits(code);
    imp_add(code->b, imp_fill(code->b->cx, code->array[CRD], begin, end, coordinates_mark(code)));
}

static void padded_append_coordinate(const struct level_code *code, const struct imp *position,
                                     const struct imp *coordinate)
{
    coordinates_append(code, CRD, position, coordinates_distance(code, coordinate));
}

static const struct imp *padded_parent_of(const struct level_code *code, const struct imp *position)
{
    (void)code;
    return position;
}

const struct level_type level_singleton_padded = {
    .name = "singleton(padded)",
    .brief = "one coordinate for each parent, or none",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS,
    .configurable = LEVEL_ORDERED,
    .stored = LEVEL_ONE,
    .array = {{"crd", LEVEL_COORDINATES, "coordinates, -1 where there is none"}},
    .check = padded_check,
    .children = coordinates_only_child,
    .coordinate = padded_coordinate,
    .pack_begin = padded_pack_begin,
    .pack_place = coordinates_place_only_child,
    .pack_nodes = padded_pack_nodes,
    .room = coordinates_room_of_parents,
    .bounds = padded_bounds,
    .access = padded_access,
    .occupied = padded_occupied,
    .locate = padded_locate,
    .parent_of = padded_parent_of,
    .clear = padded_clear,
    .append_coordinate = padded_append_coordinate,
    .join = coordinates_join,
};
