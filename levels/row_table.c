/* row_table.c - a bytemap for a team of a GPU's threads: the list of the stored coordinates, and a
 * hash table of them.
 *
 * No format of a user's has this level; only a kernel's own memory holds it.  If each team makes a
 * bytemap (lower/workspace/workspace_row.c), it gets this level instead, since a team has no room
 * for every coordinate.  Coordinates are stored as distances from the least.  With a table of 8
 * places:
 *
 *     count   3
 *     key   |  9  -1  -1   2  -1  -1   4  -1 |   coordinates, -1 in empty places
 *     list  |  3   2   4   9 |                   their number, then the coordinates, ascending
 *
 * A search begins at the coordinate's own place, as in a hashed level.  Threads insert together:
 * one atomic step puts a coordinate into an empty place, or finds it there.  (Nagasaka, Nukada and
 * Matsuoka, High-performance and memory-saving sparse general matrix-matrix multiplication, 2017.)
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"
#include "levels/levels.h"

enum { COUNT, KEY, LIST };

static void row_bounds(const struct level_code *code, const struct imp **begin,
                       const struct imp **end)
{
    struct context *cx = code->b->cx;
    *begin = code->table->list;
    *end = imp_op2(cx, OP_ADD, *begin, imp_cast(cx, TYPE_I64, imp_read(cx, code->scalar)));
}

static const struct imp *row_access(const struct level_code *code, const struct imp *position)
{
    return coordinates_from_distance(code, coordinates_access(code, LIST, position));
}

static const struct imp *row_locate(const struct level_code *code, const struct imp *coordinate,
                                    const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *at = level_probe(code, code->array[KEY], code->table->begin,
                                       code->table->width, coordinates_distance(code, coordinate));
    *found = imp_op2(cx, OP_NE, coordinates_access(code, KEY, at), coordinates_mark(code));
    return at;
}

/* Tries one place after the other until one has the coordinate or was empty. */
static const struct imp *row_insert(const struct level_code *code, const struct imp *coordinate,
                                    const struct imp *turn)
{
    struct context *cx = code->b->cx;
    const struct imp_var *key = code->array[KEY];
    const enum type i64 = TYPE_I64;
    struct imp_var *at = level_local(code, TYPE_I64, NULL),
                   *was = level_local(code, key->type, "was");
    const struct imp *begin = code->table->begin, *width = code->table->width,
                     *distance = imp_cast(cx, key->type, coordinates_distance(code, coordinate)),
                     *arg[] = {imp_cast(cx, TYPE_I64, distance), width}, *none,
                     *first = prelude_call(code->b, "probe_first", &i64, 1, arg, 2), *place, *other;
    (void)turn;
    none = coordinates_mark(code);
    place = imp_let(code->b, at, imp_op2(cx, OP_ADD, begin, first));
    imp_let(code->b, was, imp_swap(cx, key, place, none, distance));
    other = imp_op2(cx, OP_AND, imp_op2(cx, OP_NE, imp_read(cx, was), none),
                    imp_op2(cx, OP_NE, imp_read(cx, was), distance));
    const struct imp *next[] = {imp_op2(cx, OP_SUB, place, begin), width};
    imp_begin(code->b);
    imp_add(code->b, imp_assign(cx, at, OP_NONE,
                                imp_op2(cx, OP_ADD, begin,
                                        prelude_call(code->b, "probe_next", &i64, 1, next, 2))));
    imp_add(code->b, imp_assign(cx, was, OP_NONE, imp_swap(cx, key, place, none, distance)));
    imp_add(code->b, imp_while(cx, other, imp_end(code->b)));
    return place;
}

static void row_clear(const struct level_code *code, const struct imp *begin, const struct imp *end)
{
    imp_add(code->b, imp_fill(code->b->cx, code->array[KEY], begin, end, coordinates_mark(code)));
}

const struct level_type level_row_table = {
    .name = "row_table",
    .brief = "a list of coordinates, and a hash table of their places, of a GPU's threads",
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .array = {{"count", LEVEL_SCALAR, "how many coordinates are listed"},
              {"key", LEVEL_FLAGS, "coordinates, -1 in empty places"},
              {"crd", LEVEL_COORDINATES, "stored coordinates"}},
    .bounds = row_bounds,
    .access = row_access,
    .lists = true,
    .locate = row_locate,
    .locates_fast = true,
    .insert = row_insert,
    .clear = row_clear,
};
