/* parallel.h - what the files share that lower parallel loops; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_PARALLEL_H
#define SPCC_LOWER_PARALLEL_H

#include "compiler/lower/forall.h"

/* A variable around the loop that its iterations reduce into: each part has its own, and hands it
 * over. */
struct own_scalar {
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* an array, by part */
    enum op op;
    struct value start;
};

/* An array of values likewise. */
struct own_array {
    struct tensor_code *code; /* of the tensor */
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* an array of arrays, by part */
    const struct imp *length;
    enum op op;
    struct value start;
};

struct parallel {
    struct kernel *k;
    const struct cin_tag *tag;
    const struct tree_node *node;
    struct forall f;
    struct tree_races races;
    bool joins;                    /* parts of the result */
    const struct imp *begin, *end; /* of positions or coordinates that are shared out */
    const struct imp_var *shares;  /* where each part begins, and the last ends; NULL: even ones */
    struct imp_var *parts, *part;
    const struct imp *from, *past; /* what this part has of them */
    VEC(struct own_scalar) scalars;
    VEC(struct own_array) arrays;
};

/* The most parts, unless it is said how many iterations make one. */
enum { PARTS_MOST = 256 };

/* Is it in no other loop? */
bool parallel_is_outermost(const struct parallel *p);

/* A new array of arrays, or array, with an element for each part and one more. */
const struct imp_var *parallel_handed(struct parallel *p, enum type type, bool arrays,
                                      const char *name);

/* The array that was handed over by this part, once more. */
void parallel_take(struct parallel *p, const struct imp_var *array, const struct imp_var *handed,
                   const struct imp *part);

/* The parts one after the other, in the order of their numbers. */
void parallel_each(struct parallel *p, const struct imp_var *part, const struct imp *body);

/* ---- parallel_share.c ---- */

/* How many parts there are, and where each begins; heavy: each takes time that goes with
 * dimensions; fixed: whatever the number of threads. */
void share_find(struct parallel *p, bool heavy, bool fixed);
/* How much of a whole (i64) is before the part of this number, where each has as much. */
const struct imp *share_before(struct parallel *p, const struct imp *whole, const struct imp *part);
/* What the part of this number has. */
void share_bounds(struct parallel *p, const struct imp *part);
/* In a part: what it has; the loop's cursors and coordinates are narrowed to it. */
void share_take(struct parallel *p);

/* ---- parallel_own.c ---- */

/* Which there are: with the arrays around the loop; in a part; behind it. */
void own_find(struct parallel *p, const struct scope *scope);
void own_open(struct parallel *p);
void own_begin(struct parallel *p, struct scope *inside);
void own_end(struct parallel *p);
void own_combine(struct parallel *p);

/* ---- assembly_join.c ---- */

/* Has the result's first level a place for every coordinate? */
bool join_has_places(const struct kernel *k);
/* The result: around the loop, in a part, and behind it. */
struct join *join_open(struct parallel *p);
void join_begin(struct parallel *p, const struct join *join);
void join_end(struct parallel *p, const struct join *join);
void join_all(struct parallel *p, struct join *join);

#endif
