/* compressed.c - the compressed level type: the stored coordinates, in one segment for each
 * parent.
 *
 * The thesis, section 2.4, figure 2-16.  The children of parent p are at the positions [pos[p],
 * pos[p+1]):
 *
 *     parent     0       1       2   3
 *     pos      | 0     | 2     | 4 | 4         | 7 |
 *     crd      | 0   1 | 0   1 |   | 0   3   4 |
 *     position   0   1   2   3       4   5   6
 *
 *     ordered unique compact                  tables 2-11, 2-12: position iterate, append; locate
 *                                             by binary search
 *     drops ordered, drops unique ('u')       if it is ordered
 *     arrays: pos, parents + 1 positions; crd, a coordinate for each position
 *
 * A level that is not unique holds a coordinate once for each of its entries (the first level of
 * COO).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "compiler/format/index_array.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { POS, CRD };

static int64_t load_crd(const struct level_storage *level, int64_t position)
{
    return coordinates_load(level, CRD, position);
}

/* ---- check ---- */

static bool check_pos(const struct level_storage *level, int64_t parents, struct level_fault *fault)
{
    if (!segments_check(level, parents, fault))
        return false;
    if (segments_load(level, parents) > level->length[CRD])
        return level_refuse(fault, "pos", parents, "beyond the end of crd");
    if (segments_load(level, parents) > 0 && !level->array[CRD])
        return level_refuse(fault, "crd", -1, "is missing");
    return true;
}

/* Checks that the coordinates of all segments are in range, and in order if the format says so. */
static bool check_crd(const struct level_storage *level, int64_t parents, struct level_fault *fault)
{
    bool ordered = level_has(level->format, LEVEL_ORDERED),
         unique = level_has(level->format, LEVEL_UNIQUE);
    for (int64_t p = 0; p < parents; p++) {
        int64_t last = INT64_MIN, end = segments_load(level, p + 1);
        for (int64_t at = segments_load(level, p); at < end; at++) {
            int64_t coordinate = load_crd(level, at);
            if (!coordinates_check(level, at, coordinate, fault))
                return false;
            if (ordered && coordinate < last)
                return level_refuse_coordinate(fault, at, LEVEL_ORDERED,
                                               "less than the one before it");
            if (ordered && unique && coordinate == last)
                return level_refuse_coordinate(fault, at, LEVEL_UNIQUE,
                                               "twice below the same parent");
            last = coordinate;
        }
    }
    return true;
}

/* A set of coordinates, for one segment after the other.  A slot belongs to the set if its stamp is
 * the segment's, so the set needs no clearing: finding duplicates in unordered segments takes
 * O(size) in all. */
struct slot {
    int64_t stamp, coordinate;
};

static bool slot_add(struct slot *slots, uint64_t mask, int64_t stamp, int64_t coordinate)
{
    uint64_t at = ((uint64_t)coordinate * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (slots[at].stamp == stamp) {
        if (slots[at].coordinate == coordinate)
            return false;
        at = (at + 1) & mask;
    }
    slots[at] = (struct slot){stamp, coordinate};
    return true;
}

static int64_t longest_segment(const struct level_storage *level, int64_t parents)
{
    int64_t longest = 0;
    for (int64_t p = 0; p < parents; p++) {
        int64_t length = segments_load(level, p + 1) - segments_load(level, p);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static bool check_unordered_unique(const struct level_storage *level, int64_t parents,
                                   struct level_fault *fault)
{
    uint64_t capacity = 2;
    while (capacity < 2 * (uint64_t)longest_segment(level, parents))
        capacity *= 2;
    struct slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return level_refuse(fault, NULL, -1, LEVEL_NO_MEMORY);
    for (int64_t p = 0; p < parents; p++)
        for (int64_t at = segments_load(level, p), end = segments_load(level, p + 1); at < end;
             at++)
            if (!slot_add(slots, capacity - 1, p + 1, load_crd(level, at))) {
                free(slots);
                return level_refuse_coordinate(fault, at, LEVEL_UNIQUE,
                                               "twice below the same parent");
            }
    free(slots);
    return true;
}

static bool check_most(const struct level_storage *level, int64_t parents,
                       struct level_fault *fault)
{
    const int64_t most = level->format->most;
    for (int64_t p = 0; p < parents && most; p++)
        if (segments_load(level, p + 1) - segments_load(level, p) > most)
            return level_refuse(fault, "pos", p + 1,
                                "ends a segment of more coordinates than the format allows");
    return true;
}

static bool compressed_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                             struct level_fault *fault)
{
    if (!check_pos(level, parents, fault) || !check_crd(level, parents, fault))
        return false;
    if (!level_has(level->format, LEVEL_ORDERED) && level_has(level->format, LEVEL_UNIQUE)
        && !check_unordered_unique(level, parents, fault))
        return false;
    if (!check_most(level, parents, fault))
        return false;
    *positions = segments_load(level, parents);
    return true;
}

/* ---- walk and pack ---- */

static bool compressed_coordinate(const struct level_storage *level, int64_t parent,
                                  int64_t position, const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    *coordinate = load_crd(level, position);
    return true;
}

static bool compressed_pack_begin(struct level_storage *level, const struct level_amount *amount,
                                  int64_t *positions, struct level_fault *fault)
{
    if (amount->nodes > index_max(level->format->pos))
        return level_refuse(fault, "pos", -1, "has more positions than its pos type can count");
    level->length[POS] = amount->parents + 1;
    level->array[POS] = level_alloc(fault, level->format->pos, level->length[POS]);
    if (!level->array[POS])
        return level_no_memory(fault);
    *positions = amount->nodes;
    if (!fault->for_nodes || type_size(level->format->crd) > sizeof(int32_t))
        return coordinates_make(level, CRD, amount->nodes, fault);
    level->length[CRD] = amount->nodes;
    level->array[CRD] = *fault->for_nodes;
    *fault->for_nodes = NULL;
    return true;
}

static bool compressed_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                                  int64_t *position, struct level_fault *fault)
{
    (void)level;
    (void)fault;
    const int64_t n = nodes->n, first = nodes->first;
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        position[i] = first + i;
    return true;
}

static bool compressed_pack_edges(struct level_storage *level, int64_t after, int64_t until,
                                  int64_t at, struct level_fault *fault)
{
    (void)fault;
    for (int64_t p = after + 1; p <= until; p++)
        index_store(level->format->pos, level->array[POS], p, at);
    return true;
}

/* First finds the nodes whose parent differs from the node's before, many at a time.  If rows have
 * random lengths, a processor would mispredict a branch on each. */
static bool compressed_pack_nodes(struct level_storage *level, const struct level_nodes *nodes,
                                  const int64_t *position, struct level_fault *fault)
{
    enum { SOME = 256 };
    const int64_t *const parent = nodes->parent;
    int64_t node[SOME];
    for (int64_t begin = 1, end; begin < nodes->n; begin = end) {
        int found = 0;
        end = nodes->n - begin < SOME ? nodes->n : begin + SOME;
#pragma GCC unroll 4
        for (int64_t i = begin; i < end; i++) {
            node[found] = i;
            found += parent[i] != parent[i - 1];
        }
        for (int k = 0; k < found; k++)
            compressed_pack_edges(level, parent[node[k] - 1], parent[node[k]], position[node[k]],
                                  fault);
    }
    return coordinates_pack(level, CRD, nodes, position, fault);
}

static int64_t compressed_room(const struct level_storage *level, const struct level_amount *amount)
{
    return amount->nodes <= index_max(level->format->pos) ? amount->nodes : -1;
}

/* ---- code ---- */

static const struct imp *compressed_access(const struct level_code *code,
                                           const struct imp *position)
{
    return coordinates_access(code, CRD, position);
}

static const struct imp *compressed_locate(const struct level_code *code,
                                           const struct imp *coordinate, const struct imp **found)
{
    const struct imp *begin, *end;
    segments_bounds(code, &begin, &end);
    return level_search(code, code->array[CRD], begin, end, coordinate, found);
}

static const struct imp *compressed_seek(const struct level_code *code, const struct imp *from,
                                         const struct imp *end, const struct imp *least)
{
    return level_seek(code, code->array[CRD], from, end, least);
}

/* ---- code: append ---- */

static const struct imp *pos_int(const struct level_code *code, int64_t n)
{
    return imp_int(code->b->cx, code->format->pos, n);
}

static void compressed_append_begin(const struct level_code *code)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_store(cx, code->array[POS], imp_i64(cx, 0), OP_NONE, pos_int(code, 0)));
}

static void compressed_append_coordinate(const struct level_code *code, const struct imp *position,
                                         const struct imp *coordinate)
{
    coordinates_append(code, CRD, position, coordinate);
}

/* A segment begins where the one before ends. */
static void compressed_append_edges(const struct level_code *code, const struct imp *parent,
                                    const struct imp *end)
{
    struct context *cx = code->b->cx;
    (void)parent;
    imp_add(code->b, imp_store(cx, code->array[POS], code->parent_next, OP_NONE,
                               imp_cast(cx, code->format->pos, end)));
}

static void compressed_append_none(const struct level_code *code, const struct imp *begin,
                                   const struct imp *end, const struct imp *at)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_fill(cx, code->array[POS], imp_next(cx, begin), imp_next(cx, end),
                              imp_cast(cx, code->format->pos, at)));
}

/* ---- code: scan ----
 *
 *     counts     next  2 1 0 2
 *     scan       next  0 2 3 3          pos  0 2 3 3 5
 */

static const struct imp *compressed_scan(const struct level_code *code, const struct imp *parents,
                                         const struct imp_var *next, bool fits)
{
    struct context *cx = code->b->cx;
    struct imp_var *parent = level_local(code, TYPE_I64, "parent"),
                   *total = level_local(code, TYPE_I64, "count"),
                   *count = level_local(code, TYPE_I64, "children");
    const struct imp *at = imp_read(cx, parent), *sum = imp_let(code->b, total, imp_i64(cx, 0));
    bool wraps = !fits && index_max(code->format->crd) >= index_max(next->type)
                 && index_max(code->coordinates) > index_max(next->type);
    total->counts = true;
    compressed_append_begin(code);
    imp_begin(code->b);
    const struct imp *children = imp_let(code->b, count, coordinates_count(code, next, at, wraps));
    imp_add(code->b, imp_store(cx, next, at, OP_NONE, imp_cast(cx, next->type, sum)));
    imp_add(code->b, imp_assign(cx, total, OP_ADD, children));
    imp_add(code->b, imp_store(cx, code->array[POS], imp_next(cx, at), OP_NONE,
                               imp_cast(cx, code->format->pos, sum)));
    imp_add(code->b, imp_for(cx, parent, imp_i64(cx, 0), parents, 1, imp_end(code->b)));
    if (!fits)
        coordinates_check_fits(code, sum);
    return sum;
}

/* ---- code: join ---- */

/* The ends of segments move with their positions. */
static void compressed_join(const struct level_code *code, const struct level_code *chunk,
                            const struct level_joint *joint)
{
    struct context *cx = code->b->cx;
    struct imp_var *parent = level_local(code, TYPE_I64, "parent");
    const struct imp *next = imp_next(cx, imp_read(cx, parent));
    const struct imp *moved = imp_op2(cx, OP_SUB, joint->position_at, joint->position_from);
    const struct imp *end =
        imp_op2(cx, OP_ADD, imp_cast(cx, code->format->pos, moved),
                imp_load(cx, chunk->array[POS], imp_op2(cx, OP_ADD, joint->parent_from, next)));
    const struct imp *store =
        imp_store(cx, code->array[POS], imp_op2(cx, OP_ADD, joint->parent_at, next), OP_NONE,
                  imp_cast(cx, code->format->pos, end));
    if (!code->has_ends)
        imp_add(code->b, imp_for(cx, parent, imp_i64(cx, 0), joint->parents, 1, store));
    coordinates_join(code, chunk, joint);
}

const struct level_type level_compressed = {
    .name = "compressed",
    .letter = 's',
    .brief = "the stored coordinates, a segment for each parent",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .may_split = true,
    .variant_letter = 'u',
    .variant_drops = LEVEL_UNIQUE,
    .array = {{"pos", LEVEL_POSITIONS, "where each segment begins and ends"},
              {"crd", LEVEL_COORDINATES, "coordinates"}},
    .check = compressed_check,
    .children = segments_children,
    .coordinate = compressed_coordinate,
    .pack_begin = compressed_pack_begin,
    .pack_place = compressed_pack_place,
    .pack_nodes = compressed_pack_nodes,
    .pack_edges = compressed_pack_edges,
    .room = compressed_room,
    .bounds = segments_bounds,
    .access = compressed_access,
    .locate = compressed_locate,
    .seek = compressed_seek,
    .append_begin = compressed_append_begin,
    .append_coordinate = compressed_append_coordinate,
    .append_edges = compressed_append_edges,
    .append_none = compressed_append_none,
    .scan = compressed_scan,
    .join = compressed_join,
};
