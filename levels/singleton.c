/* singleton.c - the singleton level type: one coordinate for each parent.
 *
 * The thesis, section 2.4, figure 2-17.  The child of parent p is at position p:
 *
 *     parent     0   1   2   3   4   5   6
 *     crd        0   1   0   1   0   3   4
 *     position   0   1   2   3   4   5   6
 *
 *     ordered unique branchless compact       tables 2-11, 2-12: position iterate, append
 *     drops ordered, drops unique
 *     arrays: crd, a coordinate for each position
 *
 * It stands below a level that is not unique: COO is compressed(nonunique), singleton.  Then the
 * properties ordered and unique hold for entries with the same coordinates on all levels above;
 * such entries are children of different parents.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { CRD };

/* ---- storage functions ---- */

static bool singleton_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                            struct level_fault *fault)
{
    if (level->length[CRD] < parents || (parents > 0 && !level->array[CRD]))
        return level_refuse(fault, "crd", -1, "is shorter than one element for each parent");
    for (int64_t p = 0; p < parents; p++)
        if (!coordinates_check(level, p, coordinates_load(level, CRD, p), fault))
            return false;
    *positions = parents;
    return true;
}

static bool singleton_coordinate(const struct level_storage *level, int64_t parent,
                                 int64_t position, const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    *coordinate = coordinates_load(level, CRD, position);
    return true;
}

static bool singleton_pack_begin(struct level_storage *level, const struct level_amount *amount,
                                 int64_t *positions, struct level_fault *fault)
{
    *positions = amount->parents;
    return coordinates_make(level, CRD, amount->parents, fault);
}

static bool singleton_pack_edges(struct level_storage *level, int64_t after, int64_t until,
                                 int64_t at, struct level_fault *fault)
{
    (void)level;
    (void)at;
    return until - after <= 1
           || level_refuse(fault, NULL, after + 1,
                           "needs a coordinate below every parent, and there is none");
}

static bool singleton_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                                 int64_t *position, struct level_fault *fault)
{
    for (int64_t i = 0; i < nodes->n; i++) {
        if (i > 0 ? nodes->parent[i] == nodes->parent[i - 1] : nodes->more)
            return level_refuse(fault, NULL, nodes->parent[i],
                                "holds one coordinate below a parent, and there are more");
        if (i > 0 && !singleton_pack_edges(level, nodes->parent[i - 1], nodes->parent[i], 0, fault))
            return false;
        position[i] = nodes->parent[i];
    }
    return true;
}

static bool singleton_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                                 const int64_t *position, struct level_fault *fault)
{
    return coordinates_pack(level, CRD, nodes, position, fault);
}

/* ---- code ---- */

static void singleton_bounds(const struct level_code *code, const struct imp **begin,
                             const struct imp **end)
{
    *begin = code->parent;
    *end = code->parent_next;
}

static const struct imp *singleton_access(const struct level_code *code, const struct imp *position)
{
    return coordinates_access(code, CRD, position);
}

static const struct imp *singleton_locate(const struct level_code *code,
                                          const struct imp *coordinate, const struct imp **found)
{
    struct context *cx = code->b->cx;
    if (!code->single)
        return level_search(code, code->array[CRD], code->parent, code->parent_next, coordinate,
                            found);
    *found = imp_op2(cx, OP_EQ, imp_load(cx, code->array[CRD], code->parent), coordinate);
    return code->parent;
}

static const struct imp *singleton_seek(const struct level_code *code, const struct imp *from,
                                        const struct imp *end, const struct imp *least)
{
    return level_seek(code, code->array[CRD], from, end, least);
}

static void singleton_append_coordinate(const struct level_code *code, const struct imp *position,
                                        const struct imp *coordinate)
{
    coordinates_append(code, CRD, position, coordinate);
}

static const struct imp *singleton_parent_of(const struct level_code *code,
                                             const struct imp *position)
{
    (void)code;
    return position;
}

const struct level_type level_singleton = {
    .name = "singleton",
    .letter = 'q',
    .brief = "one coordinate for each parent",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .stored = LEVEL_ONE,
    .variant_letter = 'c',
    .variant_drops = LEVEL_UNIQUE,
    .array = {{"crd", LEVEL_COORDINATES, "coordinates"}},
    .check = singleton_check,
    .children = coordinates_only_child,
    .coordinate = singleton_coordinate,
    .pack_begin = singleton_pack_begin,
    .pack_place = singleton_pack_place,
    .pack_nodes = singleton_pack_nodes,
    .pack_edges = singleton_pack_edges,
    .room = coordinates_room_of_parents,
    .bounds = singleton_bounds,
    .access = singleton_access,
    .locate = singleton_locate,
    .seek = singleton_seek,
    .parent_of = singleton_parent_of,
    .append_coordinate = singleton_append_coordinate,
    .join = coordinates_join,
};
