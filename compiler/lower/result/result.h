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

/* The variable that a level stores. */
static inline const struct index_var *result_var(const struct result *r, int level)
{
    return access_level_var(r->access, level);
}

static inline struct level_code result_level(struct kernel *k, const struct result *r, int level,
                                             const struct imp *parent)
{
    return kernel_level(k, r->access, level, parent, NULL);
}

/* The array of a level that is of this kind, or NULL. */
static inline const struct imp_var *result_array(struct kernel *k, const struct result *r,
                                                 int level, enum level_array_kind kind)
{
    const struct imp_var **array = code_array(kernel_code(k, r->access->tensor), level, kind);
    return array ? *array : NULL;
}

/* How many positions the levels [first, end), which are not appended to, have below one parent. */
static inline const struct imp *result_block_size(struct kernel *k, const struct result *r,
                                                  int first, int end)
{
    return kernel_positions(k, r->access, first, end, imp_int(k->cx, TYPE_I64, 1));
}

/* ---- result.c ---- */

/* Before all else: what is kept of it while it is assembled; by parts of a parallel loop, in this
 * way, or (NULL) without. */
void result_declare(struct kernel *k, const struct tree *tree, const struct assembly_way *by_parts);
void result_open(struct kernel *k);

/* Keep a component in a register, or fill a row, around a loop that reduces into it: true if there
 * is something to be stored behind it. */
bool result_begin_reduction(struct kernel *k, struct result *r, struct scope *scope);
void result_end_reduction(struct kernel *k, const struct result *r, const struct scope *scope,
                          const struct imp_var *reg);

/* A workspace is complete: results may be its copies. */
void result_take(struct kernel *k, struct workspace *ws);

void result_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);
/* If so, components are stored by what follows: that is noted now, and not inside. */
void result_store_ahead(struct kernel *k, const struct result *r, struct scope *scope,
                        const struct imp *some);

/* Fail if coordinates of the result may be too large for their types. */
void result_check_coordinates(struct kernel *k, const struct result *r);

/* The position below `position` in which the levels [first, end), which are located, have the
 * component of this scope. */
const struct imp *result_locate(struct kernel *k, const struct result *r, const struct scope *scope,
                                int first, int end, const struct imp *position);
/* Of a result whose pattern is given: the access that has it, an operand's or a copy's; is there a
 * component (NULL: for certain; a copy that is filled has the pattern's fill where there is none);
 * the value at its position, if it is there.  A copy has the positions for values. */
const struct cin *result_given(const struct result *r);
const struct imp *result_is_given(struct kernel *k, const struct result *r,
                                  const struct scope *scope);
void result_store_given(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value);
/* The value there. */
void result_store_value(struct kernel *k, const struct result *r, const struct imp *position,
                        enum op op, const struct imp *value);
/* A fill of the values at positions [begin, end), and of those below a position of the level above
 * this one: the statement. */
const struct imp *result_fill(struct kernel *k, const struct result *r, const struct imp *begin,
                              const struct imp *end);
const struct imp *result_fill_below(struct kernel *k, const struct result *r, int level,
                                    const struct imp *position);

/* ---- assembly_capacity.c ---- */

/* Can the loops that make it count, ahead, how many positions the last group of the result gets at
 * most (loop/forall_count.c)?  Those that are put into this workspace. */
bool capacity_is_counted(const struct kernel *k, const struct result *r);
const struct tensor_var *capacity_source(const struct result *r);
/* If so: where the room has been doubled at this place, with so many now, room for as much more as
 * is expected. */
void capacity_expect(struct kernel *k, const struct result *r, const struct scope *scope,
                     const struct append_group *g, const struct imp *now);

/* ---- assembly_append.c ---- */

/* A region of the forall of var: what precedes and what follows its body. */
struct result_region {
    /* the variable's, and the last of those that follow from it; -1: none */
    int level, last;
    struct append_group *group; /* that ends with the level, or NULL */
    const struct imp_var *produced;
    const struct imp *begin;
};
struct result_region result_enter(struct kernel *k, struct result *r, struct scope *scope,
                                  const struct index_var *var, const struct tree_node *body,
                                  bool has_room);
/* Make room for one component, or n, of the forall of var that is lowered in this scope, in front
 * of the regions that append it; false if there is nothing to do. */
bool result_make_room(struct kernel *k, struct result *r, const struct scope *scope,
                      const struct index_var *var, const struct imp *n);
void result_leave(struct kernel *k, const struct result *r, const struct scope *scope,
                  const struct result_region *region);

/* The position of a level that is not appended to, below scope->result_position: where the
 * coordinate is, or is put. */
const struct imp *result_place(struct kernel *k, struct result *r, const struct scope *scope,
                               int level);
/* The levels below a position of a group that are not appended to are an empty block. */
void append_fill_block(struct kernel *k, const struct result *r, const struct scope *scope,
                       const struct append_group *g);
/* The most children that a parent of the level may have, and the room of a group: as much as
 * operands say. */
const struct imp *append_most_children(struct kernel *k, const struct result *r, int level);
const struct imp *append_capacity(struct kernel *k, const struct result *r, struct append_group *g);
/* Make the arrays and open the groups, of all the result, or of one chunk of a result whose
 * coordinates are checked as a whole; store the ends of all. */
void append_open(struct kernel *k, struct result *r);
void append_open_chunk(struct kernel *k, struct result *r);
/* Room for one more position of the group, or (n) so many more, and for what hangs below them: more
 * than there is, unless there is as much as operands have, so that positions cannot count them. */
void append_grow(struct kernel *k, const struct result *r, const struct scope *scope,
                 struct append_group *g, const struct imp *n);
void append_close(struct kernel *k, struct result *r);
/* Name what the group counts by, in this type: the variables are the caller's to declare. */
void append_name_group(struct kernel *k, const struct result *r, struct append_group *g,
                       enum type type);
/* What the first levels have that are not appended to is empty. */
void append_clear_first(struct kernel *k, const struct result *r);
/* The arrays, with room for as many positions in each group as its capacity. */
void append_allocate(struct kernel *k, const struct result *r);
/* As many positions as the ends of segments can say. */
int64_t append_most(const struct result *r, const struct append_group *g);
bool append_is_last(const struct result *r, const struct append_group *g);
/* Does the counter go on where positions can count no further, and is compared with these at the
 * end, once?  So it is where operands say how much room there has to be, and in a plain kernel,
 * unless positions are known to count all that there will be, or somebody reads what has been
 * stored before: parts of a parallel loop, and other statements. */
bool append_is_wide(struct kernel *k, const struct result *r, const struct append_group *g);
/* A component of a result whose levels have been entered. */
void append_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);

/* Parents of the group up to (not including) this one that were skipped have no children. */
void append_skip(struct kernel *k, const struct result *r, struct append_group *g,
                 const struct imp *end);

/* ---- assembly_copy.c ---- */

/* Does the list's entry differ from the one before it in one of the levels [0, end)?  The first one
 * does. */
const struct imp *copy_differs(struct kernel *k, const struct workspace *list,
                               const struct imp *entry, int end);

#endif
