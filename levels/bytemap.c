/* bytemap.c - the bytemap level type: flags, as in a bitmap, and the list of the stored
 * coordinates.
 *
 * It is the level of workspaces, and otherwise the first level of a tensor only.  If few flags are
 * set, the list saves reading every flag, and clearing every one (Gustavson's row of a sparse
 * product, 1978):
 *
 *     count        3
 *     crd          2   0   3                  the coordinates, in the order of insertion; ascending
 *                                             if ordered
 *     map        | 1   0   1   1   0 |
 *     position     0   1   2   3   4          = coordinate
 *
 *     ordered unique                          position iterate over the list, locate in O(1),
 *                                             insert
 *     drops ordered
 *     arrays: count, one number; map, a bool for each position; crd, with room for every coordinate
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/dense.h"
#include "levels/levels.h"

enum { COUNT, MAP, CRD };

static int64_t load_count(const struct level_storage *level)
{
    return index_load(level->format->pos, level->array[COUNT], 0);
}

/* ---- storage functions ---- */

static bool check_root(const struct level_storage *level, int64_t parents, int64_t *positions,
                       struct level_fault *fault)
{
    if (parents != 1)
        return level_refuse(fault, NULL, -1, "can only be the first level");
    return dense_check(level, parents, positions, fault);
}

/* Checks that each coordinate of the list has its flag, and takes that out of `left`. */
static bool check_list(const struct level_storage *level, int64_t count, bool *left,
                       struct level_fault *fault)
{
    int64_t last = level->low;
    for (int64_t at = 0; at < count; at++) {
        int64_t coordinate = coordinates_load(level, CRD, at);
        if (!coordinates_check(level, at, coordinate, fault))
            return false;
        if (!flags_is_set(level, MAP, coordinate - level->low))
            return level_refuse(fault, "crd", at, "without its flag in map");
        if (!left[coordinate - level->low])
            return level_refuse(fault, "crd", at, "twice in the list");
        if (level_has(level->format, LEVEL_ORDERED) && coordinate < last)
            return level_refuse_coordinate(fault, at, LEVEL_ORDERED, "less than the one before it");
        left[coordinate - level->low] = false;
        last = coordinate;
    }
    for (int64_t at = 0; at < level->dimension; at++)
        if (left[at])
            return level_refuse(fault, "map", at, "a flag of a coordinate that is not in the list");
    return true;
}

static bool check_against_map(const struct level_storage *level, int64_t count,
                              struct level_fault *fault)
{
    size_t bytes = (size_t)level->dimension;
    bool *left = level_alloc(fault, TYPE_BOOL, level->dimension);
    if (!left)
        return level_no_memory(fault);
    if (bytes > 0)
        memcpy(left, level->array[MAP], bytes);
    bool valid = check_list(level, count, left, fault);
    free(left);
    return valid;
}

static bool bytemap_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                          struct level_fault *fault)
{
    if (!check_root(level, parents, positions, fault)
        || !flags_check(level, MAP, *positions, fault))
        return false;
    if (!level->array[COUNT] || level->length[COUNT] < 1)
        return level_refuse(fault, "count", -1, "is missing");
    int64_t count = load_count(level);
    if (count < 0 || count > level->dimension)
        return level_refuse(fault, "count", 0, count < 0 ? "negative" : "more than the dimension");
    if (level->length[CRD] < level->dimension || (level->dimension > 0 && !level->array[CRD]))
        return level_refuse(fault, "crd", -1, "has no room for every coordinate");
    return check_against_map(level, count, fault);
}

static bool bytemap_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                               const int64_t *above, int64_t *coordinate)
{
    return dense_coordinate(level, parent, position, above, coordinate)
           && flags_is_set(level, MAP, position);
}

static bool make_list(struct level_storage *level, struct level_fault *fault)
{
    level->length[COUNT] = 1;
    level->array[COUNT] = level_alloc(fault, level->format->pos, 1);
    level->length[CRD] = level->dimension;
    level->array[CRD] = level_alloc(fault, level->format->crd, level->dimension);
    if (!level->array[COUNT] || !level->array[CRD])
        return level_no_memory(fault);
    memset(level->array[CRD], 0, (size_t)level->dimension * type_size(level->format->crd));
    return true;
}

static bool bytemap_pack_begin(struct level_storage *level, const struct level_amount *amount,
                               int64_t *positions, struct level_fault *fault)
{
    if (!check_root(level, amount->parents, positions, fault)
        || !flags_make(level, MAP, *positions, fault) || !make_list(level, fault))
        return false;
    index_store(level->format->pos, level->array[COUNT], 0, amount->nodes);
    return true;
}

static bool bytemap_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                               const int64_t *position, struct level_fault *fault)
{
    for (int64_t i = 0; i < nodes->n; i++) {
        if (!index_store(level->format->crd, level->array[CRD], nodes->first + i,
                         nodes->coordinate[i]))
            return coordinates_refuse(fault);
        ((bool *)level->array[MAP])[position[i]] = true;
    }
    return true;
}

/* ---- code ---- */

static void bytemap_bounds(const struct level_code *code, const struct imp **begin,
                           const struct imp **end)
{
    struct context *cx = code->b->cx;
    enum type type = level_position_type(code->scalar->type);
    *begin = imp_int(cx, type, 0);
    *end = imp_cast(cx, type, imp_read(cx, code->scalar));
}

static const struct imp *bytemap_access(const struct level_code *code, const struct imp *position)
{
    return coordinates_access(code, CRD, position);
}

static const struct imp *bytemap_locate(const struct level_code *code, const struct imp *coordinate,
                                        const struct imp **found)
{
    const struct imp *position = coordinates_distance(code, coordinate);
    *found = imp_load(code->b->cx, code->array[MAP], position);
    return position;
}

static const struct imp *bytemap_insert(const struct level_code *code, const struct imp *coordinate,
                                        const struct imp *turn)
{
    struct context *cx = code->b->cx;
    (void)turn;
    const struct imp *position = coordinates_distance(code, coordinate);
    const struct imp *there = imp_load(cx, code->array[MAP], position);
    imp_begin(code->b);
    imp_add(code->b, imp_store(cx, code->array[MAP], position, OP_NONE, imp_true(cx)));
    coordinates_append(code, CRD, imp_read(cx, code->scalar), coordinate);
    imp_add(code->b, imp_increment(cx, code->scalar));
    const struct imp *touch = imp_end(code->b);
    imp_add(code->b, imp_if(cx, imp_op1(cx, OP_NOT, there), touch, NULL));
    return position;
}

static void bytemap_clear(const struct level_code *code, const struct imp *begin,
                          const struct imp *end)
{
    flags_clear(code, MAP, begin, end);
}

const struct level_type level_bytemap = {
    .name = "bytemap",
    .brief = "a bitmap and a list of coordinates, for workspaces",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_ORDERED,
    .place = LEVEL_FIRST,
    .array = {{"count", LEVEL_SCALAR, "how many coordinates are listed"},
              {"map", LEVEL_FLAGS, "is the component stored?"},
              {"crd", LEVEL_COORDINATES, "stored coordinates"}},
    .check = bytemap_check,
    .children = dense_children,
    .coordinate = bytemap_coordinate,
    .pack_begin = bytemap_pack_begin,
    .pack_place = dense_pack_place,
    .pack_nodes = bytemap_pack_nodes,
    .room = dense_room,
    .bounds = bytemap_bounds,
    .access = bytemap_access,
    .lists = true,
    .in_table = &level_row_table,
    .locate = bytemap_locate,
    .locates_fast = true,
    .size = dense_size,
    .insert = bytemap_insert,
    .clear = bytemap_clear,
};
