/* ragged.c - the ragged level type: every coordinate, as often as the most frequent one occurs.
 *
 * Sliced ELL has such a level for the rows of a slice (Monakov, Lokhmotov, Avetisyan, HiPEAC 2010;
 * Kreutzer and others, SIAM J. Sci.  Comput.  36(5), 2014).  The positions below a parent form
 * rounds, and each round has every coordinate once.  The number of rounds is the largest number of
 * children that a coordinate has.  An example of dimension 4 has two rounds, none, and one below
 * three parents:
 *
 *     parent       0                               1   2
 *     pos        | 0                             | 8 | 8             | 12
 *     coordinate   0   1   2   3   0   1   2   3       0   1   2   3         = position % dimension
 *     position     0   1   2   3   4   5   6   7       8   9  10  11
 *
 *     compact                                 position iterate; no coordinate is stored; scan
 *     arrays: pos, parents + 1 positions
 *
 * The padded singleton below has one coordinate or none for each position.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { POS };

/* ---- storage functions ---- */

static bool ragged_check(const struct level_storage *level, int64_t parents, int64_t *positions,
                         struct level_fault *fault)
{
    const int64_t dimension = level->dimension;
    if (!segments_check(level, parents, fault))
        return false;
    for (int64_t p = 1; p <= parents; p++)
        if (dimension > 0 ? segments_load(level, p) % dimension != 0 : segments_load(level, p) > 0)
            return level_refuse(fault, "pos", p, "no multiple of the size");
    *positions = segments_load(level, parents);
    return true;
}

static bool ragged_coordinate(const struct level_storage *level, int64_t parent, int64_t position,
                              const int64_t *above, int64_t *coordinate)
{
    (void)parent;
    (void)above;
    *coordinate = level->low + position % level->dimension;
    return true;
}

static bool has_positions(const struct level_storage *level, int64_t rounds, int64_t *positions)
{
    return !__builtin_mul_overflow(rounds, level->dimension, positions)
           && *positions <= index_max(level->format->pos);
}

static bool ragged_pack_begin(struct level_storage *level, const struct level_amount *amount,
                              int64_t *positions, struct level_fault *fault)
{
    int64_t rounds = 0;
    level->length[POS] = amount->parents + 1;
    level->array[POS] = level_alloc(fault, level->format->pos, level->length[POS]);
    if (!level->array[POS])
        return level_no_memory(fault);
    index_store(level->format->pos, level->array[POS], 0, 0);
    *positions = 0;
    for (int64_t p = 0; p < amount->parents; p++) {
        rounds += amount->rounds_of[p];
        if (!has_positions(level, rounds, positions))
            return level_refuse(fault, "pos", -1, "has more positions than its pos type can count");
        index_store(level->format->pos, level->array[POS], p + 1, *positions);
    }
    return true;
}

/* A node goes to the first round, or to the round after the one of the same coordinate's last node.
 */
static bool ragged_pack_place(struct level_storage *level, const struct level_nodes *nodes,
                              int64_t *position, struct level_fault *fault)
{
    const int64_t dimension = level->dimension;
    (void)fault;
    for (int64_t i = 0; i < nodes->n; i++) {
        const int64_t distance = nodes->coordinate[i] - level->low;
        bool more = i > 0 ? nodes->parent[i] == nodes->parent[i - 1] : nodes->more;
        int64_t before = i > 0 ? position[i - 1] : nodes->before;
        position[i] = more && before % dimension == distance
                          ? before + dimension
                          : segments_load(level, nodes->parent[i]) + distance;
    }
    return true;
}

static int64_t ragged_room(const struct level_storage *level, const struct level_amount *amount)
{
    int64_t positions;
    return has_positions(level, amount->rounds, &positions) ? positions : -1;
}

/* ---- code ---- */

static const struct imp *ragged_access(const struct level_code *code, const struct imp *position)
{
    struct context *cx = code->b->cx;
    const struct imp *distance = imp_op2(cx, OP_MOD, imp_cast(cx, TYPE_I64, position),
                                         imp_cast(cx, TYPE_I64, code->dimension));
    return coordinates_from_distance(code, distance);
}

/* Finds the largest of the counts [begin, begin + dimension), and replaces them by the positions of
 * the first round, from `at` on. */
static const struct imp *scan_slots(const struct level_code *code, const struct imp_var *next,
                                    const struct imp *begin, const struct imp *at)
{
    struct context *cx = code->b->cx;
    struct imp_var *slot = level_local(code, TYPE_I64, "slot"),
                   *rounds = level_local(code, TYPE_I64, "rounds");
    const struct imp *dimension = imp_cast(cx, TYPE_I64, code->dimension),
                     *most = imp_let(code->b, rounds, imp_i64(cx, 0)),
                     *here = imp_op2(cx, OP_ADD, begin, imp_read(cx, slot)),
                     *position = imp_op2(cx, OP_ADD, at, imp_read(cx, slot));
    imp_begin(code->b);
    imp_add(code->b,
            imp_assign(cx, rounds, OP_NONE,
                       imp_op2(cx, OP_MAX, most, coordinates_count(code, next, here, true))));
    imp_add(code->b, imp_store(cx, next, here, OP_NONE, imp_cast(cx, next->type, position)));
    imp_add(code->b, imp_for(cx, slot, imp_i64(cx, 0), dimension, 1, imp_end(code->b)));
    return most;
}

static const struct imp *ragged_scan(const struct level_code *code, const struct imp *parents,
                                     const struct imp_var *next, bool fits)
{
    struct context *cx = code->b->cx;
    enum type pos = code->format->pos;
    struct imp_var *parent = level_local(code, TYPE_I64, "parent"),
                   *total = level_local(code, TYPE_I64, "count");
    const struct imp *dimension = imp_cast(cx, TYPE_I64, code->dimension),
                     *at = imp_read(cx, parent), *sum = imp_let(code->b, total, imp_i64(cx, 0));
    imp_add(code->b, imp_store(cx, code->array[POS], imp_i64(cx, 0), OP_NONE, imp_int(cx, pos, 0)));
    imp_begin(code->b);
    const struct imp *most = scan_slots(code, next, imp_op2(cx, OP_MUL, at, dimension), sum);
    imp_add(code->b, imp_assign(cx, total, OP_ADD, imp_op2(cx, OP_MUL, most, dimension)));
    imp_add(code->b,
            imp_store(cx, code->array[POS], imp_next(cx, at), OP_NONE, imp_cast(cx, pos, sum)));
    imp_add(code->b, imp_for(cx, parent, imp_i64(cx, 0), parents, 1, imp_end(code->b)));
    if (!fits)
        coordinates_check_fits(code, sum);
    return sum;
}

const struct level_type level_ragged = {
    .name = "ragged",
    .brief = "every coordinate, as often as one of them comes",
    .properties = LEVEL_COMPACT,
    .in_rounds = true,
    .array = {{"pos", LEVEL_POSITIONS, "where the positions below each parent begin and end"}},
    .check = ragged_check,
    .children = segments_children,
    .coordinate = ragged_coordinate,
    .pack_begin = ragged_pack_begin,
    .pack_place = ragged_pack_place,
    .packed_together = true,
    .counts_rounds = true,
    .room = ragged_room,
    .bounds = segments_bounds,
    .access = ragged_access,
    .scan = ragged_scan,
};
