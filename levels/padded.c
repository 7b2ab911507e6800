/* padded.c - the padded level type: the stored coordinates, at the same number of positions for
 * each parent.
 *
 * The padded singleton of ELL (the thesis, section 2.5, figure 2-26).  The children of parent p
 * are the first of the positions [p * width, (p + 1) * width), in order.  The other positions have
 * the coordinate -1 ((T)-1 of an unsigned crd type).  Width 3:
 *
 *     parent     0           1            2               3
 *     crd      | 0   1  -1 | 0   1  -1 | -1  -1  -1 | 0   3   4 |
 *     position   0   1   2   3   4   5    6   7   8   9  10  11
 *
 *     ordered unique                          position iterate; the bounds leave the padding out,
 *                                             so every position within them has a coordinate;
 *                                             locate by binary search; insert, in order
 *     arrays: width, one number; crd, a coordinate or -1 for each position
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

/* ---- storage functions ---- */

static bool check_segment(const struct level_storage *level, int64_t begin, int64_t end,
                          struct level_fault *fault)
{
    int64_t last = -1;
    for (int64_t at = begin; at < end; at++) {
        if (marked_is_none(level, at)) {
            last = level->dimension;
            continue;
        }
        int64_t distance = coordinates_load(level, MARKED_CRD, at);
        if (!coordinates_check_distance(level, MARKED_CRD, at, fault))
            return false;
        if (last == level->dimension)
            return level_refuse(fault, "crd", at, "behind the padding");
        if (distance < last)
            return level_refuse(fault, "crd", at, "less than the one before it");
        if (distance == last)
            return level_refuse(fault, "crd", at, "twice below the same parent");
        last = distance;
    }
    return true;
}

static bool padded_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    if (!coordinates_check_width(level, parents, positions, fault))
        return false;
    int64_t width = marked_width(level);
    for (int64_t p = 0; p < parents && width > 0; p++)
        if (!check_segment(level, p * width, (p + 1) * width, fault))
            return false;
    return true;
}

static bool padded_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    return coordinates_make_marked(level, amount->most, amount->parents, positions, fault);
}

static bool padded_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                              int64_t *position, struct level_fault *fault)
{
    int64_t width = marked_width(level);
    (void)fault;
    for (int64_t i = 0; i < nodes->n; i++) {
        bool more = i > 0 ? nodes->parent[i] == nodes->parent[i - 1] : nodes->more;
        position[i] = !more   ? nodes->parent[i] * width
                      : i > 0 ? position[i - 1] + 1
                              : nodes->before + 1;
    }
    return true;
}

static bool padded_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                              const int64_t *position, struct level_fault *fault)
{
    return distances_pack(level, MARKED_CRD, nodes, position, fault);
}

static int64_t padded_room(const struct level_storage *level, const struct level_amount *amount)
{
    return coordinates_room_marked(level, amount->most, amount->parents);
}

/* ---- code: operands ---- */

static const struct imp *is_padding(const struct level_code *code, enum op op,
                                    const struct imp *position, int64_t n)
{
    const struct imp *at = imp_op2(code->b->cx, OP_ADD, position, imp_i64(code->b->cx, n));
    return imp_op2(code->b->cx, op, coordinates_access(code, MARKED_CRD, at),
                   coordinates_mark(code));
}

/* Moves `end` on by a step for as long as the positions up to there have coordinates. */
static void go_on(const struct level_code *code, const struct imp_var *end, const struct imp *more,
                  int64_t n)
{
    struct context *cx = code->b->cx;
    const struct imp *there = is_padding(code, OP_NE, imp_read(cx, end), n - 1);
    imp_add(code->b, imp_while(cx, more ? imp_op2(cx, OP_AND, more, there) : there,
                               imp_assign(cx, end, OP_ADD, imp_i64(cx, n))));
}

/* If the segment has padding, its end is searched for from the beginning, in time proportional to
 * the number of coordinates. */
static void padded_bounds(const struct level_code *code, const struct imp **begin,
                          const struct imp **end)
{
    struct context *cx = code->b->cx;
    struct imp_var *first = level_local(code, TYPE_I64, "begin"),
                   *last = level_local(code, TYPE_I64, "end");
    const struct imp *next = coordinates_segment(code, code->parent_next);
    *begin = imp_let(code->b, first, coordinates_segment(code, code->parent));
    *end = imp_let(code->b, last, next);
    const struct imp *padded =
        imp_op2(cx, OP_AND, imp_op2(cx, OP_LT, *begin, *end), is_padding(code, OP_EQ, *end, -1));
    const struct imp *four = imp_op2(cx, OP_SUB, next, imp_i64(cx, 3));
    imp_begin(code->b);
    imp_add(code->b, imp_assign(cx, last, OP_NONE, *begin));
    go_on(code, last, imp_op2(cx, OP_LT, *end, four), 4);
    go_on(code, last, NULL, 1);
    imp_add(code->b, imp_if(cx, padded, imp_end(code->b), NULL));
}

static const struct imp *padded_locate(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp **found)
{
    const struct imp *begin, *end;
    padded_bounds(code, &begin, &end);
    return level_search(code, code->array[MARKED_CRD], begin, end,
                        coordinates_distance(code, coordinate), found);
}

static const struct imp *padded_seek(const struct level_code *code, const struct imp *from,
                                     const struct imp *end, const struct imp *least)
{
    return level_seek(code, code->array[MARKED_CRD], from, end, coordinates_distance(code, least));
}

/* ---- code: results ---- */

static const struct imp *padded_width(const struct level_code *code, const struct imp *most)
{
    return coordinates_check_width_fits(code, imp_cast(code->b->cx, TYPE_I64, most));
}

static const struct imp *padded_insert(const struct level_code *code, const struct imp *coordinate,
                                       const struct imp *turn)
{
    struct context *cx = code->b->cx;
    const struct imp *position =
        imp_op2(cx, OP_ADD, coordinates_segment(code, code->parent), imp_cast(cx, TYPE_I64, turn));
    position = imp_let(code->b, level_local(code, TYPE_I64, NULL), position);
    coordinates_append(code, MARKED_CRD, position, coordinates_distance(code, coordinate));
    return position;
}

const struct level_type level_padded = {
    .name = "padded",
    .letter = 'c',
    .brief = "the stored coordinates, padded to one width",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .place = LEVEL_BELOW_UNIQUE,
    .array = {{"width", LEVEL_SCALAR, "positions for each parent"},
              {"crd", LEVEL_COORDINATES, "coordinates, -1 behind the last"}},
    .check = padded_check,
    .children = marked_children,
    .coordinate = marked_coordinate,
    .pack_begin = padded_pack_begin,
    .pack_place = padded_pack_place,
    .pack_nodes = padded_pack_nodes,
    .packed_together = true,
    .room = padded_room,
    .bounds = padded_bounds,
    .access = marked_access,
    .locate = padded_locate,
    .seek = padded_seek,
    .size = coordinates_segment,
    .insert = padded_insert,
    .takes_turns = true,
    .clear = marked_clear,
    .width = padded_width,
    .join = coordinates_join,
};
