/* imperative.h - the imperative IR: loops, conditions, scalars and arrays.
 *
 * What lowering makes and what the backends print.  It is executable: interpret.c runs it with
 * every array access checked.  Nodes are immutable, live in the context's arena, and are made by
 * the constructors below, which fold nothing; simplify.c does that.
 *
 *   expressions                                            in C
 *     IMP_LITERAL    value                                  7, 0.5
 *     IMP_VAR        var                                    pA2
 *     IMP_OP         op, arg[args]; computed in `computed`  a + b; lazy: select(c, a, b), and()
 *                    or() of bools
 *     IMP_CAST       arg[0] converted to type               (double)a
 *     IMP_LOAD       var (an array), arg[0] position        A2_crd[p]; lanes > 1: that many from
 *                                                           there on
 *     IMP_CALL       function, arg[args]                    search_i32(A2_crd, lo, hi, i); gives no
 *                                                           value if it has effects
 *     IMP_LANES      arg[lanes]                             (f64x8){a, b, ...}
 *     IMP_BROADCAST  arg[0] in every lane                   a - (f64x8){0}
 *     IMP_LANE       arg[0] a vector, lane number n         v[3]
 *     IMP_SHUFFLE    for each lane a literal, arg[2 + l]:   __builtin_shufflevector(a, b, 0, 4)
 *                    which of the lanes of arg[0], and
 *                    behind them of arg[1], it is
 *     IMP_IN_LINE    var (an array), arg[0] position, n     in_line(a, p, 64): stream.h
 *     IMP_THREADS    how many threads would run a parallel  omp_get_max_threads()
 *                    loop that began here
 *     IMP_STOPPED    is this run to end, as of now?          *stop
 *   ... which happen once, where a declaration or an assignment has them for its value
 *     IMP_EXCHANGE   exchange: arg[0] of a lane of the      __shfl_up_sync(mask, v, d, 32)
 *                    team of n lanes, which arg[1] says;
 *                    or of all lanes: one bit each
 *     IMP_UPDATE     what IMP_ATOMIC finds there; of three  atomicAdd(&a[p], v)
 *                    args: arg[1] is stored if it finds
 *                    arg[2]
 *     IMP_FETCH      arg[0] an IMP_LOAD from memory that    cudaMemcpyAsync(&n, ...)
 *                    launches write; waits for them
 *
 *   statements
 *     IMP_BLOCK      arg[args]
 *     IMP_DECLARE    var, arg[0] its first value or none    int32_t pA2 = A2_pos[i];
 *     IMP_ASSIGN     var, op or OP_NONE, arg[0]             t += v;
 *     IMP_STORE      var (an array), op or OP_NONE, arg[0] position, arg[1] value     y[i] += t;
 *     IMP_ATOMIC     IMP_STORE in one step, whatever other parts do; arg[1] may load the element
 *     IMP_DO         arg[0] a call of a helper with effects sort_row_i32(n, w1_crd, ...);
 *     IMP_IF         arg[0] condition, arg[1] then, arg[2] else or none
 *     IMP_WHILE      arg[0] condition, arg[1] body
 *     IMP_FOR        var from arg[0] below arg[1], step n; arg[2] body, which does not change var
 *     IMP_PARALLEL   var from 0 below arg[0]; arg[1] body, a part of the work each; schedule, n its
 *                    chunk or 0
 *     IMP_LAUNCH     arg[0] blocks of n threads each run arg[2]; var is the number of the block,
 *                    arg[1] IMP_VAR that of the thread in its block; i32
 *     IMP_BARRIER    all threads of the block (n = 0), or of the team of n lanes, come to it, and
 *                    see what any of them has stored before
 *     IMP_BREAK      leave the innermost loop
 *     IMP_RETURN     arg[0], or nothing in a helper with effects
 *     IMP_FAIL       leave the kernel with status n, freeing what it has allocated; in a part of a
 *                    parallel loop: the part, and the kernel when the loop has ended
 *     IMP_ALLOC      var (an array) gets arg[0] uninitialised elements; fails with STATUS_NO_MEMORY
 *     IMP_RESIZE     var (an array) gets arg[0] elements and keeps what it held; fails with
 *                    STATUS_NO_MEMORY
 *     IMP_FREE       var (an array that was IMP_ALLOC'ed here)
 *     IMP_KEEP       var (an array of arrays), arg[0] place, arg[1] IMP_VAR of an array allocated
 *                    here: moves there
 *     IMP_TAKE       var (an array) is from here on the one in arg[0] IMP_VAR of an array of arrays
 *                    at place arg[1], which keeps it
 *     IMP_MOVE       var (an array, whose memory is released) gets for good the one in arg[0]
 *                    IMP_VAR of an array of arrays at place arg[1], which has none there any more
 *     IMP_JOIN       var (an array) gets arg[4] elements and keeps its first, as many as the first
 *                    number in arg[2] IMP_VAR of an array says; behind them go, for good, those of
 *                    the arg[1]-th that each of arg[3] parts has kept in arg[0] IMP_VAR of an array
 *                    of arrays: from where the part's number says to where the next one does; fails
 *                    with STATUS_NO_MEMORY
 *     IMP_FILL       var (an array), arg[0] first, arg[1] one past last position, arg[2] value
 *     IMP_COPY       var (an array), arg[0] first position, arg[1] IMP_VAR of an array of its type,
 *                    arg[2] first position there, arg[3] how many elements; the array may be the
 *                    same: elements are moved
 *     IMP_PREFETCH   var (an array), arg[0] position, wherever it is: no effect, but the element
 *                    will be needed soon
 *     IMP_COMMENT    text
 *
 * A parallel loop runs its parts in any order, by any number of threads.  What a part declares is
 * its own, and with it what it allocates; of what is declared outside it changes only elements of
 * arrays, each of which no other part touches, unless all of them do so atomically by the same
 * operator.  It hands arrays over with IMP_KEEP.  All parts run, also where one has failed; the
 * kernel then fails with the greatest status of any.
 *
 * A launch runs its blocks in any order, and the threads of a block at once.  What it declares is a
 * thread's own, but for a shared array, of which a block has one.  A team of n lanes are n threads
 * whose numbers in the block begin with a multiple of n.  docs/ir.md has the rules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_IMPERATIVE_H
#define SPCC_IMPERATIVE_IMPERATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/context.h"
#include "compiler/value/op.h"

struct text;

enum imp_kind {
#define IMP(NAME, is_expression)  IMP_##NAME,
#define MEMORY(NAME, word, takes) IMP_##NAME,
#include "compiler/imperative/imperative.def"
#undef IMP
#undef MEMORY
};
enum { IMP_KINDS = IMP_COMMENT + 1 };

/* A set of kinds. */
#define IMP_BIT(NAME) ((uint64_t)1 << IMP_##NAME)
#define IMP_LOOPS     (IMP_BIT(FOR) | IMP_BIT(WHILE))
#define IMP_EXITS     (IMP_BIT(BREAK) | IMP_BIT(RETURN) | IMP_BIT(FAIL))

/* For a switch over the kinds that is about statements only, or about expressions. */
// clang-format off
#define IMP_ANY_STATEMENT \
    IMP_BLOCK: case IMP_DECLARE: case IMP_ASSIGN: case IMP_STORE: case IMP_ATOMIC: case IMP_DO: \
    case IMP_IF: case IMP_WHILE: case IMP_FOR: case IMP_PARALLEL: case IMP_LAUNCH: \
    case IMP_BARRIER: case IMP_BREAK: \
    case IMP_RETURN: case IMP_FAIL: case IMP_ANY_MEMORY: case IMP_COMMENT
#define IMP_ANY_MEMORY \
    IMP_ALLOC: case IMP_RESIZE: case IMP_FREE: case IMP_KEEP: case IMP_TAKE: case IMP_MOVE: \
    case IMP_JOIN: case IMP_FILL: case IMP_COPY: case IMP_PREFETCH
#define IMP_ANY_EXPRESSION \
    IMP_LITERAL: case IMP_VAR: case IMP_OP: case IMP_CAST: case IMP_LOAD: case IMP_CALL: \
    case IMP_LANES: case IMP_BROADCAST: case IMP_LANE: case IMP_SHUFFLE: \
    case IMP_IN_LINE: case IMP_THREADS: case IMP_STOPPED: case IMP_EXCHANGE: case IMP_UPDATE: \
    case IMP_FETCH
// clang-format on

/* Where an array is: in memory, allocated or the caller's; in the memory that the threads of a
 * launch's block share; or in a thread's own. */
enum imp_place { PLACE_MEMORY, PLACE_SHARED, PLACE_LOCAL };

/* A variable: a scalar, a vector of lanes, or an array. */
struct imp_var {
    const char *name; /* unique in its function */
    /* the name to use where no other visible name is the same; NULL: `name` */
    const char *base_name;
    enum type type; /* of the scalar, of a lane, of an element */
    int lanes;      /* 1 unless it is a vector */
    bool array;
    enum imp_place place;
    int length; /* of an array that is not in memory */
    /* an array that is only read, or a scalar that is never assigned after its declaration */
    bool constant;
    bool restricted; /* an array that nothing else aliases */
    /* An array of arrays, with elements of any type, if not 0: this many for each part of a
     * parallel loop. It is allocated empty, is freed with the arrays that it keeps, and is used by
     * IMP_KEEP, IMP_TAKE, IMP_MOVE and IMP_JOIN alone. Those of a single part need no memory but
     * the function's own. */
    int arrays;
    /* an array that is allocated at one place with a literal number of elements, so that it may lie
     * in the function's own memory */
    bool small;
    bool positive; /* an integer that is never less than 1: divisions by it need no check */
    bool counts;   /* the number of elements of an array, which addresses can always count */
    /* an integer that tells how much arrays have room for.  More may come, so it has to be compared
     * before they are written (check_capacity.c). */
    bool capacity;
};

/* Returns the stem for names of variables that belong to this one. */
static inline const char *imp_stem(const struct imp_var *var)
{
    return var->base_name ? var->base_name : var->name;
}

/* The kernel's return values (contract 4), from 0 on. */
enum imp_status {
    STATUS_OK,
    STATUS_NO_MEMORY,
    STATUS_TOO_LARGE,
    STATUS_OUT_OF_RANGE,
    STATUS_OUT_OF_BOUND,
    STATUS_NOT_STORED,
    STATUS_STOPPED
};

/* May several iterations of a loop be taken together? */
enum imp_iterations {
    /* No: an iteration may need what those before it have done. */
    ITERATIONS_IN_ORDER,
    /* They share only what they reduce into, each by one associative and commutative operator. */
    ITERATIONS_REDUCE,
    /* Each writes elements of its own, and reads none that another one writes. */
    ITERATIONS_APART,
};

/* Which parts of a parallel loop a thread does: an equal number, or more whenever it is done with
 * some. */
enum imp_schedule { SCHEDULE_STATIC, SCHEDULE_DYNAMIC };

/* What a lane of a team gets from an exchange: the value of the lane this many below; of the lane
 * whose number differs in these bits; of the lane of this number; or of all lanes for which a
 * condition holds, lane l as bit l. */
enum imp_exchange { EXCHANGE_UP, EXCHANGE_XOR, EXCHANGE_AT, EXCHANGE_BALLOT };

/* What a schedule asks of a loop: this many iterations in a step (0: it does not say), and
 * vectors. */
struct imp_asked {
    const char *loop; /* the loop's name, which tells loops apart */
    int unroll;
    bool vectors, tries; /* it asks for vectors; if there can be any */
    struct span span;    /* the directive, for messages about what cannot be done */
};

/* What lowering knows of a loop, a fill or an `if` beyond its code, and what the schedule asks.
 * Passes keep it.
 *
 * A row is what a nest of loops reduces into: adjacent elements of one array.  Rows have numbers
 * from 1 on.  A row's number is on the loops of the nest, on the loops inside it that go over the
 * whole row, and on the fill before the nest that serves nothing else. */
struct imp_mark {
    enum imp_iterations iterations;
    const struct imp_asked *asked; /* or NULL */
    int reduces_row;               /* the number of the row that the nest reduces into, or 0 */
    int row; /* the number of the row that the loop goes over, or the fill fills; or 0 */
    /* The common number of a fill and of the nest behind it in its block: the nest combines with
     * exactly the elements that are filled, and with all of them if none of its loops is empty.
     * Elements beyond a range that each of its iterations has may be left out.  0: none. */
    int start;
    /* The loop's variable, or one that the body declares and that advances with it, is a coordinate
     * of what the loop stores to.  All coordinates between the loop's bounds have elements of their
     * own there; the loop may skip some. */
    bool in_row;
    /* the most iterations, and a number that their number is a multiple of; 0: unknown */
    int64_t most, multiple;
    /* Of a loop over stored positions: one past the last position of any of its runs, in parameters
     * alone; or, if it reads no array, the end of its only run, or of the loop that it was a part
     * of; or NULL. */
    const struct imp *last;
    /* Every position before `last` has a coordinate, since all levels are compact. */
    bool compact;
    /* Of such a loop: an array of coordinates that never descend from position to position; or
     * NULL. */
    const struct imp_var *ascends;
    /* Of an `if`: it is the code behind it that has to be fast. */
    bool rare;
    /* Of `if (e >= 0)`: the number of coordinates, of which e is one if the condition holds, in
     * parameters alone.  If it is not 0, coordinate 0 may be used in place of e.  NULL: e is no
     * coordinate. */
    const struct imp *coordinates;
};

struct imp {
    enum imp_kind kind;
    enum type type; /* of an expression's value */
    int lanes;      /* 1 unless it is a vector */
    enum op op;
    enum type computed; /* IMP_OP: the type its operands have been converted to */
    /* IMP_FOR: the step; IMP_PARALLEL: the chunk; IMP_LAUNCH: the threads of a block; of exchanges
     * and barriers the lanes of a team; also of IMP_LANE, IMP_FAIL and IMP_IN_LINE; of IMP_STORE in
     * stream.h */
    int64_t n;
    union {
        enum imp_schedule schedule; /* IMP_PARALLEL */
        enum imp_exchange exchange; /* IMP_EXCHANGE */
    };
    const struct imp_mark *mark; /* of an IMP_FOR, IMP_WHILE, IMP_FILL, IMP_IF, or NULL */
    struct value value;
    const struct imp_var *var;
    const struct imp_function *function;
    const char *text;
    int args;
    const struct imp *const *arg;
    /* how many nodes it has, counting each as often as it is used, INT_MAX at most */
    int size;
};

/* Is it evaluated only in part, as and() is if its first operand is false? */
static inline bool imp_is_lazy(const struct imp *imp)
{
    bool logic = imp->computed == TYPE_BOOL && (imp->op == OP_AND || imp->op == OP_OR);
    return imp->kind == IMP_OP && imp->lanes == 1 && (imp->op == OP_SELECT || logic);
}

/* What a parameter means to the caller. */
enum imp_role {
    ROLE_DIMENSION, /* size of mode `mode` of tensor */
    ROLE_ARRAY,     /* array `array` of level `level` of tensor */
    ROLE_VALUES,    /* the component values of tensor */
    ROLE_LOCAL,     /* of a helper function: no role */
};

struct imp_param {
    const struct imp_var *var;
    enum imp_role role;
    int tensor;             /* tensor_var.rank */
    int mode, level, array; /* 0-based */
    /* The kernel assembles the array: it is passed as T **.  On entry *p is ignored; on success
     * it is what the kernel allocated, on failure NULL.  Inside the function var is an ordinary
     * array. */
    bool out;
    bool before;         /* of the result, tensor 0: the values that it had before the call */
    const char *meaning; /* one line for the documentation of the parameter */
};

/* What a launch becomes in a CUDA file: a function of this name with these variables as
 * parameters. */
struct imp_entry {
    const struct imp *launch;
    const char *name;
    int params;
    const struct imp_var *const *param;
};

struct imp_function {
    const char *name;
    /* a static inline function that returns `result`; else the kernel, which returns an int
     * status */
    bool helper;
    /* a helper that returns nothing, and is called for what it writes to arrays */
    bool effects;
    /* it contains barriers or exchanges, in which the threads of a team or a block meet */
    bool meets;
    /* it is host code that launches, or calls such code */
    bool launches;
    /* A helper that does only what libraries have functions for.  sorts, called as (n, array): it
     * sorts the first n elements.  multiplies: it adds the product of two matrices to a third one
     * (prelude/multiply.ir). */
    bool sorts, multiplies;
    /* of a helper: a line that says what it does, for readers of the source; or NULL */
    const char *brief;
    enum type result;
    int params;
    const struct imp_param *param;
    const struct imp *body;
    /* of a kernel: the functions that it calls, callees first */
    int helpers;
    const struct imp_function *const *helper_at;
};

/* ---- constructors: never fail; types are derived and checked with context_assert ---- */

struct imp_var *imp_var(struct context *cx, const char *name, enum type type);
struct imp_var *imp_array(struct context *cx, const char *name, enum type element, bool constant);
/* Returns an array of arrays. */
struct imp_var *imp_arrays(struct context *cx, const char *name, int few);

const struct imp *imp_literal(struct context *cx, struct value value);
const struct imp *imp_int(struct context *cx, enum type type, int64_t i);
const struct imp *imp_i64(struct context *cx, int64_t i);
const struct imp *imp_true(struct context *cx);
/* IMP_VAR */
const struct imp *imp_read(struct context *cx, const struct imp_var *var);
const struct imp *imp_load(struct context *cx, const struct imp_var *array,
                           const struct imp *position);
const struct imp *imp_load_lanes(struct context *cx, const struct imp_var *array,
                                 const struct imp *position, int lanes);
/* Operands are converted (IMP_CAST where their type differs) to op_compute_type of their types;
 * lanes must agree.  Of a user's operator (compiler/value/operator.h) what it is made of is made,
 * here and in imp_assign and imp_store; operands that it uses more than once should be
 * variables, literals or loads. */
const struct imp *imp_op(struct context *cx, enum op op, const struct imp *const *arg, int args);
const struct imp *imp_op1(struct context *cx, enum op op, const struct imp *a);
const struct imp *imp_op2(struct context *cx, enum op op, const struct imp *a, const struct imp *b);
/* Both conditions, of which each may be NULL: it always holds. */
const struct imp *imp_both(struct context *cx, const struct imp *a, const struct imp *b);
/* Returns one more than e, in its type. */
const struct imp *imp_next(struct context *cx, const struct imp *e);
const struct imp *imp_select(struct context *cx, const struct imp *condition, const struct imp *a,
                             const struct imp *b);
/* a itself if it has the type */
const struct imp *imp_cast(struct context *cx, enum type type, const struct imp *a);
/* Arrays are passed as IMP_VARs. */
const struct imp *imp_call(struct context *cx, const struct imp_function *function,
                           const struct imp *const *arg, int args);
const struct imp *imp_lanes(struct context *cx, const struct imp *const *arg, int lanes);
const struct imp *imp_broadcast(struct context *cx, const struct imp *a, int lanes);
const struct imp *imp_lane(struct context *cx, const struct imp *vector, int lane);
/* So many lanes of two vectors that are alike, in this order: those of b count on from a's. */
const struct imp *imp_shuffle(struct context *cx, const struct imp *a, const struct imp *b,
                              const int *lane, int lanes);
const struct imp *imp_threads(struct context *cx); /* an i32 */
const struct imp *imp_stopped(struct context *cx);

/* ---- launches (launch.c) ---- */

/* Returns an array of a launch. */
struct imp_var *imp_placed(struct context *cx, const char *name, enum type element,
                           enum imp_place place, int length);
const struct imp *imp_launch(struct context *cx, const struct imp_var *block,
                             const struct imp_var *thread, const struct imp *blocks, int threads,
                             const struct imp *body);
/* Returns what the threads of a block share in a launch with this body. */
int64_t imp_shared_bytes(const struct imp *body);
/* Of a team of this many lanes; 0: of the block. */
const struct imp *imp_barrier(struct context *cx, int lanes);
/* lane: which one, as the exchange has it; NULL for a ballot, whose value is a condition. */
const struct imp *imp_exchange(struct context *cx, enum imp_exchange exchange,
                               const struct imp *value, const struct imp *lane_or_null, int lanes);
const struct imp *imp_update(struct context *cx, const struct imp_var *array,
                             const struct imp *position, enum op op, const struct imp *value);
/* Returns what is there; the value takes its place if that is what is expected. */
const struct imp *imp_swap(struct context *cx, const struct imp_var *array,
                           const struct imp *position, const struct imp *expected,
                           const struct imp *value);
const struct imp *imp_fetch(struct context *cx, const struct imp *load);
/* Does the expression happen once, where it stands? */
static inline bool imp_is_event(const struct imp *imp)
{
    return imp->kind == IMP_EXCHANGE || imp->kind == IMP_UPDATE || imp->kind == IMP_FETCH;
}
/* Returns the variables that a statement declares, one after the other; NULL: no more. */
const struct imp_var *imp_declared(const struct imp *imp, int i);

const struct imp *imp_block(struct context *cx, const struct imp *const *arg, int args);
const struct imp *imp_declare(struct context *cx, const struct imp_var *var,
                              const struct imp *init_or_null);
const struct imp *imp_assign(struct context *cx, const struct imp_var *var, enum op op,
                             const struct imp *value);
/* One more than it was. */
const struct imp *imp_increment(struct context *cx, const struct imp_var *var);
/* The value is converted to the element type. */
const struct imp *imp_store(struct context *cx, const struct imp_var *array,
                            const struct imp *position, enum op op, const struct imp *value);
const struct imp *imp_atomic(struct context *cx, const struct imp_var *array,
                             const struct imp *position, enum op op, const struct imp *value);
const struct imp *imp_do(struct context *cx, const struct imp *call);
const struct imp *imp_if(struct context *cx, const struct imp *condition, const struct imp *then,
                         const struct imp *otherwise_or_null);
const struct imp *imp_while(struct context *cx, const struct imp *condition,
                            const struct imp *body);
const struct imp *imp_for(struct context *cx, const struct imp_var *var, const struct imp *begin,
                          const struct imp *end, int64_t step, const struct imp *body);
/* chunk: parts at a time; 0: as the schedule has it. */
const struct imp *imp_parallel(struct context *cx, const struct imp_var *var,
                               const struct imp *parts, enum imp_schedule schedule, int64_t chunk,
                               const struct imp *body);
const struct imp *imp_break(struct context *cx);
const struct imp *imp_return(struct context *cx, const struct imp *value_or_null);
const struct imp *imp_fail(struct context *cx, enum imp_status status);
/* A statement about arrays, as imperative.def has it: what it is called, and which letters say what
 * it takes; NULL: the kind is another. */
struct imp_memory {
    const char *word, *takes;
};
const struct imp_memory *imp_memory_of(enum imp_kind kind);
enum { IMP_MEMORY_ARGS = 5 }; /* that one takes, at most */
/* An array among the arguments is an IMP_VAR. */
const struct imp *imp_memory(struct context *cx, enum imp_kind kind, const struct imp_var *array,
                             const struct imp *const *arg);
#define IMP_MEMORY(kind, array, ...) \
    return imp_memory(cx, kind, array, (const struct imp *const[]){__VA_ARGS__})
static inline const struct imp *imp_alloc(struct context *cx, const struct imp_var *array,
                                          const struct imp *elements)
{
    IMP_MEMORY(IMP_ALLOC, array, elements);
}
static inline const struct imp *imp_resize(struct context *cx, const struct imp_var *array,
                                           const struct imp *elements)
{
    IMP_MEMORY(IMP_RESIZE, array, elements);
}
static inline const struct imp *imp_free(struct context *cx, const struct imp_var *array)
{
    return imp_memory(cx, IMP_FREE, array, NULL);
}
static inline const struct imp *imp_keep(struct context *cx, const struct imp_var *arrays,
                                         const struct imp *place, const struct imp_var *array)
{
    IMP_MEMORY(IMP_KEEP, arrays, place, imp_read(cx, array));
}
static inline const struct imp *imp_take(struct context *cx, const struct imp_var *array,
                                         const struct imp_var *arrays, const struct imp *place)
{
    IMP_MEMORY(IMP_TAKE, array, imp_read(cx, arrays), place);
}
static inline const struct imp *imp_move(struct context *cx, const struct imp_var *array,
                                         const struct imp_var *arrays, const struct imp *place)
{
    IMP_MEMORY(IMP_MOVE, array, imp_read(cx, arrays), place);
}
static inline const struct imp *imp_join(struct context *cx, const struct imp_var *array,
                                         const struct imp_var *arrays, const struct imp *number,
                                         const struct imp_var *begin, const struct imp *parts,
                                         const struct imp *elements)
{
    IMP_MEMORY(IMP_JOIN, array, imp_read(cx, arrays), number, imp_read(cx, begin), parts, elements);
}
static inline const struct imp *imp_fill(struct context *cx, const struct imp_var *array,
                                         const struct imp *begin, const struct imp *end,
                                         const struct imp *value)
{
    IMP_MEMORY(IMP_FILL, array, begin, end, imp_cast(cx, array->type, value));
}
/* n elements of the one array, from at on, are copied from those of the other, from first on. */
static inline const struct imp *imp_copy(struct context *cx, const struct imp_var *array,
                                         const struct imp *at, const struct imp_var *other,
                                         const struct imp *first, const struct imp *n)
{
    IMP_MEMORY(IMP_COPY, array, at, imp_read(cx, other), first, n);
}
static inline const struct imp *imp_prefetch(struct context *cx, const struct imp_var *array,
                                             const struct imp *position)
{
    IMP_MEMORY(IMP_PREFETCH, array, position);
}
#undef IMP_MEMORY
const struct imp *imp_comment(struct context *cx, const char *text);

/* Returns the loop or fill with this mark. */
const struct imp *imp_marked(struct context *cx, const struct imp *imp,
                             const struct imp_mark *mark);

bool imp_is_expression(const struct imp *imp);
bool imp_declares(const struct imp *imp);                 /* its variable */
bool imp_equal(const struct imp *a, const struct imp *b); /* but for their marks */
/* The same, and variables that one declares may have other names in the other. */
bool imp_does_same(struct context *cx, const struct imp *a, const struct imp *b);

/* Rebuild a node with other args; returns imp itself when they are all the same pointers. */
const struct imp *imp_with_args(struct context *cx, const struct imp *imp,
                                const struct imp *const *arg);

/* Apply visit to every node below and including imp, parents first; stops and returns true when
 * visit does. */
bool imp_any(const struct imp *imp, bool (*visit)(const struct imp *imp, void *data), void *data);

/* Returns the value that is converted, however often; itself if it is not. */
static inline const struct imp *imp_bare(const struct imp *e)
{
    return e->kind == IMP_CAST ? imp_bare(e->arg[0]) : e;
}

/* Is it of one of these kinds, or a node below it? */
static inline bool imp_is(const struct imp *imp, uint64_t kinds) { return kinds >> imp->kind & 1; }
bool imp_has(const struct imp *imp, uint64_t kinds);

/* Returns how many nodes below and including imp are of the variable. */
int imp_uses(const struct imp *imp, const struct imp_var *var);

/* Returns the statement where `rewrite` has taken the place of each statement in it, the innermost
 * first, and then of it. */
const struct imp *imp_rewrite(struct context *cx, const struct imp *imp,
                              const struct imp *(*rewrite)(struct context *cx,
                                                           const struct imp *imp, void *data),
                              void *data);

/* Returns the node where `to` stands in the place of each one in it that is equal to `from`. */
const struct imp *imp_replaced(struct context *cx, const struct imp *imp, const struct imp *from,
                               const struct imp *to);

/* ---- the checker, and the printer ---- */

/* Broken invariants as text in the arena; NULL if there is none. */
const char *imp_check(struct context *cx, const struct imp_function *function);

/* In C-like syntax, for people. */
void imp_print(struct text *out, const struct imp_function *function);
/* ... without the helpers that it calls. */
void imp_print_alone(struct text *out, const struct imp_function *function);
/* Returns a statement in a line: of one that has others in it what stands before them. */
const char *imp_statement_text(struct context *cx, const struct imp *imp);

#endif
