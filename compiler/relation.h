/* relation.h - the interface of relations between index variables (thesis 3.2, 6.3 to 6.6).
 *
 * A relation is an equation, and is read in every direction in which it can be solved: the parts of
 * a split give what was split, and that gives its parts; of a difference and its two variables, any
 * two give the third.  What an equation is, where it may lead out of a range and which code it
 * takes is one const table, in a file of compiler/relation/.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_RELATION_H
#define SPCC_RELATION_H

#include "compiler/format/tensor_var.h"

struct cin;
struct imp;
struct relation_code;
struct relation_type;

/* The variables have the meaning that the relation's type gives them.  A variable may be a parent
 * of several relations. */
struct cin_relation {
    const struct relation_type *type;
    const struct index_var *parent[2], *child[2];
    int64_t size;
    bool up;                  /* of a split: `size` is the number of blocks */
    const struct cin *access; /* of positions: those of a level of this access */
    int base; /* of positions: they are counted below one position of the level above this one */
};

struct relation_type {
    const char *name; /* the directive's that makes it */
    /* How its arguments are printed: p and q are the parents, c and d the children, u is up or
     * down, w is work, n the size, a the access with its level. */
    const char *arguments;
    bool parts; /* parent[0] ascends with child[0], and while that stays with child[1] */
    bool ties;  /* it leaves one coordinate of a range */
    /* child[0] tells a position in a level of the access, and with it the positions above: loops
     * need not have come through the levels above */
    bool positions;

    /* The variables from which it gives this one of its own, and how many they are; -1: it does not
     * give it. */
    int (*sources)(const struct cin_relation *r, const struct index_var *var,
                   const struct index_var *from[2]);
    /* May the variable that it gives be out of range although those that it follows from are in
     * range? NULL: never. */
    bool (*exceeds)(const struct cin_relation *r, const struct index_var *var);
    /* Is some value in range whatever values the outer loops have?  NULL: no. */
    bool (*has_some)(const struct cin_relation *r);
    /* The n-th equation, which has to hold where all its variables are known and none of them was
     * given by the relation; false: there are no more.  NULL: there are none. */
    bool (*equation)(const struct cin_relation *r, int n, const struct index_var *of[3]);
    /* Of its variables, the one with which this one ascends step by step while the others are
     * known. NULL: none. */
    const struct index_var *(*steps_with)(const struct cin_relation *r,
                                          const struct index_var *var);
    /* How far a step of child[0] moves parent[0] while child[1] stays; 0, or NULL: unknown. */
    int64_t (*stride)(const struct cin_relation *r);
    /* The number of values that a child has if the parents have this many; -1 stands for an unknown
     * number. */
    int64_t (*values)(const struct cin_relation *r, int child, const int64_t parent[2]);

    /* ---- code ----  (see compiler/relation/relation_code.h) */

    /* The number of values of a child; its least value, and one past its last.  low, end are NULL:
     * 0, and size. */
    const struct imp *(*size)(const struct relation_code *code, const struct cin_relation *r,
                              int child);
    const struct imp *(*low)(const struct relation_code *code, const struct cin_relation *r);
    const struct imp *(*end)(const struct relation_code *code, const struct cin_relation *r);
    /* The coordinate of the variable that it gives. */
    const struct imp *(*coordinate)(const struct relation_code *code, const struct cin_relation *r,
                                    const struct index_var *var);
    /* How far a variable is ahead of the one that it steps with. */
    const struct imp *(*ahead)(const struct relation_code *code, const struct cin_relation *r);
    /* Is the given variable in range?  NULL: always. */
    const struct imp *(*in_range)(const struct relation_code *code, const struct cin_relation *r,
                                  const struct index_var *var);
    /* Does the n-th equation hold? */
    const struct imp *(*holds)(const struct relation_code *code, const struct cin_relation *r,
                               int n);
    /* The same conditions as bounds of the loop over `loop`, before that is known: that `var` is in
     * range, or, if var is NULL, that the equations hold.  False if bounds cannot express them.
     * NULL: they never can. */
    bool (*narrows)(const struct relation_code *code, const struct cin_relation *r,
                    const struct index_var *var, const struct index_var *loop,
                    const struct imp **begin, const struct imp **end);
    /* Emit a check in front of the kernel that ends it if it cannot run.  NULL: there is none. */
    void (*check)(const struct relation_code *code, const struct cin_relation *r);
};

/* parent[0] in blocks: `size` blocks (up), or blocks of `size` coordinates (down).  child[0] is the
 * number of the block, child[1] the place inside it. */
extern const struct relation_type relation_split;
/* parent[0], a position of a relation of positions, in parts of `size` work each.  A position
 * counts as one unit of work, and so does the end of each row above.  child[0] is the number of the
 * part, child[1] the place inside it. */
extern const struct relation_type relation_work;
/* child[0] goes through parent[0] and parent[1], row by row. */
extern const struct relation_type relation_collapse;
/* child[0] = parent[0] - parent[1] */
extern const struct relation_type relation_difference;
/* child[0] = parent[0], if both have loops of their own. */
extern const struct relation_type relation_equal;
/* child[0] = size, from nothing. */
extern const struct relation_type relation_literal;
/* child[0] is the position in level number `size` of the access that stores parent[0] below the
 * position parent[1].  In level `base` there is no such parent: the loops around have led to it. */
extern const struct relation_type relation_position;

#endif
