/* parallel.h - what the files share that lower parallel loops; private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_PARALLEL_PARALLEL_H
#define SPCC_LOWER_PARALLEL_PARALLEL_H

#include "compiler/lower/loop/forall.h"

/* A scalar from outside the loop that its iterations reduce into.  Each part reduces into a
 * variable of its own and hands over the result. */
struct own_scalar {
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* by part: its result */
    enum op op;
    struct value start;
};

/* An array of values that iterations reduce into, likewise.  The first part combines into the
 * shared array itself. */
struct own_array {
    struct tensor_code *code; /* of the tensor */
    const struct imp_var *shared, *own;
    const struct imp_var *handed; /* by part: its array */
    const struct imp *length;
    enum op op;
    struct value start;
};

/* A workspace from outside the loop that each part makes for itself, and that has no place for
 * every component. */
struct apart {
    struct workspace *whole, *own;
    /* by part: how many entries it has, and behind the loop where they begin in the whole; and its
     * arrays: coordinates of each level, and values if they are computed */
    const struct imp_var *begin, *handed;
    const struct imp_var *total; /* of a loop that runs twice: how many there are in all (i64) */
    bool once;                   /* the loop runs once instead: each part has one entry */
};

/* The work that each stored component of an operand stands for. */
struct work_weight {
    const struct cin *access;
    const struct imp *each;
};

struct parallel;
struct launch_rows;

/* How the parts of a loop assemble a result (tree.h, enum tree_parts): a table and a file each.
 * `kept` is what open returned. */
struct parts_way {
    /* open and close (or NULL): around the parallel loop; begin and end (or NULL): in a part,
     * before and behind the loop over the part's share */
    void *(*open)(struct parallel *p, struct result *r);
    void (*begin)(struct parallel *p, struct result *r, void *kept);
    void (*end)(struct parallel *p, struct result *r, void *kept);
    void (*close)(struct parallel *p, struct result *r, void *kept);
    /* does each part but the first write its share of the result twice, or arrays of its own? NULL:
     * no */
    bool (*is_heavy)(struct kernel *k, const struct result *r);
};
extern const struct parts_way parts_joined, parts_compacted, parts_filled, parts_twice;

/* How a part appends to a result.  join: to arrays of its own, which are joined behind the loop.
 * compact: to room of its own in the result's arrays; parts move up where others left room.  twice:
 * from where it begins, which a first run of the loop has counted. */
extern const struct assembly_way assembly_join, assembly_compact;
extern const struct assembly_way assembly_twice;

struct parallel {
    struct kernel *k;
    const struct cin_tag *tag;
    const struct tree_node *node;
    struct forall f;
    struct tree_races races;
    /* by rank: how parts assemble the result; NULL: they do not */
    const struct parts_way *way[TIN_RESULTS_MAX];
    /* by rank: what the way's open returned */
    void *kept[TIN_RESULTS_MAX];
    bool have_places; /* each part has places of its own in the first level of the results */
    VEC(const struct tensor_var *) atomic; /* tensors that parts update atomically */
    struct kernel_part seen;               /* the part as the code inside sees it */
    VEC(struct work_weight) weights;
    const struct imp *begin, *end; /* of positions or coordinates that are shared out */
    const struct imp *before,
        *work; /* before all parts, and of all; work is NULL: shares are even */
    /* by part: where its share begins and ends, if other code asks for that; or NULL */
    const struct imp_var *from_of, *past_of;
    struct imp_var *parts, *part;
    /* of a loop that runs twice: the number of parts (i64); else NULL */
    const struct imp *all;
    struct launch_rows *rows; /* of a loop on a GPU whose teams make tables; else NULL */
    bool many;                /* the number of parts times another number may overflow 64 bits */
    const struct imp *from, *past; /* the part's share of [begin, end) */
    VEC(struct own_scalar) scalars;
    VEC(struct own_array) arrays;
    VEC(struct apart) apart;
    /* what each part counts for itself, or NULL; and by part the counts, which become the places of
     * its next components */
    struct segments *segments;
    const struct imp_var *counts;
    size_t workspaces; /* how many workspaces there are around the loop */
    /* how many iterations the schedule wants in a part; NULL: it does not say */
    const struct imp *chunk;
};

/* Does each part have a workspace of its own in place of this one? */
static inline bool parallel_is_apart(const struct parallel *p, const struct workspace *whole)
{
    for (size_t i = 0; i < p->apart.n; i++)
        if (p->apart.at[i].whole == whole)
            return true;
    return false;
}

/* ---- parallel.c ---- */

/* Lowers a parallel forall.  parallel_loop lowers its loops alone. */
void lower_parallel(struct kernel *k, const struct scope *scope);
void parallel_loop(struct parallel *p, const struct scope *scope);

/* ---- parallel_handed.c ---- */

/* The most parts in all, and the most for each thread, unless the schedule says how many iterations
 * a part has.  With 16 equal parts for each thread, none waits for others longer than a sixteenth
 * of its own time. */
enum { PARTS_MOST = 256, PARTS_EACH = 16 };

/* Returns the next result that parts assemble, like kernel_next_result. */
struct result *parallel_next(const struct parallel *p, const struct result *before);
/* Returns the next result that parts assemble in this way. */
struct result *parallel_next_by(const struct parallel *p, const struct parts_way *way,
                                const struct result *before);

/* Is the loop inside no other loop? */
bool parallel_is_outermost(const struct parallel *p);

/* Returns a new array with one more element than there are parts. */
const struct imp_var *parallel_numbers(struct parallel *p, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns a new array that holds `each` arrays for each part.  A part keeps an array as its n-th;
 * behind the loop that array can be taken (the code reads it), joined with those of other parts, or
 * moved (it becomes another array for good). */
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

/* Replaces the numbers of parts by prefix sums that start at `first`, and returns the sum of all.
 */
const struct imp *parallel_scan(struct parallel *p, const struct imp_var *numbers,
                                const struct imp *first);

/* Runs the body for each part in order, on one thread. */
void parallel_each(struct parallel *p, const struct imp_var *part, const struct imp *body);

/* ---- parallel_work.c ---- */

/* Returns the one cursor whose positions the parts share.  NULL: they share coordinates, because
 * the loop has several cursors or none, because each part has its own places in the result's first
 * level, or because the result is filled from a list that lies in parts. */
struct cursor *share_cursor(struct parallel *p);
/* Returns the one operand in which the coordinates that parts begin with have to be searched for;
 * NULL if there is none, if there are several, or if the operand has coordinates that the parts do
 * not share. */
struct cursor *work_searched(struct parallel *p);
/* Finds one or two operands, if the work before a coordinate is what these store before it, and
 * nothing else, and returns their number. */
int work_is_of(struct parallel *p, const struct cursor *of[2]);
/* Returns the position of the coordinate x in the operand of iterator i, or where it would be; NULL
 * if it takes a search, or cannot be told. */
const struct imp *work_position(struct parallel *p, int i, const struct imp *x);
/* Returns the work of all coordinates before x.  `position` is that of x in work_searched; NULL: it
 * is still to be searched for.  *even: the work is proportional to x. */
const struct imp *work_before(struct parallel *p, const struct imp *x, const struct imp *position,
                              bool *even);
/* Returns how much operands store along the parts' coordinates without storing these, as a
 * diagonal, which goes along all blocks of rows.  NULL: nothing. */
const struct imp *work_across(struct parallel *p);
/* Returns the expression as i64, and in a variable of this name. */
const struct imp *share_i64(struct parallel *p, const struct imp *e);
const struct imp *share_named(struct parallel *p, const struct imp *e, const char *name);

/* ---- parallel_share.c ---- */

/* Finds how many parts there are and where each begins.  heavy: a part takes time in proportion to
 * a dimension besides its work.  fixed: the number of parts must not depend on the number of
 * threads. */
void share_find(struct parallel *p, bool heavy, bool fixed);
/* Finds the same with at most `most` parts, each with at least `grain` work unless it is the only
 * one. */
void share_find_many(struct parallel *p, int64_t most, int64_t grain);
/* Returns how much of `whole` (i64) is before the part of this number, if all parts have equally
 * much. */
const struct imp *share_before(struct parallel *p, const struct imp *whole, const struct imp *part);
/* Finds the share of the part of this number. */
void share_bounds(struct parallel *p, const struct imp *part);
/* Finds, in a part, its share, and narrows the loop's cursors and coordinates to it. */
void share_take(struct parallel *p);
/* Opens, in a part, the loop again, narrowed to the share. */
void share_narrow(struct parallel *p);
/* Returns, in a part, how many positions of the access's level are in the share, and how many are
 * before it; NULL if that is not known. */
const struct imp *share_positions(struct parallel *p, const struct cin *access, int level);
const struct imp *share_positions_before(struct parallel *p, const struct cin *access, int level);

/* ---- privatize.c ---- */

/* Finds the scalars and arrays that each part needs of its own. */
void own_find(struct parallel *p, const struct scope *scope);
/* Adds the array that is assigned, if the iterations share it. */
void own_find_array(struct parallel *p, const struct scope *scope, const struct cin *assign);
/* Pass on scalars and arrays.  own_open declares around the loop what parts hand over.  own_begin
 * and own_arrays_begin start, in a part, variables and arrays from the identity.  own_arrays_end
 * and own_end hand them over.  own_combine combines them behind the loop, in the order of the
 * parts. */
void own_open(struct parallel *p);
void own_begin(struct parallel *p, struct scope *inside);
void own_arrays_begin(struct parallel *p);
void own_arrays_end(struct parallel *p);
void own_end(struct parallel *p);
void own_combine(struct parallel *p);

/* ---- private_workspace.c ---- */

/* Handle workspaces that each part makes for itself: apart_find finds them; the others are called
 * around the loop, in a part (before and behind its share), and behind the loop. */
void apart_find(struct parallel *p, const struct scope *scope);
void apart_open(struct parallel *p);
void apart_begin(struct parallel *p);
void apart_end(struct parallel *p);
void apart_join(struct parallel *p);

/* ---- count_apart.c ---- */

/* Handle what each part counts for itself (PARTS_COUNTED): count_find finds it; the others are
 * called around the loop, in a part before and behind its share, and for the loop itself, which
 * runs twice. */
void count_find(struct parallel *p, const struct scope *scope);
void count_open(struct parallel *p);
void count_begin(struct parallel *p);
void count_end(struct parallel *p);
void count_run(struct parallel *p, const struct scope *scope);

/* ---- parallel_group.c ---- */

/* Gives the result, in a part, groups of the part's own, which append from begin[group] on.
 * parents: the position of the first parent of the first group, or NULL. Returns the groups of the
 * code around. */
struct append_group *groups_begin(struct kernel *k, struct result *r,
                                  const struct imp *const *begin, const struct imp *parents);
/* Returns an array of numbers by part for group g; its name is made of the group's and `what`. */
const struct imp_var *group_numbers(struct parallel *p, const struct result *r, int g,
                                    const char *what);
/* Returns which positions of group g the part brings, as a joint for the level functions.  They go
 * to where the part before it ends.  They come from position `from` of the result's own arrays, or
 * from position 0 of the part's arrays if `from` is NULL. end: by part, where its positions end. */
struct level_joint group_joint(struct kernel *k, const struct result *r, int g,
                               const struct imp *part, const struct imp_var *from,
                               const struct imp_var *end);
/* May the loops skip parents of the first group? */
bool groups_skip(const struct result *r);
/* Sets, behind the loop, each group's counter to total[group]. */
void groups_close(struct kernel *k, const struct result *r, const struct imp *const *total);
/* Copies a chunk of the result to its place.  `group` and `places` (NULL: none) tell how much it
 * has in each group and in the first level. */
void groups_join(struct kernel *k, const struct result *r, const struct tensor_code *chunk,
                 const struct level_joint *group, const struct level_joint *places);

/* Returns the first parent of the first group at or behind iteration `at`. */
const struct imp *groups_parents(struct parallel *p, const struct result *r, const struct imp *at);

/* ---- assembly_twice.c ---- */

/* Handle results and lists that a loop on a GPU makes in two runs: twice_find finds them, false if
 * there are none; twice_open opens them before the first run, for this many parts; twice_turn goes
 * from counting to storing. */
bool twice_find(struct parallel *p);
/* Has anything to be counted, or has each component a place? */
bool twice_counts(const struct parallel *p);
void twice_open(struct parallel *p, const struct imp *parts);
/* Can the first run be left out, because each part has one entry of one list, and nothing else? */
bool twice_once(struct parallel *p, const struct imp *run);
void twice_turn(struct parallel *p);
void twice_close(struct parallel *p);
/* Are called in a part, before and behind the loop's body. */
void twice_enter(struct parallel *p);
void twice_leave(struct parallel *p);

/* ---- result_split.c ---- */

/* Divides parents of an assembled result with more children than a level may have below one. */
void result_split(struct kernel *k, const struct result *r);

/* ---- assembly_compact.c ---- */

/* Do parts append to some result in place (PARTS_COMPACTED)? */
bool compact_applies(const struct parallel *p);
/* Returns the condition that positions can count the room of all parts; NULL: they always can.
 * Where it does not hold there is one part. */
const struct imp *compact_fits(struct parallel *p);

/* ---- assembly_join.c ---- */

/* Returns how a part of a parallel loop assembles the result; NULL if parts do not assemble it. */
const struct assembly_way *join_way(struct context *cx, const struct tree *tree);

/* Are the parts of a result joined by their places in its first level? */
bool join_has_places(const struct parallel *p);
/* Does the first level of the result have a place for every coordinate? */
bool join_is_placed(const struct result *r);
/* Returns the coordinate of the first level at which iteration `at` begins. */
const struct imp *join_first_place(struct parallel *p, const struct result *r,
                                   const struct imp *at);
/* Returns the position of that coordinate there: of differences the least has position 0. */
const struct imp *join_first_position(struct parallel *p, const struct result *r,
                                      const struct imp *at);
/* Finds the places in the first level that the part of this number has. */
void join_places(struct parallel *p, const struct result *r, const struct imp *part,
                 struct level_joint *places);

#endif
