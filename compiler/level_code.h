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

/* Where a team of a GPU's threads has a level: in a hash table of its own (level_type.in_table). */
struct level_table {
    struct level_format format;
    const struct imp *begin, *width; /* of the table: i64 */
    const struct imp *list;          /* where the list of coordinates begins: i64 */
};

struct level_code {
    struct imp_builder *b;
    const struct level_format *format;
    const struct imp_var *array[LEVEL_ARRAYS]; /* as in level_type.array */
    /* what its array of kind LEVEL_SCALAR holds, or NULL */
    const struct imp_var *scalar;
    const struct level_table *table; /* of a level in a table; or NULL */
    /* coordinates are in [low, low + dimension); low is NULL for 0 */
    const struct imp *low, *dimension;
    bool single; /* the parent is one position */
    /* the parents' positions [parent, parent_next): one, or, below a level that is not unique,
     * a run of duplicates */
    const struct imp *parent, *parent_next;
    /* for insert: what locate has just given for the coordinate, or NULL */
    const struct imp *located;
    /* for join: where the segments end is known already */
    bool has_ends;
    enum type coordinates; /* what coordinates are computed in */
    /* what to call a variable that holds a position: pA2 */
    const char *position_name;
};

/* The type of variables that hold positions read from this array: i32 if the array is, else i64. */
enum type level_position_type(enum type array);

/* A variable of this level's code, named after its positions and, unless it is NULL, a suffix:
 * pA2, pA2_end. */
struct imp_var *level_local(const struct level_code *code, enum type type, const char *suffix);

/* The position of a coordinate among the ordered, unique coordinates crd[begin, end), by binary
 * search; *found says whether it is there. */
const struct imp *level_search(const struct level_code *code, const struct imp_var *crd,
                               const struct imp *begin, const struct imp *end,
                               const struct imp *coordinate, const struct imp **found);

/* The first position in crd[from, end), which ascends, of what is not below the least, in as many
 * steps as it takes to come there by doubling them. */
const struct imp *level_seek(const struct level_code *code, const struct imp_var *crd,
                             const struct imp *from, const struct imp *end,
                             const struct imp *least);

/* The position of a coordinate in the hash table crd[begin, begin + width) with linear probing, or
 * the empty position, of which there is at least one, where it would go.  (index_slot) */
const struct imp *level_probe(const struct level_code *code, const struct imp_var *crd,
                              const struct imp *begin, const struct imp *width,
                              const struct imp *coordinate);

#endif
