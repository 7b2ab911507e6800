/* kernel.h - the state of lowering, and what is lowest in it; private to compiler/lower.
 *
 * Each part of the lowering calls the parts below it alone (docs/architecture.md).  What a part
 * wants of one above it is in the kernel: the statements inside others (struct kernel_calls), and
 * the part of a parallel loop that is lowered (struct kernel_part).
 *
 * A kernel is what is true everywhere: tensors' arrays, sizes, names.  A scope is what is true at
 * one place in the code: which variables are bound to which coordinates, which levels of which
 * accesses have been resolved to which positions. Scopes are values; entering a region copies one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LOWER_BASE_KERNEL_H
#define SPCC_LOWER_BASE_KERNEL_H

#include "compiler/base/vec.h"
#include "compiler/level_code.h"
#include "compiler/lower/lower.h"
#include "compiler/relation/relation_code.h"

struct kernel;
struct launch;
struct parallel;
struct capacity_count;
struct scope;

/* A tensor's arrays. */
struct tensor_code {
    const struct tensor_var *tensor;
    const struct imp_var *(*array)[LEVEL_ARRAYS]; /* by level */
    /* by level: what its array of kind LEVEL_SCALAR holds, or NULL */
    const struct imp_var **scalar;
    const struct imp_var *values;
    const struct level_table *table; /* of one level, which a team has in a table; or NULL */
};

/* A group of the result's levels (struct assembly), while positions are appended to it. */
struct append_group {
    int first, last, slots;        /* the assembly's */
    const struct imp_var *counter; /* how many positions there are so far */
    /* how many parents' ends have been stored, where parents may be skipped */
    const struct imp_var *filled;
    bool skips; /* parents may be skipped: `filled` is in use */
    /* of a part that has so many positions: where they end, and those of others begin; or NULL */
    const struct imp_var *end;
    bool counted;                   /* there is no room but for what is stored */
    const struct imp_var *capacity; /* how many there is room for */
    bool has_all;                   /* ... as many as operands have, or as positions can count */
    bool fits;                      /* ... which are all that there will be */
    bool wide; /* the counter and the capacity are i64, whatever positions can count */
};

struct sized_var {
    const struct index_var *var;
    const struct imp *size;
};

/* What is assembled by counting (workspace/segments.h). */
struct segments {
    const struct cin *access;   /* by which components are assigned to */
    bool puts;                  /* each is put in its place: they are counted */
    const struct imp_var *next; /* by slot: how many there are, or where the next component goes */
};

/* A result, and how it is made. */
struct result {
    int rank;
    const struct tree *tree; /* the request's, as it is for this result */
    /* the access that is assigned to, of several in a sequence the one that is lowered now */
    const struct cin *access;
    const struct assembly *assembly; /* the tree's */
    struct append_group *group;      /* its groups */
    const struct assembly_way *way;  /* at this time */
    struct segments segments;        /* of one that is counted */
    /* of the levels that take turns: how many siblings came before */
    const struct imp_var **turn;
    /* of a part of it: the coordinates of its first level are [low, low + size); NULL */
    const struct imp *part_low, *part_size;
    /* in a part: the coordinates of its first level are inserted already */
    bool has_inserted;
    /* while the room is counted that its last group needs at most; then that; or NULL */
    const struct capacity_count *counted;
    const struct imp *room;
};

/* A temporary tensor: what the consumer reads, and what the producer writes before it is
 * finished. */
struct workspace {
    struct tensor_code code;
    /* how the producer writes it, w(i,j) op= ...: first, then last */
    const struct cin *assign;
    const struct workspace_way *way;
    /* of a list, by level: coordinates and values as they come */
    const struct imp_var **crd;
    /* of a list: the level that has its segments; 1 below a dense one: rows */
    int root;
    /* the coordinates of the dense one, until the segments are made */
    const struct imp_var *rows;
    const struct imp_var *vals, *count, *capacity;
    const struct imp *room; /* of a list without a capacity: all that there may be; or NULL */
    const struct tree *tree;
    const struct tree_node *producer; /* NULL: it is run again and again, in a loop */
    bool joined;  /* all of it is what parts of a parallel loop make: it has no capacity */
    bool covered; /* all that is read of it is assigned */
    bool tallies; /* of a list that is made in two runs: in this one entries are counted only */
    bool single;  /* ... each part has one entry: that of its number */
    /* found as the producer is lowered: several entries may come for one component */
    bool repeats;
    /* ... and entries that agree in the levels before this one come in the order of the others; it
     * is 0 where all come in storage order */
    int sorted_from;
    /* ... and so many of the first levels ascend */
    int ascending;
    /* of one that each team of a launch has: the number of this team, below the root, and how many
     * there are; or NULL */
    const struct imp *team, *teams;
    bool again;               /* the where is inside a loop */
    struct segments segments; /* of one that is counted */
    int row;                  /* all of it, filled before the producer; or 0 */
};

/* The statements inside others, as lower.c lowers them. */
struct kernel_calls {
    /* the statement at the place that is child number `child` of the scope's */
    void (*statement)(struct kernel *k, const struct scope *scope, int child);
    /* the statement of the scope's place, in the way of its kind */
    void (*kind)(struct kernel *k, const struct scope *scope);
    /* all that makes the result */
    void (*program)(struct kernel *k, struct result *r, const struct scope *scope);
};

/* A component of a tensor that iterations one after the other combine into, of which those before
 * and behind have some, too: kept while it is at hand (begun.c). */
struct kernel_begun {
    const struct tensor_var *tensor;
    const struct imp_var *array; /* its values */
    enum op op;
    struct value start;
    /* where it is, as i64, or -1: there is none; and what it has so far */
    const struct imp_var *at, *value;
    /* Where loops over columns are around those that go along components: kept by column and team
     * in these arrays, in variables in a column's loops alone.  columns is 0: there are none. */
    const struct index_var *const *column;
    int columns;
    const struct imp_var *at_of, *value_of;
    const struct imp *team; /* which of so many */
    int64_t teams;
};

/* The part of a parallel loop, to the code in it. */
struct kernel_part {
    const struct tree_node *node;  /* the loop */
    const struct imp *from, *past; /* what the part has: [from, past) */
    bool has_coordinates;          /* ... of the loop's coordinates; else of positions */
    /* tensors which several parts write at once */
    const struct tensor_var *const *atomic;
    size_t atomics;
    /* of others those that the thread has at hand */
    const struct kernel_begun *begun;
    size_t begins;
    /* how many positions the access has there in the level; NULL: that is not to be said */
    const struct imp *(*positions)(struct parallel *p, const struct cin *access, int level);
    struct parallel *parallel;
};

/* A workspace of one mode that lists what it has, of which each team of a launch makes its own, in
 * a table (level_type.in_table): by what it is assigned, and where those of all teams are. */
struct kernel_table {
    const struct cin *assign;
    const struct imp_var *key, *list, *values; /* in memory */
};

/* The tables of a launch (lower/parallel/launch_rows.c). */
struct kernel_rows {
    struct kernel_table *table;
    int tables;
    bool counts; /* this launch makes none: it counts what they would get, all into `room` */
    const struct imp_var *room;
    const struct imp *has; /* else: so much is put into a table at most, i64 */
    /* of one that a block's threads share: its places, and how many it lists; 0: it is in memory,
     * and has such a width */
    int places, listed;
    const struct imp *width;
};

/* The launch that is lowered, to the code in it. */
struct kernel_launch {
    const struct cin_tag *tag; /* of its outermost loop */
    /* Who does it, of all in the grid that do the like: i64. */
    const struct imp *team, *teams;
    /* ... and of the like in its block: i64 */
    const struct imp *in_block;
    int64_t block_teams;
    /* workspaces that are shared by a block's threads, or each one's own: their declarations */
    VEC(const struct imp *) placed;
    VEC(const struct imp *) apart;  /* statements that each thread does by itself */
    const struct kernel_rows *rows; /* or NULL */
    int lanes; /* the team at hand has so many threads: of one warp, or all of a block's */
    bool is_block;
    const struct imp_var *thread; /* in its block */
    struct launch *launch;
};

struct kernel {
    struct context *cx;
    struct imp_builder b;
    const struct lower_request *request;
    const struct kernel_calls *lower;
    const struct cin_program *program; /* the tree's */
    struct result *result;             /* each, by rank */
    bool computes;                     /* values, by what is lowered now, besides patterns */
    struct tensor_code *code;          /* by rank */
    VEC(struct sized_var) size;
    struct imp_unit unit; /* the builder's */
    /* the declarations of those that have names of their own */
    VEC(const struct imp *) sizes;
    VEC(struct imp_param) params;
    VEC(struct workspace *) workspaces;
    /* of workspaces: statements around all loops */
    VEC(const struct imp *) prologue, epilogue;
    int rows, starts;               /* that have numbers */
    const struct kernel_part *part; /* that is lowered; or NULL */
    struct kernel_launch *launch;   /* that is lowered; or NULL */
    bool refused;                   /* it cannot be lowered: there is a diagnostic */
};

/* Where an access is: its first `levels` levels are resolved to positions [position, next); next is
 * NULL for position + 1. They are valid only where `found` holds, if it is not NULL; elsewhere
 * the access is worth its fill. */
struct access_place {
    const struct cin *access;
    int levels;
    const struct imp *position, *next, *found;
    const struct imp *value; /* once it has been read */
    const struct access_place *outer;
    /* only positions [from, to) of the next level count: of this block */
    const struct index_var *block;
    const struct imp *from, *to;
    int64_t step; /* as in struct place */
};

/* A temporary: the variable that holds it, and a flag that is set when it is written, or NULL. */
struct temporary_place {
    const struct tensor_var *tensor;
    const struct imp_var *var, *written;
    const struct temporary_place *outer;
};

/* A component that a loop reduces into, kept in a register; written is set with the first share,
 * or NULL. */
struct held_component {
    const struct tensor_var *tensor;
    const struct imp_var *reg, *written;
};

/* A row that the loops so far reduce into, and its number (imperative.h). */
struct row_place {
    const struct cin *target;
    int number;
};

/* A nest that starts from a fill in front of it, and the number of both (imperative.h). */
struct start_place {
    const struct tree_node *nest;
    int number;
};

/* Of a relation of positions: the position of the parent, which a loop keeps up with that of the
 * child; or where the positions begin that are counted below one.  Of a relation by work: where the
 * positions of the part at hand begin, and end; or, as `parent`, where those of the one before have
 * ended. */
struct position_place {
    const struct cin_relation *by;
    const struct imp_var *parent; /* or NULL */
    const struct imp *begin;      /* or NULL */
    const struct imp *past;       /* or NULL */
    const struct position_place *outer;
};

/* Where a result is. */
struct result_place {
    /* of one that is appended to: resolved so far */
    int levels;
    const struct imp *position;
    /* in which a component is accumulated, or NULL */
    const struct imp_var *reg;
    /* a flag to set when the result is written, or NULL; before this statement it is not set */
    const struct imp_var *produced;
    const struct tree_node *none_yet;
    /* ... and the first time, a group whose block below the position is filled, or NULL */
    const struct append_group *block;
};

/* What is assigned here counts so often, and that again as often as outside. */
struct times_place {
    const struct imp *count; /* i64, 1 at least */
    const struct times_place *outer;
};

struct scope {
    const struct tree_place *place; /* of the statement that is lowered */
    /* what is made by the statement, or by the one that it is a part of: of several results the
     * first, whose tree the place is in */
    struct result *made;
    struct known known;
    const struct imp *const *coordinate; /* of each known variable */
    const struct access_place *accesses;
    const struct temporary_place *temporaries;
    const struct position_place *positions;
    const struct times_place *times;             /* or NULL */
    struct result_place result[TIN_RESULTS_MAX]; /* by rank */
    struct held_component held;                  /* of a workspace */
    struct row_place row;
    struct start_place start;
};

/* ---- kernel.c: names, sizes, parameters, places ---- */

/* With a name not used yet in this kernel: the given one, or with a number behind. */
struct imp_var *kernel_var(struct kernel *k, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct imp_var *kernel_array(struct kernel *k, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void kernel_declare_tensors(struct kernel *k);
/* The size of a variable's range; kernel_find_size: NULL if nothing gives it yet. */
const struct imp *kernel_size(struct kernel *k, const struct index_var *var);
const struct imp *kernel_find_size(const struct kernel *k, const struct index_var *var);
/* The size that there is, also where a bound says which it has to be; NULL: its loop is gone. */
const struct imp *kernel_counted_size(struct kernel *k, const struct index_var *var);
/* The least coordinate of the range, NULL if that is 0; and one past the last. */
const struct imp *kernel_low(struct kernel *k, const struct index_var *var);
const struct imp *kernel_end(struct kernel *k, const struct index_var *var);
/* The first coordinate of the whole, or its end, from which on its first part, or the first part of
 * that, is `at` or more. */
const struct imp *kernel_first_of(struct kernel *k, const struct index_var *part,
                                  const struct index_var *whole, const struct imp *at);
struct tensor_code *kernel_code(struct kernel *k, const struct tensor_var *tensor);
bool kernel_is_result(const struct kernel *k, const struct tensor_var *tensor);
/* The results that a statement assigns, in turn:
 *
 *     for (struct result *r = NULL; (r = kernel_next_result(k, statement, r));) ...
 */
struct result *kernel_next_result(const struct kernel *k, const struct cin *statement,
                                  const struct result *before);
/* The one that is this tensor; NULL: it is none. */
struct result *kernel_find_result(const struct kernel *k, const struct tensor_var *tensor);
/* Is it the access by which a result is assigned to? */
bool kernel_is_target(const struct kernel *k, const struct cin *target);
/* The one that is made of the temporary tensor now; NULL: there is none. */
struct workspace *kernel_workspace(const struct kernel *k, const struct tensor_var *tensor);
/* Declare the arrays of a tensor's levels and its values, without making them parameters. */
void kernel_declare_arrays(struct kernel *k, struct tensor_code *code);

/* Where the code keeps the array of a level that is of this kind; NULL if the level has none. */
const struct imp_var **code_array(const struct tensor_code *code, int level,
                                  enum level_array_kind kind);

/* The table of the tensor in the launch that is lowered; NULL: it has none. */
const struct kernel_table *kernel_table(const struct kernel *k, const struct tensor_var *tensor);

/* The launch that is lowered cannot be: the first time there is a diagnostic. */
void kernel_refuse(struct kernel *k, const struct cin_tag *tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Twice the capacity, or what is needed (i64; NULL: one more), `most` at most; fails if that is too
 * little. */
void kernel_double(struct kernel *k, const struct imp_var *capacity, const struct imp *needed,
                   int64_t most);
/* Fail if there are more. */
void kernel_check_most(struct kernel *k, const struct imp *number, int64_t most);

struct level_code kernel_level(struct kernel *k, const struct cin *access, int level,
                               const struct imp *parent, const struct imp *next);

/* Set what the level's code functions need to know of ranges, and its scalar. */
void kernel_level_range(struct kernel *k, const struct cin *access, int level,
                        struct level_code *code);

/* How many positions the levels [first, end), which are not appended to, have below that many
 * (i64) parents. */
const struct imp *kernel_positions(struct kernel *k, const struct cin *access, int first, int end,
                                   const struct imp *parents);

/* Are updates of the tensor made in one step, since several parts make them? */
bool kernel_is_atomic(const struct kernel *k, const struct tensor_var *tensor);
/* Combine with an element of an array of the tensor's: at once, where several parts may do so. */
const struct imp *kernel_combine(struct kernel *k, const struct tensor_var *tensor,
                                 const struct imp_var *array, const struct imp *position,
                                 enum op op, const struct imp *value);
/* ... or with the component at hand. */
void kernel_store(struct kernel *k, const struct tensor_var *tensor, const struct imp_var *array,
                  const struct imp *position, enum op op, const struct imp *value);

/* ---- begun.c ---- */

/* Variables for it, in which there is none yet: of this name. */
void begun_declare(struct kernel *k, struct kernel_begun *begun, const char *name);
/* How many columns there are; a team has these one after the other. */
const struct imp *begun_columns(struct kernel *k, const struct kernel_begun *begun);
/* In a column, around the loops that go along its components: what there is of one is at hand; and
 * is put back.  Gives the part that the code sees in them; NULL: the node is none of these. */
struct kernel_part *begun_resume(struct kernel *k, const struct scope *scope,
                                 const struct cin *loops);
void begun_suspend(struct kernel *k, const struct scope *scope, const struct kernel_part *part);
/* The component there is at hand from here on, if the tensor's are; NULL: they are not. */
const struct kernel_begun *begun_enter(struct kernel *k, const struct tensor_var *tensor,
                                       const struct imp *position);
/* What a component has is combined with what is stored, unless there is none. */
void begun_store(struct kernel *k, const struct kernel_begun *begun);

const struct imp *scope_coordinate(const struct scope *scope, const struct index_var *var);
const struct access_place *scope_access(const struct scope *scope, const struct cin *access);
const struct temporary_place *scope_temporary(const struct scope *scope,
                                              const struct tensor_var *tensor);
/* Outside all loops: literals, and what follows from them, are bound. */
struct scope scope_outside(struct kernel *k);
/* Bind a variable, and what follows from it, which gets variables in the code. */
void scope_bind(struct kernel *k, struct scope *scope, const struct index_var *var,
                const struct imp *coordinate);
/* The scope in which more is known; the coordinate is that of the first of it, unless it follows;
 * that of `whole` is at hand, unless that is NULL. */
void scope_bind_known(struct kernel *k, struct scope *scope, const struct known *more,
                      const struct imp *coordinate, const struct index_var *whole,
                      const struct imp *at);
/* Of what is known, that which is not read at a position that may be behind the last one. */
struct known scope_before_positions(const struct scope *scope, const struct known *more);

/* The value of var where the loop has this one; NULL: it does not go up with it step by step, from
 * values that are known. */
const struct imp *scope_value_at(struct kernel *k, const struct scope *scope,
                                 const struct index_var *var, const struct index_var *loop,
                                 const struct imp *at);

/* What the code functions of relations get at this place. */
struct relation_code kernel_relation(struct kernel *k, const struct scope *scope);

/* Is the variable in its range?  All that it follows from is bound. */
const struct imp *guard_condition(struct kernel *k, const struct scope *scope,
                                  const struct lattice_guard *guard);
/* The same as narrower bounds of the loop over var, before var is bound; false if they cannot
 * say it. */
bool guard_narrows(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard,
                   const struct index_var *var, const struct imp **begin, const struct imp **end);

/* ---- operand.c: positions and values of operands ---- */

struct place {
    const struct imp *position, *next, *found;
    bool readable; /* it is in range, found or not */
    int64_t step;  /* of a run: its positions are so many apart; 0: they follow each other */
};

/* The positions of the access's resolved levels in this scope: of the root if none is. */
struct place operand_place(struct kernel *k, const struct scope *scope, const struct cin *access);

/* Locate levels [first, end) from a place on, emitting what that takes; found is NULL if they
 * are always there. */
struct place operand_locate(struct kernel *k, const struct scope *scope, const struct cin *access,
                            int first, int end, struct place from);

/* The end of the positions that the access's levels down to this one have; NULL if it does not
 * follow from those of the last position of the level above. */
const struct imp *operand_end(struct kernel *k, const struct cin *access, int level);

/* How many (i64) positions of operands there are, in the part of a parallel loop those that it has;
 * NULL: that is not known.  *fits: they are no more than `most`, however many. */
const struct imp *operand_positions(struct kernel *k, const struct tree_capacity *room,
                                    int64_t most, bool *fits);

/* Where this is lowered the access, all of whose levels are resolved, is there. */
void scope_is_there(struct kernel *k, struct scope *scope, const struct cin *access);

/* Record that the access's levels below end are resolved, and read its value if that is all of
 * them and loops follow. */
void operand_resolve(struct kernel *k, struct scope *scope, const struct cin *access, int end,
                     struct place place, const struct cin *body);

/* From here on only the positions [from, to) of the access's next level count: those of the
 * block that var tells. */
void operand_narrow(struct kernel *k, struct scope *scope, const struct cin *access,
                    const struct index_var *var, const struct imp *from, const struct imp *to);

/* ---- position.c: from positions back to coordinates ---- */

/* The first position of the level before `end` below the position of the level before `first`,
 * where each one's children come behind those of the one before; so it is how many there are below
 * so many. */
const struct imp *position_first(struct kernel *k, const struct cin *access, int first, int end,
                                 const struct imp *position);
/* Where in its level the relation's position is. */
const struct imp *position_at(struct kernel *k, const struct scope *scope,
                              const struct cin_relation *r);
/* Where in the level above the position of its parent is. */
const struct imp *position_parent(struct kernel *k, const struct scope *scope,
                                  const struct cin_relation *r);
/* Of a relation by work: how much there is, i64; and where the part that is known in the scope
 * begins and ends. */
const struct imp *position_steps(struct kernel *k, const struct cin_relation *r);
const struct imp *position_part(struct kernel *k, const struct scope *scope,
                                const struct cin_relation *r, const struct imp **past);
/* Where operands have been resolved: find the range of the positions below that loops in the body
 * are over, and of a part of them by work. */
void position_open(struct kernel *k, struct scope *scope, const struct cin *body);
/* Before the node's loop from begin on: track the parents of the positions that go up along it. */
void position_track(struct kernel *k, struct scope *scope, const struct tree_node *node,
                    const struct imp *begin);

/* ---- block.c: levels whose coordinates are in blocks ---- */

/* What stands in the loop over `loop` for a coordinate of the iterator's first level. */
const struct imp *block_coordinate(struct kernel *k, const struct scope *outside,
                                   const struct lattice_iterator *it, const struct imp *coordinate);
/* The first position in array[begin, end), which ascends, of what is not below the least, which
 * is i64. */
const struct imp *find_first(struct kernel *k, const struct imp_var *array, const struct imp *begin,
                             const struct imp *end, const struct imp *least);
/* Are there more in the positions of that block than the loop goes through?  NULL: in all. */
bool block_is_larger(const struct lattice_iterator *it, const struct index_var *block);
/* The level's array of coordinates, or NULL. */
const struct imp_var *block_coordinates(const struct level_code *code);
/* The positions in [begin, end) whose coordinates in the loop are first to past, which are i64;
 * where a condition does not hold (NULL: there is none) these are all. */
void block_search(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct level_code *code, const struct imp *first, const struct imp *past,
                  const struct imp *when, const struct imp **begin, const struct imp **end);
/* ... in the range of the loop. */
void block_bounds(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct index_var *loop, const struct level_code *code,
                  const struct imp **begin, const struct imp **end);

const struct imp *lower_expression(struct kernel *k, const struct scope *scope,
                                   const struct cin *cin);
/* The value in a variable if it is more than one, for an operator that may use it more than once.
 */
const struct imp *lower_once(struct kernel *k, const struct imp *value, const char *name);

/* ---- times.c ---- */

/* What an assignment assigns or combines with, as often as it counts there. */
const struct imp *lower_value(struct kernel *k, const struct scope *scope,
                              const struct cin *assign);

/* ---- mark.c: what is known of loops ---- */

/* A loop that is about to be lowered may be the first of a nest that reduces into a row. */
void mark_row(struct kernel *k, struct scope *scope, const struct cin *forall);
const struct imp *mark_fill(struct kernel *k, int row, const struct imp *fill);
/* The fill of what the loop at the place is about to reduce into, marked with it if its nest goes
 * over all of that. */
const struct imp *mark_start(struct kernel *k, struct scope *scope, const struct tree *tree,
                             const struct imp *fill);
const struct imp_mark *mark_of(struct kernel *k, const struct scope *scope,
                               const struct tree_node *node);
/* The mark of a loop over all of the variable's range. */
const struct imp_mark *mark_whole(struct kernel *k, const struct imp_mark *mark,
                                  const struct index_var *var);
/* Of a loop over the rounds that the node's positions come in, and of the one over what a round
 * has: mark is the node's. */
const struct imp_mark *mark_of_rounds(struct kernel *k, const struct imp_mark *mark);
const struct imp_mark *mark_in_round(struct kernel *k, const struct scope *scope,
                                     const struct tree_node *node, const struct imp_mark *mark);
/* The mark of an if that asks whether a position of the level is occupied. */
const struct imp_mark *mark_occupied(struct kernel *k, const struct level_code *code);
/* The mark of a loop over the positions of a level. */
const struct imp_mark *mark_with_last(struct kernel *k, const struct imp_mark *mark,
                                      const struct cin *access, int level);

#endif
