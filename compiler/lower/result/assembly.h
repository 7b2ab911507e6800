/* assembly.h - the ways to make the result, a table and a file each; private to the lowering.
 *
 *   place    every component has its place, all from the beginning
 *   given    the pattern is there already, and components go where it has them
 *   update   ... and where it has none nothing may change
 *   append   components come in storage order
 *   copy     a list has them all, so that they are counted and measured before
 *   count    the statement runs twice: to count components, and to put each in its place
 *   pattern  it is an operand's, whose arrays are copied whole
 *
 * Which one it is the tree says (compiler/tree/assembly.c).  Parts of a parallel loop have ways of
 * their own (lower/parallel/parallel.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_RESULT_ASSEMBLY_H
#define SPCC_LOWER_RESULT_ASSEMBLY_H

#include "compiler/lower/base/kernel.h"

struct assembly_way {
    bool tallies; /* positions are counted, and nothing of them is stored */
    bool counts;  /* the room of the last group may be counted ahead (capacity_is_counted) */
    /* before all statements, right before the one that makes it, and behind that; or NULL */
    void (*open)(struct kernel *k, struct result *r);
    void (*begin)(struct kernel *k, struct result *r);
    void (*close)(struct kernel *k, struct result *r);
    /* of a copy: the list is complete; else NULL */
    void (*take)(struct kernel *k, struct result *r, struct workspace *list);
    /* the code that makes it, if that is more than the statement lowered once; else NULL */
    void (*run)(struct kernel *k, struct result *r, const struct scope *scope);
    /* a statement, where that is not lowered to what it does; else NULL */
    void (*lower)(struct kernel *k, struct result *r, const struct scope *scope);
    /* A component; value is NULL where patterns alone are made. */
    void (*store)(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);

    /* Of what has groups of levels that are appended to. */

    /* the most children that a parent of the level may have */
    const struct imp *(*most)(struct kernel *k, const struct result *r, int level);
    /* so many positions a group has room for at first */
    const struct imp *(*room)(struct kernel *k, const struct result *r, struct append_group *g);
    /* Room for so many more, or (NULL) for one, at this place.  NULL: there is room for all, each
     * of which is a component's. */
    void (*grow)(struct kernel *k, const struct result *r, const struct scope *scope,
                 struct append_group *g, const struct imp *n);
};

extern const struct assembly_way assembly_place, assembly_given, assembly_update, assembly_append,
    assembly_copy, assembly_count, assembly_pattern;

#endif
