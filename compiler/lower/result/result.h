/* result.h - how results are stored and assembled; private to the lowering.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_RESULT_RESULT_H
#define SPCC_LOWER_RESULT_RESULT_H

#include "compiler/lower/result/assembly.h"
#include "compiler/lower/workspace/workspace.h"

static inline const struct format *result_format(const struct result *r)
{
    return r->access->tensor->format;
}

/* Returns the variable that a level stores. */
static inline const struct index_var *result_var(const struct result *r, int level)
{
    return access_level_var(r->access, level);
}

static inline struct level_code result_level(struct kernel *k, const struct result *r, int level,
                                             const struct imp *parent)
{
    return kernel_level(k, r->access, level, parent, NULL);
}

/* Returns the level's array of this kind, or NULL. */
static inline const struct imp_var *result_array(struct kernel *k, const struct result *r,
                                                 int level, enum level_array_kind kind)
{
    const struct imp_var **array = code_array(kernel_code(k, r->access->tensor), level, kind);
    return array ? *array : NULL;
}

/* Returns how many positions the levels [first, end), none of which is appended to, have below one
 * parent. */
static inline const struct imp *result_block_size(struct kernel *k, const struct result *r,
                                                  int first, int end)
{
    return kernel_positions(k, r->access, first, end, imp_i64(k->cx, 1));
}

/* ---- result.c ---- */

/* Declares, before anything else, what assembling the result takes.  by_parts says how parts of a
 * parallel loop assemble it; NULL if they do not. */
void result_declare(struct kernel *k, const struct tree *tree, const struct assembly_way *by_parts);
void result_open(struct kernel *k);

/* Keep a component in a register, or fill a row, around a loop that reduces into the result.
 * result_begin_reduction returns true if something has to be stored behind the loop. */
bool result_begin_reduction(struct kernel *k, struct result *r, struct scope *scope);
void result_end_reduction(struct kernel *k, const struct result *r, const struct scope *scope,
                          const struct imp_var *reg);

/* Makes the results that are copies of the workspace, which is complete. */
void result_take(struct kernel *k, struct workspace *ws);

void result_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);
/* Notes now, instead of inside, that the code that follows stores components, if `some` holds. */
void result_store_ahead(struct kernel *k, const struct result *r, struct scope *scope,
                        const struct imp *some);

/* Adds code that fails if coordinates of the result may be too large for their types. */
void result_check_coordinates(struct kernel *k, const struct result *r);

/* Returns the position of the scope's component below `position` through the levels [first, end),
 * which are located. */
const struct imp *result_locate(struct kernel *k, const struct result *r, const struct scope *scope,
                                int first, int end, const struct imp *position);
/* Of a result with a given pattern.  result_given returns the access that has the pattern: the
 * result's own, an operand's or a copy's.  result_is_given: does the pattern have the component
 * (NULL: certainly)? A copy that is filled has the pattern's fill if it has none.
 * result_store_given stores the value at its position, if it has one; a copy stores positions as
 * its values. */
const struct cin *result_given(const struct result *r);
const struct imp *result_is_given(struct kernel *k, const struct result *r,
                                  const struct scope *scope);
void result_store_given(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value);
/* Stores the value at a position. */
void result_store_value(struct kernel *k, const struct result *r, const struct imp *position,
                        enum op op, const struct imp *value);
/* Return the statement that fills the values at positions [begin, end), and the one that fills
 * those below a position of the level above this one. */
const struct imp *result_fill(struct kernel *k, const struct result *r, const struct imp *begin,
                              const struct imp *end);
const struct imp *result_fill_below(struct kernel *k, const struct result *r, int level,
                                    const struct imp *position);

/* ---- assembly_capacity.c ---- */

/* Can the loops that make the result be run ahead to count how many positions its last group needs
 * at most (loop/forall_count.c)? capacity_source returns the workspace that is copied, into which
 * these loops put components. */
bool capacity_is_counted(const struct kernel *k, const struct result *r);
const struct tensor_var *capacity_source(const struct result *r);
/* Adapts the room, which has just been doubled with `now` positions in use, to what counting leads
 * to expect, if the loops can be run ahead. */
void capacity_expect(struct kernel *k, const struct result *r, const struct scope *scope,
                     const struct append_group *g, const struct imp *now);

/* ---- assembly_append.c ---- */

/* A region of the forall over var: what goes before its body and behind it. */
struct result_region {
    /* the level that stores the variable, and the last one that stores a variable that follows from
     * it; -1 if there is none */
    int level, last;
    struct append_group *group; /* the group that ends with the level, or NULL */
    const struct imp_var *produced;
    const struct imp *begin;
};
struct result_region result_enter(struct kernel *k, struct result *r, struct scope *scope,
                                  const struct index_var *var, const struct tree_node *body,
                                  bool has_room);
/* Makes room, before the regions that append, for one component, or n, of the forall over var that
 * is lowered in this scope.  Returns false if there is nothing to do. */
bool result_make_room(struct kernel *k, struct result *r, const struct scope *scope,
                      const struct index_var *var, const struct imp *n);
void result_leave(struct kernel *k, const struct result *r, const struct scope *scope,
                  const struct result_region *region);

/* Returns the position in a level that is not appended to below scope->result_position: the place
 * where the coordinate is, or is inserted. */
const struct imp *result_place(struct kernel *k, struct result *r, const struct scope *scope,
                               int level);
/* Fills the block of values that the levels below a position of the group have, none of which is
 * appended to. */
void append_fill_block(struct kernel *k, const struct result *r, const struct scope *scope,
                       const struct append_group *g);
/* Return the most children that a parent of the level may have, and the capacity of a group, as far
 * as operands tell it. */
const struct imp *append_most_children(struct kernel *k, const struct result *r, int level);
const struct imp *append_capacity(struct kernel *k, const struct result *r, struct append_group *g);
/* Makes the arrays and opens the groups: of the whole result, or of a chunk of a result whose
 * coordinates are checked as a whole.  append_close stores the ends of all segments. */
void append_open(struct kernel *k, struct result *r);
void append_open_chunk(struct kernel *k, struct result *r);
/* Makes room for one more position of the group, or n more, and for the levels below.  Does nothing
 * if the group has all that operands have, which positions may not be able to count. */
void append_grow(struct kernel *k, const struct result *r, const struct scope *scope,
                 struct append_group *g, const struct imp *n);
void append_close(struct kernel *k, struct result *r);
/* Names the variables that the group counts with, in this type.  The caller declares them. */
void append_name_group(struct kernel *k, const struct result *r, struct append_group *g,
                       enum type type);
/* Makes the arrays of a result with as much room in each group as its capacity, and clears the
 * first levels, down to the first one that is appended to. */
void append_allocate(struct kernel *k, struct result *r);
/* Stores the numbers of the levels, such as the width of a table, behind the loops. */
void append_store_scalars(struct kernel *k, const struct result *r);
/* Returns the most positions that ends of segments can tell. */
int64_t append_most(const struct result *r, const struct append_group *g);
bool append_is_last(const struct result *r, const struct append_group *g);
/* Does the counter go on beyond what positions can count, and is checked once at the end?  It does
 * where operands tell how much room is needed, and in plain kernels.  It does not if positions
 * certainly suffice, or if other code reads what is stored so far: parts of a parallel loop, and
 * other statements. */
bool append_is_wide(struct kernel *k, const struct result *r, const struct append_group *g);
/* Stores a component of a result whose levels have been entered. */
void append_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);

/* Gives no children to the group's parents before `end` that were skipped. */
void append_skip(struct kernel *k, const struct result *r, struct append_group *g,
                 const struct imp *end);

/* ---- assembly_copy.c ---- */

/* Returns the most children that a parent of the level has in the list that is copied. */
const struct imp *copy_most(struct kernel *k, const struct result *r, int level);
/* Inserts all coordinates of the first level of a copy, each once. */
void copy_insert_first(struct kernel *k, const struct result *r);

/* Does the list's entry differ from the entry before it in one of the levels [0, end)?  The first
 * entry does. */
const struct imp *copy_differs(struct kernel *k, const struct workspace *list,
                               const struct imp *entry, int end);

#endif
