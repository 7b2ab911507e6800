/* assembly.h - the ways to make the result, a table and a file each; private to the lowering.
 *
 *   place    every component has a fixed place
 *   given    the pattern exists, and components go to their places in it
 *   update   as given; where the pattern has no component nothing may change
 *   append   components come in storage order, and are appended
 *   copy     a list of all components is made first, and copied
 *   count    the statement runs twice: to count components, and to put each in its place
 *   pattern  an operand has the pattern, and its arrays are copied
 *
 * The tree chooses (compiler/tree/assembly.c).  Parts of a parallel loop have ways of their own
 * (lower/parallel/parallel.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_RESULT_ASSEMBLY_H
#define SPCC_LOWER_RESULT_ASSEMBLY_H

#include "compiler/lower/base/kernel.h"

struct assembly_way {
    bool tallies; /* positions are counted, and nothing is stored in them */
    bool counts;  /* the room of the last group may be counted ahead (capacity_is_counted) */
    /* run before all statements, right before the statement that makes the result, and behind it;
     * or NULL */
    void (*open)(struct kernel *k, struct result *r);
    void (*begin)(struct kernel *k, struct result *r);
    void (*close)(struct kernel *k, struct result *r);
    /* of a copy: takes its list, which is complete; else NULL */
    void (*take)(struct kernel *k, struct result *r, struct workspace *list);
    /* adds the code that makes the result, if the statement has to be lowered more than once; else
     * NULL */
    void (*run)(struct kernel *k, struct result *r, const struct scope *scope);
    /* lowers a statement in another way than usual; else NULL */
    void (*lower)(struct kernel *k, struct result *r, const struct scope *scope);
    /* Stores a component; value is NULL if only patterns are made. */
    void (*store)(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value);

    /* For groups of levels that are appended to: returns the most children of a parent of the
     * level. */
    const struct imp *(*most)(struct kernel *k, const struct result *r, int level);
    /* Returns the first capacity of a group. */
    const struct imp *(*room)(struct kernel *k, const struct result *r, struct append_group *g);
    /* Makes room for n more positions (NULL: one). NULL if there is room for all, one for each
     * component. */
    void (*grow)(struct kernel *k, const struct result *r, const struct scope *scope,
                 struct append_group *g, const struct imp *n);
};

extern const struct assembly_way assembly_place, assembly_given, assembly_update, assembly_append,
    assembly_copy, assembly_count, assembly_pattern;

#endif
