/* level_code.h - what a level type's code functions get: one level of one tensor in the kernel
 * being lowered.
 *
 * They append statements to the builder and return expressions; see compiler/level.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVEL_CODE_H
#define SPCC_LEVEL_CODE_H

#include "compiler/format/format.h"
#include "compiler/prelude/prelude.h"

/* A level in a hash table of a team of a GPU's threads (level_type.in_table). */
struct level_table {
    struct level_format format;
    const struct imp *begin, *width; /* of the table, i64 */
    const struct imp *list;          /* where the list of its coordinates begins, i64 */
};

struct level_code {
    struct imp_builder *b;
    const struct level_format *format;
    const struct imp_var *array[LEVEL_ARRAYS]; /* in the order of level_type.array */
    /* the content of its array of kind LEVEL_SCALAR, or NULL */
    const struct imp_var *scalar;
    const struct level_table *table; /* NULL: the level is in no table */
    /* coordinates are in [low, low + dimension); low is NULL for 0 */
    const struct imp *low, *dimension;
    /* of segments below one parent: how many positions there are, if that is known without a look
     * at them; or NULL */
    const struct imp *positions;
    bool single; /* there is one parent position */
    /* the parents' positions [parent, parent_next): one; or, below a level that is not unique, a
     * run of duplicates */
    const struct imp *parent, *parent_next;
    /* for insert: what locate gave for the coordinate, or NULL */
    const struct imp *located;
    /* for join: the ends of segments are stored already */
    bool has_ends;
    enum type coordinates; /* the type to compute coordinates in */
    /* what to call a variable that holds a position: pA2 */
    const char *position_name;
};

/* The type of variables for positions that are read from an array: i32 if that is the array's, else
 * i64. */
enum type level_position_type(enum type array);

/* Returns a variable of this level's code: pA2, or with a suffix (NULL: none) pA2_end. */
struct imp_var *level_local(const struct level_code *code, enum type type, const char *suffix);

/* Binary search: the position of a coordinate among crd[begin, end), which is ordered and unique;
 * *found: is it there? */
const struct imp *level_search(const struct level_code *code, const struct imp_var *crd,
                               const struct imp *begin, const struct imp *end,
                               const struct imp *coordinate, const struct imp **found);

/* Galloping search: the first position in crd[from, end), which ascends, with a coordinate of
 * `least` or more.  It takes O(log) of the distance. */
const struct imp *level_seek(const struct level_code *code, const struct imp_var *crd,
                             const struct imp *from, const struct imp *end,
                             const struct imp *least);

/* Linear probing in the hash table crd[begin, begin + width), which has at least one empty
 * position: the position of the coordinate, or the empty position where it belongs (index_slot). */
const struct imp *level_probe(const struct level_code *code, const struct imp_var *crd,
                              const struct imp *begin, const struct imp *width,
                              const struct imp *coordinate);

#endif
