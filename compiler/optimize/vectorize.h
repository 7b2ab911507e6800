/* vectorize.h - what the files of the vectorizer share.
 *
 *   lanes.c                 an expression for several iterations of a loop at once
 *   vector.c                names, ends and rests of loops in steps
 *   lane_reduce.c           factors, what a vector is combined with, its lanes with one another
 *   loop_lanes.c            loops that reduce into scalars, or store
 *   unroll_and_jam.c        several iterations of a loop at once
 *   version_blocks.c        blocks that are whole
 *   squares.c               nests whose accesses are contiguous along different loops,
 *   squares_stream.c        and what of them is stored past the caches
 *   strip_mine.c            the strips of a row
 *   strip_rows.c            loops over positions, in strips of one row
 *   loop_plan.c             what a nest combines with, and how its loops move along that
 *   register_tile.c         nests that combine with the same elements again and again,
 *   tile_sites.c            where they do,
 *   tile_steps.c            and what the registers are there
 *   skip_strips.c           segments of which few entries are marked
 *   gather_scatter.c        short segments whose entries are scattered, many in one loop
 *   prefetch.c              prefetches of what later iterations of such a loop need
 *   prefetch_rows.c         ... of rows that a loop, or loops inside it, go along
 *   vectorize.c             which of these is applied to which loop
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_VECTORIZE_H
#define SPCC_OPTIMIZE_VECTORIZE_H

#include "compiler/base/vec.h"
#include "compiler/imperative/builder.h"
#include "compiler/imperative/query.h"
#include "compiler/imperative/var_map.h"
#include "compiler/optimize/pass.h"
#include "compiler/target.h"

enum {
    VECTOR_LANES = 16,       /* adding up more lanes would cost too much */
    VECTOR_UNROLL_MOST = 64, /* the most vectors in a step, if the schedule asks for several */
};

/* A loop over stored positions that may prefetch for a later iteration. */
struct ahead {
    const struct imp *loop;
    /* the declaration of how far ahead it may look, to go in front of the loop; NULL: nothing asks,
     * or each iteration computes it */
    const struct imp *declared;
    /* if there is no such variable: the end of what it looks at; NULL: not yet known */
    const struct imp *last;
    int64_t by;          /* how many iterations ahead; 0: the target's prefetch_ahead */
    struct ahead *outer; /* the for loop around it, or NULL */
    /* what goes in front of the loop and behind it: vectors that its iterations add to, and their
     * sums */
    VEC(const struct imp *) before, behind;
};

struct vectorizer {
    struct context *cx;
    const struct imp_function *function;
    const struct pass_options *options;
    const struct target *target;
    int nodes;                    /* how many nodes vectors have added so far */
    struct var_map done;          /* names of the loops that have the vectors that were asked for */
    VEC(const struct imp *) ends; /* declarations that go in front of the function's body */
    struct ahead *around;         /* the loop whose body is being rewritten, or NULL */
    /* the names of the function, interned; and by stem, how many have numbers */
    struct var_map taken, numbers;
};

/* Returns a new variable whose name begins with `name`. */
struct imp_var *vector_var(struct vectorizer *z, const char *name, enum type type, int lanes);

/* Returns the lanes of a vector whose largest elements have this many bytes. */
static inline int vector_width(const struct vectorizer *z, int bytes)
{
    int lanes = (int)z->target->vector_bytes / bytes;
    return lanes < VECTOR_LANES ? lanes : VECTOR_LANES;
}

/* Returns how many vectors of a row a loop holds at once. */
static inline int vector_row(const struct vectorizer *z)
{
    return (int)(z->target->row_bytes / z->target->vector_bytes);
}

/* Returns the number of the for loop's iterations, or -1 if it is not constant. */
int64_t vector_extent(const struct imp *loop);

/* Returns the most iterations that the loop's bounds or its mark allow; -1 for any number. */
int64_t vector_most(const struct imp *loop);

/* Is the number of the for loop's iterations certainly a multiple of n? */
bool vector_is_multiple(const struct imp *loop, int64_t n);

/* Returns a block of two statements. */
static inline const struct imp *vector_pair(struct context *cx, const struct imp *first,
                                            const struct imp *second)
{
    return imp_block(cx, (const struct imp *const[]){first, second}, 2);
}

/* Returns the loop's end as a variable, which is declared if need be. */
const struct imp *vector_end(struct vectorizer *z, struct imp_builder *b, const struct imp *loop);

/* Is the expression an element, at the loop's variable, of an array that nobody writes? */
static inline bool vector_reads_entry(const struct imp *e, const struct imp_var *var)
{
    return e->kind == IMP_LOAD && e->var->constant && imp_is_read(e->arg[0], var);
}

/* Returns where the whole steps of this size end, in a loop from begin to end. */
const struct imp *vector_whole(struct vectorizer *z, struct imp_builder *b, const struct imp *loop,
                               const struct imp *begin, const struct imp *end, int64_t step);

/* Are n iterations left before `end`, in a loop whose body advances its variable? */
const struct imp *vector_is_left(struct context *cx, const struct imp *loop, const struct imp *end,
                                 int64_t n);

/* Returns a loop whose body goes n iterations on, while n are left. */
const struct imp *vector_steps(struct context *cx, const struct imp *loop, const struct imp *end,
                               int64_t n, const struct imp *body);

/* Returns the remaining iterations, which are fewer than a vector has lanes, one by one. */
const struct imp *vector_rest(struct context *cx, const struct imp *loop, const struct imp *end,
                              int lanes);

/* Returns the loop's body for this value of its variable, with variables of its own (unroll.c). */
const struct imp *unroll_iteration(struct vectorizer *z, const struct imp *loop,
                                   const struct imp *value);

/* Notes that vectors have taken the place of the loop. */
void vector_note(struct vectorizer *z, const struct imp *loop);

/* Return what the schedule asks of the loop.  vector_factor: the number of vectors in a step (0:
 * nothing is asked). vector_is_refused: no vectors, since single iterations are unrolled. */
static inline int vector_factor(const struct imp *loop)
{
    return loop->mark && loop->mark->asked ? loop->mark->asked->unroll : 0;
}

static inline bool vector_is_asked(const struct imp *loop)
{
    return loop->mark && loop->mark->asked && loop->mark->asked->vectors;
}

static inline bool vector_is_refused(const struct imp *loop)
{
    return vector_factor(loop) && !vector_is_asked(loop);
}

/* ---- lanes.c ---- */

/* A loop variable and the declarations of the loop's body. */
struct lanes {
    struct context *cx;
    const struct imp_var *var;
    const struct imp *body; /* a block or one statement */
};

/* Returns the lanes of a for loop; lanes_free: of a variable without declarations. */
static inline struct lanes lanes_in(struct context *cx, const struct imp *loop)
{
    return (struct lanes){.cx = cx, .var = loop->var, .body = loop->arg[2]};
}
static inline struct lanes lanes_free(struct context *cx, const struct imp_var *var)
{
    return (struct lanes){.cx = cx, .var = var, .body = imp_block(cx, NULL, 0)};
}

/* What vectors of an expression need: the bytes of its largest element; the number of nodes that
 * are written once for each vector; and the number of those written once for each lane, since lanes
 * are collected one by one.  lanes_measure is false if the expression has no vector form, or is
 * better left alone. */
struct lanes_need {
    int bytes, nodes, gathered;
};
bool lanes_measure(const struct lanes *l, const struct imp *e, struct lanes_need *need);

/* Is a step of this many vectors, with this many lanes each, short enough to be written out? */
bool lanes_is_short(const struct lanes_need *need, int vectors, int lanes);

/* Can the operator combine e with a vector?  min and max are selections by bits in C, and gcc 12
 * crashes on those of a vector that has just been converted from f32 to f64. */
bool lanes_is_combined(const struct lanes *l, enum op op, const struct imp *e);

/* A value of the variable: at + n.  Contiguous positions carry n at their end. */
struct lanes_place {
    const struct imp *at;
    int64_t n;
};

/* Returns the values of e for `lanes` values of the variable from this place on, as a vector.
 * Requires lanes_measure. */
const struct imp *lanes_vector(const struct lanes *l, const struct imp *e, struct lanes_place from,
                               int lanes);

/* Returns the node e, an operator or a conversion, with these vectors as operands. */
const struct imp *lanes_node(struct context *cx, const struct imp *e, const struct imp *const *arg);

/* Returns the bitwise or of these values of e: it is negative if one of them is. */
const struct imp *lanes_together(const struct lanes *l, const struct imp *e,
                                 struct lanes_place from, int lanes);

/* Returns the vector of e in lanes where `tested`, whose elements are not larger, is not negative,
 * and of `none` in others. */
const struct imp *lanes_masked(const struct lanes *l, const struct imp *tested, const struct imp *e,
                               const struct imp *none, struct lanes_place from);

/* Returns a contiguous position at this place. */
const struct imp *lanes_position(const struct lanes *l, const struct imp *position,
                                 struct lanes_place from);

/* Returns e with `to` in place of the variable, and with the values of the body's declarations. */
const struct imp *lanes_scalar(const struct lanes *l, const struct imp *e, const struct imp *to);

/* Does the loop count up by one, in numbers that have room for one vector more? */
bool lanes_is_counted(const struct imp *loop);

/* Does the position grow by one with the variable? */
static inline bool lanes_is_contiguous(const struct lanes *l, const struct imp *position)
{
    return imp_stride(l->body, l->var, position) == 1;
}

/* Does the value depend on the variable? */
static inline bool lanes_vary(const struct lanes *l, const struct imp *e)
{
    return imp_varies(l->body, l->var, e);
}

/* Returns e + n. */
const struct imp *lanes_plus(struct context *cx, const struct imp *e, int64_t n);

/* ---- lane_reduce.c ---- */

/* Is `t op= e` a reduction: may values of e of this type be combined in any order, in vectors, and
 * t with them?  Subtraction counts: it adds up negatives. */
bool reduces_by(enum op op, enum type type);

/* Do vectors have this compound assignment? */
bool vector_assigns(enum op op, enum type type);

/* Returns the operator that combines the partial results of such a reduction, and t with them. */
enum op reduces_with(enum op op);

/* Returns the value that a partial result starts from. */
const struct imp *reduces_from(struct context *cx, enum op op, enum type type, int lanes);

/* Is the operator's result always one of its operands? */
static inline bool vector_chooses(enum op op) { return op == OP_MIN || op == OP_MAX; }

/* Adds vector op= value.  The value gets a name if C needs it twice. */
void vector_combine(struct vectorizer *z, struct imp_builder *b, struct imp_var *vector, enum op op,
                    const struct imp *value);

/* Combines the vector's lanes to one value.  The vector is not read again. */
const struct imp *vector_reduced(struct vectorizer *z, struct imp_builder *b,
                                 struct imp_var *vector, enum op op);

/* ---- questions about statements ---- */

/* Has the body a last statement, and before it only declarations of scalars? */
bool declares_first(const struct imp *body);

/* Returns the body with another last statement. */
const struct imp *with_last(struct context *cx, const struct imp *body, const struct imp *last);

/* ---- of a product ---- */

/* Does the expression keep its value while the loop runs, not counting changes of this variable? */
bool factors_keeps(const struct imp *loop, const struct imp *e, const struct imp_var *var);

/* A product in a loop as `kept` times `rest`: the product of the factors that the loop does not
 * change, changes of `var` not counted (NULL: none), and the product of the others; NULL: there are
 * none.  The sum itself, or the array of sums, is no kept factor.  Both are NULL if the product is
 * no floating-point number: only these are multiplied in any order where they are added up. */
struct factors {
    const struct imp *kept, *rest;
};
struct factors factors_of(struct context *cx, const struct imp *loop, const struct imp_var *var,
                          const struct imp_var *sum, const struct imp *value);

/* Returns a * b, of which one may be NULL. */
const struct imp *factors_times(struct context *cx, const struct imp *a, const struct imp *b);

/* ---- strip_mine.c ---- */

/* How to go along a row in strips.  `strip` returns the code for this many vectors from `at` on,
 * between `least` and `most`, with `width` lanes each; `rest` the code for the elements from `at`
 * on. */
struct strips {
    struct vectorizer *z;
    const struct imp *loop; /* over the row */
    int width, most, least;
    const struct imp *(*strip)(void *data, const struct imp *at, int vectors);
    const struct imp *(*rest)(void *data, const struct imp *at);
    void *data;
};

/* Does the loop run at all?  If not, the rows that it would touch may not exist. */
const struct imp *vector_runs(struct context *cx, const struct imp *loop);

/* Returns the code for the whole row.  NULL if the row is shorter than a vector. */
const struct imp *vectorize_strips(const struct strips *strips);

/* ---- the loop in vectors; NULL where its code has no shape for them ---- */

/* Rewrites a loop that reduces into scalars, with this many vectors at once if it does not gather,
 * or one that stores elements that no other iteration stores: at stored coordinates; or side by
 * side, if it has a small constant number of iterations, reduces as well, or is asked for. */
const struct imp *vectorize_lanes(struct vectorizer *z, const struct imp *loop, int vectors);
/* Rewrites a loop with independent iterations around loops that reduce, or that scatter entries by
 * counters: several iterations at once. */
const struct imp *vectorize_jam(struct vectorizer *z, const struct imp *loop);
/* Rewrites a nest of two loops that stores contiguously along one loop, and reads contiguously
 * along the other. */
const struct imp *vectorize_squares(struct vectorizer *z, const struct imp *nest);
/* Rewrites a loop that reduces into rows, which it searches for position by position. */
const struct imp *vectorize_rows(struct vectorizer *z, const struct imp *loop);
/* A nest, and what stands beside it in its block; a field is NULL if there is none.  A rewrite sets
 * those to NULL that its result contains. */
struct nest {
    const struct imp *loop;
    const struct imp *fill; /* a fill of exactly the elements that the nest combines with */
    const struct imp *before, *behind; /* the statements before and behind it */
};
/* Rewrites a nest that combines with the same elements repeatedly; or one that adds what it keeps
 * of a row to another row in each iteration (register_tile.c). */
const struct imp *vectorize_registers(struct vectorizer *z, struct nest *of);
/* Rewrites a loop over short segments whose entries are scattered: where there are many, one loop
 * over the entries of many segments; else `otherwise` (gather_scatter.c). */
const struct imp *vectorize_gather_scatter(struct vectorizer *z, const struct imp *loop,
                                           const struct imp *otherwise);
/* Rewrites a nest of loops over blocks, for the case `when` that all blocks are whole; *otherwise:
 * for the other case.  NULL: it is no such nest (version_blocks.c). */
const struct imp *vectorize_blocks(struct vectorizer *z, const struct imp *nest,
                                   const struct imp **when, const struct imp **otherwise);
/* Rewrites a loop over segments that does something for marked entries alone: strips without any
 * are skipped. */
const struct imp *vectorize_skips(struct vectorizer *z, const struct imp *loop);
/* Returns the mark that such a loop looks up, for its variable; NULL: it is another loop. */
const struct imp *vectorize_skipped(const struct vectorizer *z, const struct imp *loop);
/* Does a coordinate tell, in each iteration of the loop, where this load reads? */
bool vectorize_jumps(struct context *cx, const struct imp *loop, const struct imp *load);
/* Prefetches for these loads, which jump: of `elements` elements from where they will read, some
 * iterations of around->loop later.  NULL: there is nothing to fetch, or no way to know what. */
const struct imp *vectorize_rows_ahead(struct vectorizer *z, struct ahead *around,
                                       const struct imp *const *load, int loads, int elements);
/* Does the same for `row`, a loop in the body of around->loop: prefetches of what it will go along,
 * of this many elements from `at`, or of all of them if `at` is NULL. */
const struct imp *vectorize_row_ahead(struct vectorizer *z, struct ahead *around,
                                      const struct imp *row, const struct imp *at, int elements);
/* Does the same for the loops inside around->loop that are not directly in its body. */
const struct imp *vectorize_nested_ahead(struct vectorizer *z, struct ahead *around,
                                         const struct imp *at, int elements);
/* Does the same for the first entries of the segment that the loop `segment` goes through. */
const struct imp *vectorize_segment_ahead(struct vectorizer *z, struct ahead *around,
                                          const struct imp *segment);
/* Does the loop put entries at places that counters of their coordinates tell? */
bool vectorize_has_targets(struct context *cx, const struct imp *loop);
/* Returns the loop with prefetches of the places of later entries, if it has more counters than the
 * caches have lines; else `stands`. */
const struct imp *vectorize_with_targets(struct vectorizer *z, const struct imp *loop,
                                         const struct imp *stands);
/* Returns the rewritten loop, with the declarations that go in front of it. */
const struct imp *vectorize_behind(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *loop);

#endif
