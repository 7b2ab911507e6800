/* parallel.h - what the files share that lower parallel loops; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_PARALLEL_PARALLEL_H
#define SPCC_LOWER_PARALLEL_PARALLEL_H

#include "compiler/lower/loop/forall.h"

/* A variable around the loop that its iterations reduce into: each part has its own, and hands it
 * over. */
struct own_scalar {
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* an array, by part */
    enum op op;
    struct value start;
};

/* An array of values likewise, but that the first part combines into what is there. */
struct own_array {
    struct tensor_code *code; /* of the tensor */
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* an array of arrays, by part */
    const struct imp *length;
    enum op op;
    struct value start;
};

/* A workspace likewise, which has no place for every component. */
struct apart {
    struct workspace *whole, *own;
    /* by part: how many entries it has, and, behind the loop, where they begin; and its arrays, of
     * coordinates of each level and, where they are computed, of values */
    const struct imp_var *begin, *handed;
    const struct imp_var *total; /* of a loop that runs twice: how many there are in all (i64) */
    bool once;                   /* ... or once, since each part has one entry */
};

/* How much work each is that is stored of an operand. */
struct work_weight {
    const struct cin *access;
    const struct imp *each;
};

struct parallel;
struct launch_rows;

/* How parts of a loop assemble a result (tree.h, enum tree_parts): a table and a file each.  `kept`
 * is what open has given. */
struct parts_way {
    /* around the loop; in a part, before and, or NULL, behind the loop over its share; and behind
     * all, or NULL */
    void *(*open)(struct parallel *p, struct result *r);
    void (*begin)(struct parallel *p, struct result *r, void *kept);
    void (*end)(struct parallel *p, struct result *r, void *kept);
    void (*close)(struct parallel *p, struct result *r, void *kept);
    /* does each part but the first write what it has made twice, or something of its own besides?
     * NULL: no */
    bool (*is_heavy)(struct kernel *k, const struct result *r);
};
extern const struct parts_way parts_joined, parts_compacted, parts_filled, parts_twice;

/* The ways of results that parts append to: of their own, which are joined; and each in room of its
 * own in the result, and moved up where others left some. */
extern const struct assembly_way assembly_join, assembly_compact;
/* ... and each from where it begins, after a run that has counted. */
extern const struct assembly_way assembly_twice;

struct parallel {
    struct kernel *k;
    const struct cin_tag *tag;
    const struct tree_node *node;
    struct forall f;
    struct tree_races races;
    /* by rank: of a result that parts assemble */
    const struct parts_way *way[TIN_RESULTS_MAX];
    void *kept[TIN_RESULTS_MAX];
    bool have_places; /* ... of which each part has places of the first level for its own */
    VEC(const struct tensor_var *) atomic; /* which several parts write at once */
    struct kernel_part seen;               /* what the code in the part sees of it */
    VEC(struct work_weight) weights;
    const struct imp *begin, *end; /* of positions or coordinates that are shared out */
    const struct imp *before,
        *work; /* before all parts, and of all; work is NULL: shares are even */
    /* by part: what it has found to be its own, where others ask for that; or NULL */
    const struct imp_var *from_of, *past_of;
    struct imp_var *parts, *part;
    /* of a loop that runs twice: how many parts there are (i64); NULL: it does not */
    const struct imp *all;
    struct launch_rows *rows; /* of a GPU's loop whose teams make tables; or NULL */
    bool many;                /* their number times another one may be more than 64 bits hold */
    const struct imp *from, *past; /* what this part has of them */
    VEC(struct own_scalar) scalars;
    VEC(struct own_array) arrays;
    VEC(struct apart) apart;
    /* what parts count apart, and by part the counts, or where its next components go; or NULL */
    struct segments *segments;
    const struct imp_var *counts;
    size_t workspaces;       /* there are around the loop */
    const struct imp *chunk; /* so many iterations are asked for in a part; or NULL */
};

/* Has each part a workspace of its own in place of this one? */
static inline bool parallel_is_apart(const struct parallel *p, const struct workspace *whole)
{
    for (size_t i = 0; i < p->apart.n; i++)
        if (p->apart.at[i].whole == whole)
            return true;
    return false;
}

/* ---- parallel.c ---- */

/* A parallel forall; and its loop alone. */
void lower_parallel(struct kernel *k, const struct scope *scope);
void parallel_loop(struct parallel *p, const struct scope *scope);

/* ---- parallel_handed.c ---- */

/* The most parts, unless it is said how many iterations make one, and the most for each thread: as
 * parts are even, nobody waits longer than for one of them, a sixteenth of what he has. */
enum { PARTS_MOST = 256, PARTS_EACH = 16 };

/* The results that parts assemble, in turn, as by kernel_next_result. */
struct result *parallel_next(const struct parallel *p, const struct result *before);
/* ... in this way. */
struct result *parallel_next_by(const struct parallel *p, const struct parts_way *way,
                                const struct result *before);

/* Is it in no other loop? */
bool parallel_is_outermost(const struct parallel *p);

/* A new array with an element for each part and one more; of an array for each part. */
const struct imp_var *parallel_numbers(struct parallel *p, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Room for so many arrays from each part: a part hands over the n-th, which then is at hand once
 * more, or becomes another array for good. */
const struct imp_var *parallel_arrays(struct parallel *p, int each, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parallel_keep(struct parallel *p, const struct imp_var *handed, int n, const struct imp *part,
                   const struct imp_var *array);
void parallel_take(struct parallel *p, const struct imp_var *array, const struct imp_var *handed,
                   int n, const struct imp *part);
void parallel_join(struct parallel *p, const struct imp_var *whole, const struct imp_var *handed,
                   int n, const struct imp_var *begin, const struct imp *elements);
void parallel_move(struct parallel *p, const struct imp_var *array, const struct imp_var *handed,
                   int n, const struct imp *part);

/* Numbers by part become sums of those before, from `first` on, and behind the last part that of
 * all, which it gives. */
const struct imp *parallel_scan(struct parallel *p, const struct imp_var *numbers,
                                const struct imp *first);

/* The parts one after the other, in the order of their numbers. */
void parallel_each(struct parallel *p, const struct imp_var *part, const struct imp *body);

/* ---- parallel_work.c ---- */

/* The one cursor whose positions are shared out; NULL: coordinates are, because there is none, or
 * because they are those of the places that a part of the result has, or the list's whose
 * parts it is filled from. */
struct cursor *share_cursor(struct parallel *p);
/* The one operand in which a coordinate has to be searched for; NULL: there are none, or several,
 * or it has coordinates besides those that are shared out. */
struct cursor *work_searched(struct parallel *p);
/* Where the coordinate x is in the operand of an iterator, or would be; NULL if that is not to be
 * said. */
const struct imp *work_position(struct parallel *p, int i, const struct imp *x);
/* The work before x, which is at this position of work_searched (NULL: to be searched for); *even:
 * it is in proportion to x. */
const struct imp *work_before(struct parallel *p, const struct imp *x, const struct imp *position,
                              bool *even);
/* What operands store that the loop's coordinates share although they are not stored by them, as
 * below diagonals, all of which each block of rows goes along; NULL: nothing. */
const struct imp *work_across(struct parallel *p);
/* As i64; in a variable. */
const struct imp *share_i64(struct parallel *p, const struct imp *e);
const struct imp *share_named(struct parallel *p, const struct imp *e, const char *name);

/* ---- parallel_share.c ---- */

/* How many parts there are, and where each begins; heavy: each takes time that goes with
 * dimensions; fixed: whatever the number of threads. */
void share_find(struct parallel *p, bool heavy, bool fixed);
/* ... so many at most, and each of as much work as the grain, or the only one. */
void share_find_many(struct parallel *p, int64_t most, int64_t grain);
/* How much of a whole (i64) is before the part of this number, where each has as much. */
const struct imp *share_before(struct parallel *p, const struct imp *whole, const struct imp *part);
/* What the part of this number has. */
void share_bounds(struct parallel *p, const struct imp *part);
/* In a part: what it has, to which the loop's cursors and coordinates are narrowed; and those of
 * the loop opened once more. */
void share_take(struct parallel *p);
void share_narrow(struct parallel *p);
/* In a part: how many positions the access has there in the level; NULL: that is not to be said;
 * and how many before it. */
const struct imp *share_positions(struct parallel *p, const struct cin *access, int level);
const struct imp *share_positions_before(struct parallel *p, const struct cin *access, int level);

/* ---- privatize.c ---- */

/* Which there are: with the arrays around the loop; in a part, variables and arrays; behind it. */
void own_find(struct parallel *p, const struct scope *scope);
/* ... the array that is assigned to, if it is one that iterations share */
void own_find_array(struct parallel *p, const struct scope *scope, const struct cin *assign);
void own_open(struct parallel *p);
void own_begin(struct parallel *p, struct scope *inside);
void own_arrays_begin(struct parallel *p);
void own_arrays_end(struct parallel *p);
void own_end(struct parallel *p);
void own_combine(struct parallel *p);

/* ---- private_workspace.c ---- */

/* Workspaces that parts make apart: which there are; around the loop, in a part, and behind it. */
void apart_find(struct parallel *p, const struct scope *scope);
void apart_open(struct parallel *p);
void apart_begin(struct parallel *p);
void apart_end(struct parallel *p);
void apart_join(struct parallel *p);

/* ---- count_apart.c ---- */

/* What parts count: what that is; around the loop; in a part; and the loop, which runs twice. */
void count_find(struct parallel *p, const struct scope *scope);
void count_open(struct parallel *p);
void count_begin(struct parallel *p);
void count_end(struct parallel *p);
void count_run(struct parallel *p, const struct scope *scope);

/* ---- parallel_group.c ---- */

/* In a part, groups of its own, which go on from there: by group; parents: the position below which
 * the first begins, or NULL.  Gives those around it. */
struct append_group *groups_begin(struct kernel *k, struct result *r,
                                  const struct imp *const *begin, const struct imp *parents);
/* Numbers by part for a group, named after it and this. */
const struct imp_var *group_numbers(struct parallel *p, const struct result *r, int g,
                                    const char *what);
/* What this part has of a group, in variables: it goes where the one before it ends, from where it
 * begins in the result's arrays, or, in arrays of its own (NULL), from 0.  The numbers by part
 * say where it begins, and where the one before it ends. */
struct level_joint group_joint(struct kernel *k, const struct result *r, int g,
                               const struct imp *part, const struct imp_var *from,
                               const struct imp_var *end);
/* May the first group's parents be skipped? */
bool groups_skip(const struct result *r);
/* Behind the loop: by group, how many positions there are. */
void groups_close(struct kernel *k, const struct result *r, const struct imp *const *total);
/* A chunk of the result, of which there is so much in each group, and of places in the first level
 * (NULL: there are none), goes where it belongs. */
void groups_join(struct kernel *k, const struct result *r, const struct tensor_code *chunk,
                 const struct level_joint *group, const struct level_joint *places);

/* The position below which the first group has those of the first level from this iteration on. */
const struct imp *groups_parents(struct parallel *p, const struct result *r, const struct imp *at);

/* ---- assembly_twice.c ---- */

/* The results and lists that the loop makes in two runs, of so many parts each: which there are,
 * none perhaps; before the first run, and between the two. */
bool twice_find(struct parallel *p);
void twice_open(struct parallel *p, const struct imp *parts);
/* Is the first run no use: has each part one entry of one list, and nothing else? */
bool twice_once(struct parallel *p, const struct imp *run);
void twice_turn(struct parallel *p);
void twice_close(struct parallel *p);
/* In a part. */
void twice_enter(struct parallel *p);
void twice_leave(struct parallel *p);

/* ---- result_split.c ---- */

/* A result that is assembled: parents that have more children than a level allows become
 * several. */
void result_split(struct kernel *k, const struct result *r);

/* ---- assembly_compact.c ---- */

/* Do parts append to a result in place? */
bool compact_applies(const struct parallel *p);
/* Positions can count the room of all parts: a condition; NULL: always.  Else there is one part. */
const struct imp *compact_fits(struct parallel *p);

/* ---- assembly_join.c ---- */

/* How the result is assembled if parts of a parallel loop do that; NULL: they do not. */
const struct assembly_way *join_way(struct context *cx, const struct tree *tree);

/* Are parts of a result put together by the places that they have? */
bool join_has_places(const struct parallel *p);
/* Has the first level of the result a place for every coordinate? */
bool join_is_placed(const struct result *r);
/* The coordinate of the first level where iteration `at` begins. */
const struct imp *join_first_place(struct parallel *p, const struct result *r,
                                   const struct imp *at);
/* Those that the part of this number has. */
void join_places(struct parallel *p, const struct result *r, const struct imp *part,
                 struct level_joint *places);

#endif
