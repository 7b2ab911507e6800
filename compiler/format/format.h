/* format.h - how a tensor is stored: one level format for each level of its coordinate hierarchy.
 *
 * A format maps the tensor's modes to levels (thesis, chapter 2).  In a plain format every level
 * stores one mode; in general a level stores a function of the coordinates: i/4, i%4, j-i.
 *
 *     csr          modes (i,j)    level 1: i : dense      level 2: j : compressed
 *     ss:1,0       modes (i,j)    level 1: j : compressed level 2: i : compressed
 *     (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *
 * Formats are immutable and live in the context's arena.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_FORMAT_H
#define SPCC_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/diag.h"
#include "compiler/level.h"
#include "compiler/value/type.h"

struct context;
struct text;

enum { ORDER_MAX = 32, LEVELS_MAX = 2 * ORDER_MAX };

/* What a level stores, as an expression over the tensor's modes. */
enum map_kind { MAP_MODE, MAP_CONSTANT, MAP_ADD, MAP_SUB, MAP_DIV, MAP_MOD };

struct map_expr {
    enum map_kind kind;
    int mode;                     /* MAP_MODE: 0-based */
    int64_t constant;             /* MAP_CONSTANT */
    const struct map_expr *a, *b; /* the others */
};

struct level_format {
    const struct level_type *type;
    unsigned properties; /* LEVEL_FULL ...: the type's, as configured */
    enum type pos, crd;  /* what its positions and coordinates are stored as */
    const struct map_expr *map;
    int mode; /* the mode it stores if map is MAP_MODE, else -1 */
    /* no parent has more children; a parent that would have more is there several times, each with
     * the next of them.  0: there is no bound */
    int64_t most;
};

struct format {
    int order; /* modes */
    int levels;
    const struct level_format *level;
    const char *spelling; /* as the user wrote it */
};

/* The integer types of positions and coordinates where a format does not say: i32 or i64. */
struct format_defaults {
    enum type pos, crd;
};

/* Returns the order of the tensors that have a format, if it is one order; else, or if it is no
 * format, -1. */
int format_find_order(struct context *cx, const char *spelling, struct format_defaults defaults);

/* Parses any of the three spellings for a tensor of this order; diagnostics point into spelling
 * (span.source is made here, named "format of NAME"). NULL after a diagnostic. */
const struct format *format_parse(struct context *cx, const char *tensor, const char *spelling,
                                  int order, struct format_defaults defaults);

/* Every level dense, modes in order. */
const struct format *format_dense(struct context *cx, int order, struct format_defaults defaults);

/* ---- made.c: formats for what tensors are used as, by what their levels can do ----
 * The modes are in order. */

/* Returns a list of coordinates, sorted; of order 0, a scalar. */
const struct format *format_list(struct context *cx, int order, struct format_defaults defaults);
/* Returns the same below every coordinate of the first mode, of two modes or more. */
const struct format *format_rows(struct context *cx, int order, struct format_defaults defaults);
/* Of a vector: a place for every coordinate, and a list of those that are stored; properties:
 * LEVEL_ORDERED, or 0.  Dense if no level type is such. */
const struct format *format_listed(struct context *cx, unsigned properties,
                                   struct format_defaults defaults);
/* Of levels that store these functions of this many modes: a place for each of their values, and of
 * the first a list of those below which something is stored; properties: of that list. */
const struct format *format_blocks(struct context *cx, int order, const struct map_expr *const *map,
                                   int levels, unsigned properties,
                                   struct format_defaults defaults);
/* Of a vector: a table that grows with what is stored. */
const struct format *format_table(struct context *cx, struct format_defaults defaults);

/* Returns the same format with positions and coordinates of other types. */
const struct format *format_with(struct context *cx, const struct format *format,
                                 struct format_defaults defaults);

/* Does every level store one mode, each mode once? */
bool format_is_plain(const struct format *format);

/* Are they the same, level by level? */
bool format_equal(const struct format *a, const struct format *b);

/* Returns how many of the first levels of both are stored alike, whatever they store. */
int format_common(const struct format *a, const struct format *b);

/* All levels dense?  (They may store functions of the coordinates, and the modes may be in any
 * order.) */
bool format_is_dense(const struct format *format);

/* Has any of the first levels an array? */
bool format_has_arrays(const struct format *format, int levels);

/* All levels full? */
bool format_is_full(const struct format *format);

/* Does every value have a coordinate that is stored?  Where the last levels are full, as of blocks
 * and diagonals, some values only pad them. */
bool format_tells_padding(const struct format *format);

/* Returns how many levels there are down to the last that is appended to or inserted into when a
 * tensor is assembled; 0: it is its values alone. */
int format_assembled(const struct format *format);

/* Returns the level whose children can be counted below full levels that are located: the last one,
 * or one in rounds above that.  -1: there is none.  Each combination of coordinates of the levels
 * before the last is a slot; components are counted by slots. */
int format_counted(const struct format *format);

/* Returns how many of the first levels come in Morton order together; 0: none does. */
int format_morton(const struct format *format);

/* Returns the first level, of a list of coordinates, whose positions come several times where they
 * would have too many children in the level, which has a bound on them. */
int format_split_from(const struct format *format, int level);

/* Is a level of it inserted into when a tensor is assembled? */
bool format_is_inserted(const struct format *format);

/* In a spelling that parses back to an equal format under the same defaults: the letters where they
 * say it all ("ds", "ss:1,0"), else in full. */
void format_print(struct text *out, const struct format *format, struct format_defaults defaults);

/* What a level stores: "i/4". */
void format_print_map(struct text *out, const struct format *format, int level);

/* The element type of one of a level's arrays, and how many elements it has below that many
 * parents; of LEVEL_NO_ARRAY bool and 0. */
enum type level_array_type(const struct level_format *level, int array);
int64_t level_array_length(const struct level_format *level, int array, int64_t parents,
                           int64_t positions);

/* Has it any array; one of the format's pos type (positions, or a scalar), of its crd type? */
bool level_type_has_arrays(const struct level_type *type);
bool level_type_has_pos(const struct level_type *type);
bool level_type_has_crd(const struct level_type *type);

static inline bool level_has(const struct level_format *level, unsigned properties)
{
    return (level->properties & properties) == properties;
}

/* Is the level in a list of coordinates with the one below it, which there has to be? */
static inline bool level_lists(const struct level_format *level)
{
    return !level_has(level, LEVEL_UNIQUE) && level_has(level + 1, LEVEL_BRANCHLESS);
}

#endif
