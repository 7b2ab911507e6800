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

/* The variables are those of the table's comment; a variable may be the parent in several. */
struct cin_relation {
    const struct relation_type *type;
    const struct index_var *parent[2], *child[2];
    int64_t size;
    bool up;                  /* of a split */
    const struct cin *access; /* of positions ... */
    int base;                 /* ... which are counted below one of the level above this one */
};

struct relation_type {
    const char *name; /* as the directive that makes it is called */
    /* What is in its parentheses: p and q parents, c and d children, u up or down, w work, n the
     * size, a the access and its level. */
    const char *arguments;
    bool parts; /* parent[0] ascends with child[0], and while that stays, with child[1] */
    bool ties;  /* where it must hold, one coordinate is left of a range */
    /* child[0] tells where in a level of the access the loops are, and so all that is above: they
     * need not have come through there */
    bool positions;

    /* The variables from which it gives this one of its own; how many, and -1 if it does not. */
    int (*sources)(const struct cin_relation *r, const struct index_var *var,
                   const struct index_var *from[2]);
    /* May what it gives be out of range, although that which it follows from is in range?  NULL:
     * never. */
    bool (*exceeds)(const struct cin_relation *r, const struct index_var *var);
    /* Is something in range for each value that the loops outside have?  NULL: no. */
    bool (*has_some)(const struct cin_relation *r);
    /* The n-th equation, which has to hold where all its variables are known and none came by the
     * relation; false: there are no more.  NULL: there are none. */
    bool (*equation)(const struct cin_relation *r, int n, const struct index_var *of[3]);
    /* The one of its variables with which this one goes up step by step, where the others are
     * known.  NULL: none. */
    const struct index_var *(*steps_with)(const struct cin_relation *r,
                                          const struct index_var *var);
    /* How far parent[0] goes with a step of child[0], while child[1] stays; 0: that is not known.
     * NULL: likewise. */
    int64_t (*stride)(const struct cin_relation *r);
    /* How many values a child has where the parents have so many; -1 is a number that is not
     * known. */
    int64_t (*values)(const struct cin_relation *r, int child, const int64_t parent[2]);

    /* ---- code ----  (see compiler/relation/relation_code.h) */

    /* How many values a child has; its least, and one past its last.  NULL: 0, and as many as it
     * has. */
    const struct imp *(*size)(const struct relation_code *code, const struct cin_relation *r,
                              int child);
    const struct imp *(*low)(const struct relation_code *code, const struct cin_relation *r);
    const struct imp *(*end)(const struct relation_code *code, const struct cin_relation *r);
    /* The coordinate that it gives. */
    const struct imp *(*coordinate)(const struct relation_code *code, const struct cin_relation *r,
                                    const struct index_var *var);
    /* How far it is ahead of what it steps with. */
    const struct imp *(*ahead)(const struct relation_code *code, const struct cin_relation *r);
    /* Is what it has given in range?  NULL: it is. */
    const struct imp *(*in_range)(const struct relation_code *code, const struct cin_relation *r,
                                  const struct index_var *var);
    /* Does the n-th equation hold? */
    const struct imp *(*holds)(const struct relation_code *code, const struct cin_relation *r,
                               int n);
    /* The same as bounds of the loop over `loop`, before that is known: of the range of what it
     * gives, or, where that is NULL, of the equations.  false if bounds cannot say it.  NULL:
     * they never can. */
    bool (*narrows)(const struct relation_code *code, const struct cin_relation *r,
                    const struct index_var *var, const struct index_var *loop,
                    const struct imp **begin, const struct imp **end);
    /* Append what ends the kernel, before it begins, where it cannot run.  NULL: nothing. */
    void (*check)(const struct relation_code *code, const struct cin_relation *r);
};

/* parent[0] in blocks, of which there are `size` (up), or which have `size` coordinates: child[0]
 * tells the block, child[1] where in it. */
extern const struct relation_type relation_split;
/* parent[0], positions of a relation of positions, in parts of `size` work each, of which a
 * position is one, and so is the end of each row above: child[0] tells the part, child[1] where in
 * it. */
extern const struct relation_type relation_work;
/* child[0] runs through parent[0] and parent[1], row by row. */
extern const struct relation_type relation_collapse;
/* child[0] = parent[0] - parent[1] */
extern const struct relation_type relation_difference;
/* child[0] = parent[0], where both have loops of their own. */
extern const struct relation_type relation_equal;
/* child[0] = size, which follows from nothing. */
extern const struct relation_type relation_literal;
/* child[0] is the position at which the level number `size` of the access stores parent[0] below
 * the position parent[1]; of the level `base` there is no such parent: the loops around have led
 * to it. */
extern const struct relation_type relation_position;

#endif
