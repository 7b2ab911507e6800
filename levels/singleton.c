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
 * It stands below a level that is not unique: COO is compressed(nonunique), singleton.  Ordered and
 * unique then speak of the entries with the same coordinates in all levels above, which are
 * children of different parents.
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

static void singleton_children(const struct level_storage *level, int64_t parent, int64_t *begin,
                               int64_t *end)
{
    *begin = parent;
    *end = parent + 1;
}

static bool singleton_coordinate(const struct level_storage *level, int64_t parent,
                                 int64_t position, const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    *coordinate = coordinates_load(level, CRD, position);
    return true;
}

static bool singleton_pack(struct level_storage *level, const struct level_nodes *nodes,
                           int64_t *position, int64_t *positions, struct level_fault *fault)
{
    for (int64_t p = 0; p < nodes->parents || p < nodes->n; p++) {
        if (p >= nodes->n || nodes->parent[p] > p)
            return level_refuse(fault, NULL, p,
                                "needs a coordinate below every parent, and there is none");
        if (nodes->parent[p] < p)
            return level_refuse(fault, NULL, nodes->parent[p],
                                "holds one coordinate below a parent, and there are more");
    }
    *positions = nodes->parents;
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

static void singleton_append_coordinate(const struct level_code *code, const struct imp *position,
                                        const struct imp *coordinate)
{
    coordinates_append(code, CRD, position, coordinate);
}

/* Every parent has its one child at its own position. */
static const struct imp *singleton_join(const struct level_code *code,
                                        const struct level_code *chunk, const struct imp *parents,
                                        const struct imp *parent_at, const struct imp *position_at)
{
    (void)position_at;
    coordinates_join(code, CRD, chunk, parent_at, parents);
    return parents;
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
    .children = singleton_children,
    .coordinate = singleton_coordinate,
    .pack = singleton_pack,
    .room = coordinates_room_of_parents,
    .bounds = singleton_bounds,
    .access = singleton_access,
    .locate = singleton_locate,
    .parent_of = singleton_parent_of,
    .append_coordinate = singleton_append_coordinate,
    .join = singleton_join,
};
