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

/* The arrays of a tensor in the code. */
struct tensor_code {
    const struct tensor_var *tensor;
    const struct imp_var *(*array)[LEVEL_ARRAYS]; /* by level */
    /* by level: the content of its array of kind LEVEL_SCALAR, or NULL */
    const struct imp_var **scalar;
    const struct imp_var *values;
    /* of a workspace of one level that a team of threads keeps in a table; else NULL */
    const struct level_table *table;
    const struct imp *entries; /* of a list with counted entries: their number; else NULL */
};

/* A group of the result's levels (struct assembly_group) while positions are appended to it. */
struct append_group {
    int first, last, slots;        /* the assembly's */
    const struct imp_var *counter; /* how many positions it has so far */
    /* how many parents have their ends stored, if parents may be skipped */
    const struct imp_var *filled;
    bool skips; /* parents may be skipped, so `filled` is in use */
    /* of a part with a known number of positions: where they end and those of the next part begin;
     * else NULL */
    const struct imp_var *end;
    bool counted; /* its arrays have room for exactly what is stored, since that was counted */
    const struct imp_var *capacity; /* how many positions there is room for */
    bool has_all; /* the capacity is what operands have, or what positions can count */
    bool fits;    /* ... and no more positions than that can come */
    bool wide;    /* counter and capacity are i64, also if positions are i32 */
};

struct sized_var {
    const struct index_var *var;
    const struct imp *size;
};

/* A tensor that is assembled by counting (workspace/segments.h). */
struct segments {
    const struct cin *access; /* the access by which it is assigned */
    /* the second run, which puts components into their places; the first run counts them */
    bool puts;
    /* by slot: the number of components, or the place of the next one */
    const struct imp_var *next;
};

/* A result, and how it is made at the current place of the lowering. */
struct result {
    int rank;
    const struct tree *tree; /* the request's tree for this result */
    /* the access by which it is assigned; if a sequence assigns it several times, the current
     * one */
    const struct cin *access;
    const struct assembly *assembly; /* the tree's */
    struct append_group *group;      /* the assembly's groups */
    /* how it is assembled here: parts of a parallel loop have ways of their own */
    const struct assembly_way *way;
    struct segments segments; /* ASSEMBLY_COUNT */
    /* of levels in Morton order: how many siblings came before */
    const struct imp_var **turn;
    /* of a part of the result: the coordinates [part_low, part_low + part_size) of its first level;
     * NULL: it is whole */
    const struct imp *part_low, *part_size;
    /* a part in whose first level all coordinates have been inserted before */
    bool has_inserted;
    /* While the loops only count how much room the last group needs: the counting.  Behind it: that
     * room. Else NULL. */
    const struct capacity_count *counted;
    const struct imp *room;
};

/* A temporary tensor of order 1 or more while its producer writes it, and its consumer reads it. */
struct workspace {
    struct tensor_code code;
    /* the assignment by which the producer writes it, w(i,j) op= ...: the first; behind it the
     * last */
    const struct cin *assign;
    const struct workspace_way *way;
    /* of a list, by level: the coordinates of its entries in the order in which they come */
    const struct imp_var **crd;
    /* of a list: the level that has its segments, 0, or 1 below a dense level of rows */
    int root;
    /* of a list with rows: the rows of its entries, until the segments are made */
    const struct imp_var *rows;
    const struct imp_var *vals, *count, *capacity;
    const struct imp *room; /* of a list without a capacity: its most entries; or NULL */
    const struct tree *tree;
    /* NULL: the where stands in a loop, which runs the producer again and again */
    const struct tree_node *producer;
    bool joined;  /* it is the joint of what parts of a parallel loop make, and has no capacity */
    bool covered; /* everything that the consumer reads is assigned */
    bool listed;  /* the consumer only goes along its list */
    bool tallies; /* of a list that is made in two runs: this run counts entries alone */
    bool single;  /* of such a list: part n has one entry, number n */
    /* several entries may come for one component; found as the producer is lowered */
    bool repeats;
    /* entries that agree in the levels before this one come in the order of the other levels; 0:
     * all entries come in storage order */
    int sorted_from;
    int ascending; /* that many first levels have ascending coordinates */
    /* of one that each team of a launch has: the number of this team, which is the position at the
     * root, and the number of teams; else NULL */
    const struct imp *team, *teams;
    bool again;               /* the where is inside a loop */
    struct segments segments; /* of one that is assembled by counting */
    /* the number of the row that is all of it, if it is filled before the producer; else 0 */
    int row;
    struct placed_blocks *placed; /* workspace_place.c; or NULL */
    struct row_bits *bits;        /* workspace_bits.c; or NULL */
};

/* How lower.c lowers the statements inside others. */
struct kernel_calls {
    /* the statement at the place that is child number `child` of the scope's */
    void (*statement)(struct kernel *k, const struct scope *scope, int child);
    /* the statement of the scope's place, in the way of its kind */
    void (*kind)(struct kernel *k, const struct scope *scope);
    /* all that makes the result */
    void (*program)(struct kernel *k, struct result *r, const struct scope *scope);
};

/* A component of a tensor that a thread is at.  Iterations that follow each other combine into it,
 * those of this thread and perhaps of the threads before and behind, so it is kept in a register
 * until the iterations go on to another component (begun.c). */
struct kernel_begun {
    const struct tensor_var *tensor;
    const struct imp_var *array; /* its values */
    enum op op;
    struct value start;
    /* its position (i64), or -1 before the first; and what has been combined so far */
    const struct imp_var *at, *value;
    /* If loops over columns are around the loops over components, each team keeps a component for
     * each column in the arrays at_of and value_of; in a column's loops it is in `at` and `value`.
     * columns is 0: there are no such loops. */
    const struct index_var *const *column;
    int columns;
    const struct imp_var *at_of, *value_of;
    const struct imp *team; /* which of `teams` */
    int64_t teams;
};

/* The part of a parallel loop that is lowered, as the code inside sees it. */
struct kernel_part {
    const struct tree_node *node;  /* the loop */
    const struct imp *from, *past; /* the part's share [from, past) */
    bool has_coordinates; /* the share is one of the loop's coordinates, else of positions */
    /* tensors that parts update atomically */
    const struct tensor_var *const *atomic;
    size_t atomics;
    /* tensors of which the thread keeps the component that it is at */
    const struct kernel_begun *begun;
    size_t begins;
    /* how many positions of the access's level are in the part; NULL: that is not known */
    const struct imp *(*positions)(struct parallel *p, const struct cin *access, int level);
    struct parallel *parallel;
};

/* A workspace of one mode that lists its components, of which each team of a launch makes its own
 * in a table (level_type.in_table): the assignment that fills it, and the arrays in memory for the
 * tables of all teams. */
struct kernel_table {
    const struct cin *assign;
    const struct imp_var *key, *list, *values;
};

/* The tables that teams of a launch make (lower/parallel/launch_rows.c). */
struct kernel_rows {
    struct kernel_table *table;
    int tables;
    /* this launch makes no tables; it counts in `room` how much would be put into them */
    bool counts;
    const struct imp_var *room;
    const struct imp *has; /* else: how much is put into one table at most, i64 */
    /* of tables in shared memory: their places, and how many components they list at most; 0:
     * tables are in memory, with this width */
    int places, listed;
    const struct imp *width;
};

/* The launch that is lowered, as the code inside sees it. */
struct kernel_launch {
    const struct cin_tag *tag; /* of its outermost loop */
    /* the number of the current team among all such teams of the grid, and how many there are:
     * i64 */
    const struct imp *team, *teams;
    /* its number among those of its block, i64, and how many a block has */
    const struct imp *in_block;
    int64_t block_teams;
    /* declarations of workspaces in shared memory, or in each thread's own */
    VEC(const struct imp *) placed;
    /* arrays of tables in shared memory, and what each is for: one for all regions of a loop */
    VEC(const struct imp_var *) shared;
    VEC(const void *) shared_for;
    VEC(const struct imp *) apart; /* statements that each thread executes by itself */
    /* ifs around loops that threads share: they ask whether the thread has iterations */
    VEC(const struct imp *) shares;
    const struct kernel_rows *rows; /* or NULL */
    int lanes; /* how many threads the current team has: some of one warp, or all of the block */
    bool is_block;
    const struct imp_var *thread; /* the thread's number in its block */
    struct launch *launch;
};

struct kernel {
    struct context *cx;
    struct imp_builder b;
    const struct lower_request *request;
    const struct kernel_calls *lower;
    const struct cin_program *program; /* the tree's */
    struct result *result;             /* each, by rank */
    bool computes;                     /* what is lowered now computes values, not patterns alone */
    struct tensor_code *code;          /* by rank */
    VEC(struct sized_var) size;
    struct imp_unit unit; /* the unit that the builder adds to */
    /* declarations of sizes that have names of their own */
    VEC(const struct imp *) sizes;
    VEC(struct imp_param) params;
    VEC(struct workspace *) workspaces;
    /* statements around all loops, for workspaces */
    VEC(const struct imp *) prologue, epilogue;
    struct workspace *placed;       /* whose blocks are listed or appended now; or NULL */
    int rows, starts;               /* how many rows and starts have numbers so far */
    const struct kernel_part *part; /* the part of a parallel loop that is lowered, or NULL */
    struct kernel_launch *launch;   /* the launch that is lowered, or NULL */
    bool refused;                   /* the launch cannot be lowered: there is a diagnostic */
};

/* How far an access is resolved: its first `levels` levels are, to the positions [position, next);
 * next is NULL for position + 1.  If `found` is not NULL the positions are valid only where it
 * holds; elsewhere the access has the value of its fill. */
struct access_place {
    const struct cin *access;
    int levels;
    const struct imp *position, *next, *found;
    const struct imp *value; /* the value, once it has been read */
    const struct access_place *outer;
    /* only the positions [from, to) of the next level count: those in the block that this variable
     * tells */
    const struct index_var *block;
    const struct imp *from, *to;
    int64_t step; /* as in struct place */
};

/* A scalar temporary: its variable, and a flag that is set when it is written, or NULL. */
struct temporary_place {
    const struct tensor_var *tensor;
    const struct imp_var *var, *written;
    const struct temporary_place *outer;
};

/* A component that a loop reduces into, in a register; `written`, or NULL, is set when it does. */
struct held_component {
    const struct tensor_var *tensor;
    const struct imp_var *reg, *written;
};

/* A row that the loops around reduce into, with its number (imperative.h, marks). */
struct row_place {
    const struct cin *target;
    int number;
};

/* A nest that starts from a fill before it; both are marked with this number (imperative.h). */
struct start_place {
    const struct tree_node *nest;
    int number;
};

/* What is known of a relation of positions or by work.  By positions: `parent`, a variable that a
 * loop keeps at the parent of the current position; or `begin`, where the positions below one
 * parent begin. By work: `begin` and `past`, the positions of the current part; or `parent`, where
 * those of the part before have ended. */
struct position_place {
    const struct cin_relation *by;
    const struct imp_var *parent; /* or NULL */
    const struct imp *begin;      /* or NULL */
    const struct imp *past;       /* or NULL */
    const struct position_place *outer;
};

/* How far a result is resolved at the current place. */
struct result_place {
    /* of a result that is appended to: this many levels, to this position */
    int levels;
    const struct imp *position;
    /* in which a component is accumulated, or NULL */
    const struct imp_var *reg;
    /* A flag that is set when the result is written, or NULL.  Before the statement none_yet it is
     * not set.  When it is set first, the block of values below the group's position is filled;
     * NULL: there is none. */
    const struct imp_var *produced;
    const struct tree_node *none_yet;
    /* ... and the first time, a group whose block below the position is filled, or NULL */
    const struct append_group *block;
};

/* How often an assignment counts here: `count` times as often as outside. */
struct times_place {
    const struct imp *count; /* i64, at least 1 */
    const struct times_place *outer;
};

struct scope {
    const struct tree_place *place; /* of the statement that is lowered */
    /* the result that the statement, or a statement around it, makes: the first of several; `place`
     * is in its tree */
    struct result *made;
    struct known known;
    const struct imp *const *coordinate; /* by known variable */
    const struct access_place *accesses;
    const struct temporary_place *temporaries;
    const struct position_place *positions;
    const struct times_place *times;             /* or NULL */
    struct result_place result[TIN_RESULTS_MAX]; /* by rank */
    struct held_component held;                  /* a component of a workspace */
    struct row_place row;
    struct start_place start;
};

/* ---- kernel.c: names, sizes, parameters, places ---- */

/* Returns a variable or an array with a name that this kernel has not used: the given name, or one
 * with a number appended. */
struct imp_var *kernel_var(struct kernel *k, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct imp_var *kernel_array(struct kernel *k, enum type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void kernel_declare_tensors(struct kernel *k);
/* Returns the size of a variable's range.  kernel_find_size gives NULL if nothing tells it yet. */
const struct imp *kernel_size(struct kernel *k, const struct index_var *var);
const struct imp *kernel_find_size(const struct kernel *k, const struct index_var *var);
/* Returns the size that the range really has, even if a bound says which it must have; NULL if the
 * variable's loop is gone. */
const struct imp *kernel_counted_size(struct kernel *k, const struct index_var *var);
/* Returns the first coordinate of the variable's range (NULL: 0), and the one past the last. */
const struct imp *kernel_low(struct kernel *k, const struct index_var *var);
const struct imp *kernel_end(struct kernel *k, const struct index_var *var);
/* Returns the first coordinate of `whole` whose part `part` (or a part of a part) is `at` or more;
 * the end of its range if there is none. */
const struct imp *kernel_first_of(struct kernel *k, const struct index_var *part,
                                  const struct index_var *whole, const struct imp *at);
struct tensor_code *kernel_code(struct kernel *k, const struct tensor_var *tensor);
bool kernel_is_result(const struct kernel *k, const struct tensor_var *tensor);
/* Returns the results that a statement assigns, in turn:
 *
 *     for (struct result *r = NULL; (r = kernel_next_result(k, statement, r));) ... */
struct result *kernel_next_result(const struct kernel *k, const struct cin *statement,
                                  const struct result *before);
/* Returns the result that is this tensor, or NULL. */
struct result *kernel_find_result(const struct kernel *k, const struct tensor_var *tensor);
/* Is it an access by which a result is assigned? */
bool kernel_is_target(const struct kernel *k, const struct cin *target);
/* Returns the workspace that is currently made of the temporary tensor, or NULL. */
struct workspace *kernel_workspace(const struct kernel *k, const struct tensor_var *tensor);
/* Declares the arrays of a tensor's levels and its values, without making them parameters. */
void kernel_declare_arrays(struct kernel *k, struct tensor_code *code);

/* Returns where the code keeps the level's array of this kind; NULL if the level has none. */
const struct imp_var **code_array(const struct tensor_code *code, int level,
                                  enum level_array_kind kind);

/* Returns the tensor's table in the current launch, or NULL. */
const struct kernel_table *kernel_table(const struct kernel *k, const struct tensor_var *tensor);

/* Refuses the current launch: a diagnostic the first time. */
void kernel_refuse(struct kernel *k, const struct cin_tag *tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Double the capacity, or raise it to what is needed (i64; NULL: one more), `most` at most.  The
 * code fails if `most` is not enough. */
void kernel_double(struct kernel *k, const struct imp_var *capacity, const struct imp *needed,
                   int64_t most);
/* Makes the code fail if the number is larger. */
void kernel_check_most(struct kernel *k, const struct imp *number, int64_t most);

struct level_code kernel_level(struct kernel *k, const struct cin *access, int level,
                               const struct imp *parent, const struct imp *next);

/* Gives the level's code functions the ranges that they need, and the level's scalar. */
void kernel_level_range(struct kernel *k, const struct cin *access, int level,
                        struct level_code *code);

/* Returns how many positions the levels [first, end), none of which is appended to, have below so
 * many parents (i64). */
const struct imp *kernel_positions(struct kernel *k, const struct cin *access, int first, int end,
                                   const struct imp *parents);

/* Do several parts update the tensor, so that each update has to be atomic? */
bool kernel_is_atomic(const struct kernel *k, const struct tensor_var *tensor);
/* Combines with an element of the tensor's array: atomically if several parts do. */
const struct imp *kernel_combine(struct kernel *k, const struct tensor_var *tensor,
                                 const struct imp_var *array, const struct imp *position,
                                 enum op op, const struct imp *value);
/* Does the same, or combines with the component that the thread keeps, if that is this one. */
void kernel_store(struct kernel *k, const struct tensor_var *tensor, const struct imp_var *array,
                  const struct imp *position, enum op op, const struct imp *value);

/* ---- begun.c ---- */

/* Declares the variables of a component that the thread keeps, named after `name`; it has none yet.
 */
void begun_declare(struct kernel *k, struct kernel_begun *begun, const char *name);
/* Returns the number of columns of a team. */
const struct imp *begun_columns(struct kernel *k, const struct kernel_begun *begun);
/* Loads what the team keeps for the column, before the loops over the components of a column, and
 * puts it back behind them.  begun_resume gives the part that the code inside sees; NULL if the
 * loops are no such loops. */
struct kernel_part *begun_resume(struct kernel *k, const struct scope *scope,
                                 const struct cin *loops);
void begun_suspend(struct kernel *k, const struct scope *scope, const struct kernel_part *part);
/* Goes on to the component at this position, if the thread keeps components of the tensor; else
 * NULL. */
const struct kernel_begun *begun_enter(struct kernel *k, const struct tensor_var *tensor,
                                       const struct imp *position);
/* Combines the component that the thread keeps with what is stored, unless there is none yet. */
void begun_store(struct kernel *k, const struct kernel_begun *begun);

const struct imp *scope_coordinate(const struct scope *scope, const struct index_var *var);
const struct access_place *scope_access(const struct scope *scope, const struct cin *access);
const struct temporary_place *scope_temporary(const struct scope *scope,
                                              const struct tensor_var *tensor);
/* Returns the scope outside all loops: literals and what follows from them are bound. */
struct scope scope_outside(struct kernel *k);
/* Binds a variable, and all variables that follow from it, which get variables in the code. */
void scope_bind(struct kernel *k, struct scope *scope, const struct index_var *var,
                const struct imp *coordinate);
/* Binds all variables of `more` that are not known yet.  `coordinate` is that of the first one that
 * does not follow from others.  If `whole` is not NULL, its coordinate is `at`. */
void scope_bind_known(struct kernel *k, struct scope *scope, const struct known *more,
                      const struct imp *coordinate, const struct index_var *whole,
                      const struct imp *at);
/* Returns the variables of `more` that do not need to be read at a position, which may be behind
 * the last one. */
struct known scope_before_positions(const struct scope *scope, const struct known *more);

/* Returns the value of var when the loop's variable has the value `at`; NULL if var does not grow
 * with it step by step from values that are known. */
const struct imp *scope_value_at(struct kernel *k, const struct scope *scope,
                                 const struct index_var *var, const struct index_var *loop,
                                 const struct imp *at);

/* Returns what the code functions of relations are given at this place. */
struct relation_code kernel_relation(struct kernel *k, const struct scope *scope);

/* Is the guard's variable in its range?  All variables that it follows from are bound. */
const struct imp *guard_condition(struct kernel *k, const struct scope *scope,
                                  const struct lattice_guard *guard);
/* Expresses the guard as narrower bounds of the loop over var, before var is bound; false if they
 * cannot. */
bool guard_narrows(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard,
                   const struct index_var *var, const struct imp **begin, const struct imp **end);

/* ---- operand.c: positions and values of operands ---- */

struct place {
    const struct imp *position, *next, *found;
    bool readable; /* the position is in range, found or not */
    int64_t step;  /* of a run: the distance of its positions; 0: they follow each other */
};

/* Returns the positions of the access's last resolved level in this scope; the root's if none is
 * resolved. */
struct place operand_place(struct kernel *k, const struct scope *scope, const struct cin *access);

/* Locates the levels [first, end) from a place on, and emits the code for that.  `found` is NULL if
 * they are always present. */
struct place operand_locate(struct kernel *k, const struct scope *scope, const struct cin *access,
                            int first, int end, struct place from);

/* Returns one past the last position of the access's level; NULL if it does not follow from the
 * last position of the level above. */
const struct imp *operand_end(struct kernel *k, const struct cin *access, int level);

/* Returns how many positions (i64) the operands have together; in a part of a parallel loop those
 * of the part.  NULL: that is not known.  *fits: they are certainly no more than `most`. */
const struct imp *operand_positions(struct kernel *k, const struct tree_capacity *room,
                                    int64_t most, bool *fits);

/* Notes that from here on in this scope the access, all of whose levels are resolved, is present.
 */
void scope_is_there(struct kernel *k, struct scope *scope, const struct cin *access);

/* Records that the access's levels before `end` are resolved.  If these are all, and `body` has
 * loops, it reads the access's value. */
void operand_resolve(struct kernel *k, struct scope *scope, const struct cin *access, int end,
                     struct place place, const struct cin *body);

/* Restricts the access's next level to the positions [from, to), those of the block of var. */
void operand_narrow(struct kernel *k, struct scope *scope, const struct cin *access,
                    const struct index_var *var, const struct imp *from, const struct imp *to);

/* ---- position.c: from positions back to coordinates ---- */

/* Returns the first position of level end - 1 below a position of level first - 1. Children of a
 * parent come behind those of the parent before, so this is also how many positions this many
 * parents have. */
const struct imp *position_first(struct kernel *k, const struct cin *access, int first, int end,
                                 const struct imp *position);
/* Returns the relation's position, in its level; and its parent's position, in the level above. */
const struct imp *position_at(struct kernel *k, const struct scope *scope,
                              const struct cin_relation *r);
const struct imp *position_parent(struct kernel *k, const struct scope *scope,
                                  const struct cin_relation *r);
/* Return the work in a relation by work (i64), and where the part known in the scope lies. */
const struct imp *position_steps(struct kernel *k, const struct cin_relation *r);
const struct imp *position_part(struct kernel *k, const struct scope *scope,
                                const struct cin_relation *r, const struct imp **past);
/* Finds, where operands have just been resolved, the range of positions that loops in the body go
 * over, and the part of them that a relation by work tells. */
void position_open(struct kernel *k, struct scope *scope, const struct cin *body);
/* Keeps a variable, from before the loop, at the parent of each position that ascends along it. */
void position_track(struct kernel *k, struct scope *scope, const struct tree_node *node,
                    const struct imp *begin);

/* ---- block.c: levels whose coordinates are in blocks ---- */

/* Returns the coordinate of the iterator's first level, as the loop over `loop` counts it. */
const struct imp *block_coordinate(struct kernel *k, const struct scope *outside,
                                   const struct lattice_iterator *it, const struct imp *coordinate);
/* Returns the first position in array[begin, end), whose elements ascend, with an element of
 * `least` (i64) or more. */
const struct imp *find_first(struct kernel *k, const struct imp_var *array, const struct imp *begin,
                             const struct imp *end, const struct imp *least);
/* Has the block more positions than the loop goes over?  NULL: any block. */
bool block_is_larger(const struct lattice_iterator *it, const struct index_var *block);
/* Returns the level's array of coordinates, or NULL. */
const struct imp_var *block_coordinates(const struct level_code *code);
/* Narrows [begin, end) to the positions with coordinates first to past (i64) in the loop.  Where
 * the condition `when` (NULL: always) does not hold, they are left as they are. */
void block_search(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct level_code *code, const struct imp *first, const struct imp *past,
                  const struct imp *when, const struct imp **begin, const struct imp **end);
/* Narrows the range of the loop likewise. */
void block_bounds(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct index_var *loop, const struct level_code *code,
                  const struct imp **begin, const struct imp **end);

const struct imp *lower_expression(struct kernel *k, const struct scope *scope,
                                   const struct cin *cin);
/* Returns the value, in a variable if it is more than one itself, for an operator that may use it
 * twice. */
const struct imp *lower_once(struct kernel *k, const struct imp *value, const char *name);

/* ---- times.c ---- */

/* Returns what the assignment assigns, or combines with, times how often it counts at this place.
 */
const struct imp *lower_value(struct kernel *k, const struct scope *scope,
                              const struct cin *assign);

/* ---- mark.c: what is known of loops ---- */

/* Notes, before a loop is lowered, whether it starts a nest that reduces into a row. */
void mark_row(struct kernel *k, struct scope *scope, const struct cin *forall);
const struct imp *mark_fill(struct kernel *k, int row, const struct imp *fill);
/* Returns the fill of what the loop at the place is about to reduce into.  If the nest goes over
 * all of that, the fill and the nest get marks with one number. */
const struct imp *mark_start(struct kernel *k, struct scope *scope, const struct tree *tree,
                             const struct imp *fill);
const struct imp_mark *mark_of(struct kernel *k, const struct scope *scope,
                               const struct tree_node *node);
/* Returns the mark of a loop over all of the variable's range. */
const struct imp_mark *mark_whole(struct kernel *k, const struct imp_mark *mark,
                                  const struct index_var *var);
/* Returns the marks of the loop over the rounds in which the node's positions come, and of the loop
 * over the positions of a round; `mark` is the node's. */
const struct imp_mark *mark_of_rounds(struct kernel *k, const struct imp_mark *mark);
const struct imp_mark *mark_in_round(struct kernel *k, const struct scope *scope,
                                     const struct tree_node *node, const struct imp_mark *mark);
/* Returns the mark of an `if` that asks whether a position of the level is occupied. */
const struct imp_mark *mark_occupied(struct kernel *k, const struct level_code *code);
/* Returns the mark of a loop over the positions of a level. */
const struct imp_mark *mark_with_last(struct kernel *k, const struct imp_mark *mark,
                                      const struct cin *access, int level);

#endif
