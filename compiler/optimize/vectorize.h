/* vectorize.h - what the files of the vectorizer share.
 *
 *   lanes.c                 an expression for several iterations of a loop at once
 *   vector.c                names, ends and rests of loops in steps
 *   lane_reduce.c           factors, what a vector is combined with, its lanes with one another
 *   loop_lanes.c            loops that reduce into scalars, or store
 *   unroll_and_jam.c        several iterations of a loop at once
 *   version_blocks.c        blocks that are whole
 *   squares.c               nests whose accesses are contiguous along different loops
 *   strip_mine.c            the strips of a row
 *   strip_rows.c            loops over positions, in strips of one row
 *   loop_plan.c             what a nest combines with, and how its loops move along that
 *   register_tile.c         nests that combine with the same elements again and again,
 *   tile_sites.c            where they do,
 *   tile_steps.c            and what the registers are there
 *   gather_scatter.c        short segments whose entries are scattered, many in one loop
 *   prefetch.c              what such a loop will need soon
 *   prefetch_rows.c         rows that a loop, or the loops inside of it, will need soon
 *   vectorize.c             where which is applied
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_VECTORIZE_H
#define SPCC_OPTIMIZE_VECTORIZE_H

#include "compiler/base/vec.h"
#include "compiler/imperative/query.h"
#include "compiler/imperative/var_map.h"
#include "compiler/optimize/pass.h"
#include "compiler/target.h"

enum {
    VECTOR_LANES = 16,       /* more would make summing them up dear */
    VECTOR_UNROLL_MOST = 64, /* vectors at once, if that is asked for */
};

/* A loop over stored positions, and a variable that says how far ahead it may look, which is to be
 * declared in front of it; NULL: nothing asks for that, or each iteration looks how far. */
struct ahead {
    const struct imp *loop;
    const struct imp *declared;
    const struct imp *last; /* without such a variable: where what it looks at ends; NULL so far */
    int64_t by;             /* so many iterations; 0: the target's prefetch_ahead */
    struct ahead *outer;    /* the for loop around it; NULL: there is none */
    /* what goes in front of it and behind it: vectors that its iterations add to, and their sums */
    VEC(const struct imp *) before, behind;
};

struct vectorizer {
    struct context *cx;
    const struct imp_function *function;
    const struct pass_options *options;
    const struct target *target;
    int nodes;                    /* that vectors have added */
    struct var_map done;          /* names of the loops that got the vectors that were asked for */
    VEC(const struct imp *) ends; /* declarations that go in front of the function's body */
    struct ahead *around;         /* the loop whose body is rewritten; NULL: there is none */
    /* names in the function, interned; of each stem, how many have a number */
    struct var_map taken, numbers;
};

/* A variable with a name of its own that begins with `name`. */
struct imp_var *vector_var(struct vectorizer *z, const char *name, enum type type, int lanes);

/* Lanes of a vector whose largest elements have so many bytes. */
static inline int vector_width(const struct vectorizer *z, int bytes)
{
    int lanes = (int)z->target->vector_bytes / bytes;
    return lanes < VECTOR_LANES ? lanes : VECTOR_LANES;
}

/* Vectors of a row that a loop holds at once. */
static inline int vector_row(const struct vectorizer *z)
{
    return (int)(z->target->row_bytes / z->target->vector_bytes);
}

/* How far the for loop goes, if that is known; -1 otherwise. */
int64_t vector_extent(const struct imp *loop);

/* How far it goes at most, by its bounds or its mark; -1: any number. */
int64_t vector_most(const struct imp *loop);

/* Is the number of the for loop's iterations surely a multiple of n? */
bool vector_is_multiple(const struct imp *loop, int64_t n);

/* The one statement, and then the other. */
static inline const struct imp *vector_pair(struct context *cx, const struct imp *first,
                                            const struct imp *second)
{
    return imp_block(cx, (const struct imp *const[]){first, second}, 2);
}

/* The loop's end, with a name that is declared if it has none. */
const struct imp *vector_end(struct vectorizer *z, struct imp_builder *b, const struct imp *loop);

/* Is it read at the loop's variable, from an array that nobody writes? */
static inline bool vector_reads_entry(const struct imp *e, const struct imp_var *var)
{
    return e->kind == IMP_LOAD && e->var->constant && imp_is_read(e->arg[0], var);
}

/* Where the whole steps of so much end, of a loop that begins and ends there. */
const struct imp *vector_whole(struct vectorizer *z, struct imp_builder *b, const struct imp *loop,
                               const struct imp *begin, const struct imp *end, int64_t step);

/* Has the loop, whose variable goes up in its body, so many iterations left before this end? */
const struct imp *vector_is_left(struct context *cx, const struct imp *loop, const struct imp *end,
                                 int64_t n);

/* A loop whose body goes n iterations on, as long as there are so many left. */
const struct imp *vector_steps(struct context *cx, const struct imp *loop, const struct imp *end,
                               int64_t n, const struct imp *body);

/* The iterations that are left, one by one: fewer than a vector has lanes. */
const struct imp *vector_rest(struct context *cx, const struct imp *loop, const struct imp *end,
                              int lanes);

/* The loop's body where its variable has this value, with variables of its own (unroll.c). */
const struct imp *unroll_iteration(struct vectorizer *z, const struct imp *loop,
                                   const struct imp *value);

/* Vectors stand for the loop from here on. */
void vector_note(struct vectorizer *z, const struct imp *loop);

/* What is asked of the loop: so many vectors at a step (0: nothing); that it has no vectors, as its
 * single iterations are unrolled. */
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

/* Those of a for loop; of a variable, where there are no declarations. */
static inline struct lanes lanes_in(struct context *cx, const struct imp *loop)
{
    return (struct lanes){.cx = cx, .var = loop->var, .body = loop->arg[2]};
}
static inline struct lanes lanes_free(struct context *cx, const struct imp_var *var)
{
    return (struct lanes){.cx = cx, .var = var, .body = imp_block(cx, NULL, 0)};
}

/* How expressions become vectors: the largest element in bytes, and how many nodes are written once
 * a vector, and how many once a lane, because lanes must be collected one by one.  False: it has
 * none, or is better left alone. */
struct lanes_need {
    int bytes, nodes, gathered;
};
bool lanes_measure(const struct lanes *l, const struct imp *e, struct lanes_need *need);

/* Is a step of so many vectors, each of so many lanes, short enough to be written? */
bool lanes_is_short(const struct lanes_need *need, int vectors, int lanes);

/* Can the operator combine it with a vector?  Where it chooses, C looks at the bits, and gcc 12
 * breaks down over those of a vector that has just been converted from f32 to f64. */
bool lanes_is_combined(const struct lanes *l, enum op op, const struct imp *e);

/* Where the variable is: at + n, which contiguous positions carry at their end. */
struct lanes_place {
    const struct imp *at;
    int64_t n;
};

/* The vector of the values of e for `lanes` values of the variable from that place on.  Requires
 * lanes_measure. */
const struct imp *lanes_vector(const struct lanes *l, const struct imp *e, struct lanes_place from,
                               int lanes);

/* The operator or conversion, of these vectors. */
const struct imp *lanes_node(struct context *cx, const struct imp *e, const struct imp *const *arg);

/* The values of e for those, as bits: one of them is negative if that is. */
const struct imp *lanes_together(const struct lanes *l, const struct imp *e,
                                 struct lanes_place from, int lanes);

/* The vector of e where `tested`, which has no more bits, is not negative; elsewhere of `none`. */
const struct imp *lanes_masked(const struct lanes *l, const struct imp *tested, const struct imp *e,
                               const struct imp *none, struct lanes_place from);

/* A contiguous position there. */
const struct imp *lanes_position(const struct lanes *l, const struct imp *position,
                                 struct lanes_place from);

/* e with `to` for the variable, and for the body's declarations their values. */
const struct imp *lanes_scalar(const struct lanes *l, const struct imp *e, const struct imp *to);

/* Does the loop count up in steps of one, in numbers that have room for a vector more? */
bool lanes_is_counted(const struct imp *loop);

/* Does the position go up by one when the variable does? */
static inline bool lanes_is_contiguous(const struct lanes *l, const struct imp *position)
{
    return imp_stride(l->body, l->var, position) == 1;
}

/* Does the value depend on the variable? */
static inline bool lanes_vary(const struct lanes *l, const struct imp *e)
{
    return imp_varies(l->body, l->var, e);
}

/* e + n. */
const struct imp *lanes_plus(struct context *cx, const struct imp *e, int64_t n);

/* ---- lane_reduce.c ---- */

/* Does `t op= e` reduce: can values of e of this type be combined in any order, in vectors, and t
 * with them?  What is subtracted is added up as the negative. */
bool reduces_by(enum op op, enum type type);

/* Do vectors have this compound assignment, or none of it? */
bool vector_assigns(enum op op, enum type type);

/* The operator that combines what such reductions come to, and t with it. */
enum op reduces_with(enum op op);

/* The value that a reduction starts from. */
const struct imp *reduces_from(struct context *cx, enum op op, enum type type, int lanes);

/* Is the operator's value one of its operands? */
static inline bool vector_chooses(enum op op) { return op == OP_MIN || op == OP_MAX; }

/* vector op= value, which gets a name if it is written more than once in C. */
void vector_combine(struct vectorizer *z, struct imp_builder *b, struct imp_var *vector, enum op op,
                    const struct imp *value);

/* The vector's lanes, combined to one value; the vector is not read again. */
const struct imp *vector_reduced(struct vectorizer *z, struct imp_builder *b,
                                 struct imp_var *vector, enum op op);

/* ---- questions about statements ---- */

/* Are there only declarations of scalars before the last statement of the body, which has one? */
bool declares_first(const struct imp *body);

/* The body with another last statement. */
const struct imp *with_last(struct context *cx, const struct imp *body, const struct imp *last);

/* ---- of a product ---- */

/* Does the expression keep its value while the loop runs, but for this variable? */
bool factors_keeps(const struct imp *loop, const struct imp *e, const struct imp_var *var);

/* The factors of a product that the loop keeps, but for this variable (NULL: none), and the others:
 * products, or NULL.  The sum, or the array of sums, is not kept.  Both are NULL unless they are
 * floating-point numbers, which are multiplied in any order anyway where they are added up. */
struct factors {
    const struct imp *kept, *rest;
};
struct factors factors_of(struct context *cx, const struct imp *loop, const struct imp_var *var,
                          const struct imp_var *sum, const struct imp *value);

/* a * b, of which one may be NULL. */
const struct imp *factors_times(struct context *cx, const struct imp *a, const struct imp *b);

/* ---- strip_mine.c ---- */

/* How a row is gone through: what stands for so many vectors of it from `at` on, at least and at
 * most so many, each of `width` lanes, and for the elements from `at` on. */
struct strips {
    struct vectorizer *z;
    const struct imp *loop; /* over the row */
    int width, most, least;
    const struct imp *(*strip)(void *data, const struct imp *at, int vectors);
    const struct imp *(*rest)(void *data, const struct imp *at);
    void *data;
};

/* Does the loop run?  Where it does not, the rows that it would touch may not even be there. */
const struct imp *vector_runs(struct context *cx, const struct imp *loop);

/* All of the row; NULL: it is shorter than a vector. */
const struct imp *vectorize_strips(const struct strips *strips);

/* ---- the loop in vectors; NULL where its code has no shape for them ---- */

/* A loop that reduces into scalars, with so many vectors at once, if it does not gather; or that
 * stores what no other iteration does: at stored coordinates, or side by side, with few iterations,
 * their number known, where it reduces, too, or where it is asked for. */
const struct imp *vectorize_lanes(struct vectorizer *z, const struct imp *loop, int vectors);
/* A loop whose iterations are apart, around ones that reduce, or that scatters entries by counters,
 * several iterations at once. */
const struct imp *vectorize_jam(struct vectorizer *z, const struct imp *loop);
/* A nest of two loops whose store is contiguous along the one, and that reads along the other. */
const struct imp *vectorize_squares(struct vectorizer *z, const struct imp *nest);
/* A loop that reduces into rows, which it looks for position by position. */
const struct imp *vectorize_rows(struct vectorizer *z, const struct imp *loop);
/* A nest, and what stands beside it in its block, or NULL.  What a rewrite has in its result stays
 * here, and it sets the others to NULL. */
struct nest {
    const struct imp *loop;
    const struct imp *fill;            /* of the elements that it combines with, for nothing else */
    const struct imp *before, *behind; /* the statements around it */
};
/* A nest that combines with the same elements again and again, or one that adds what it keeps of a
 * row to a row in another place for each iteration (register_tile.c). */
const struct imp *vectorize_registers(struct vectorizer *z, struct nest *of);
/* A loop over short segments, whose entries are scattered: where they are many in one loop over the
 * entries of many, and else what stands for the loop otherwise (gather_scatter.c). */
const struct imp *vectorize_gather_scatter(struct vectorizer *z, const struct imp *loop,
                                           const struct imp *otherwise);
/* A nest of loops over blocks where all of them are whole, if `when` holds, and otherwise; NULL: it
 * is none (version_blocks.c). */
const struct imp *vectorize_blocks(struct vectorizer *z, const struct imp *nest,
                                   const struct imp **when, const struct imp **otherwise);
/* Does a coordinate say, in each iteration of the loop, where this load reads? */
bool vectorize_jumps(struct context *cx, const struct imp *loop, const struct imp *load);
/* Prefetches of so many elements of each row that these loads, which jump, begin: of where they are
 * some iterations of around->loop later.  NULL if there is nothing to fetch, or no way to know
 * what. */
const struct imp *vectorize_rows_ahead(struct vectorizer *z, struct ahead *around,
                                       const struct imp *const *load, int loads, int elements);
/* Prefetches of what `row`, a loop in the body of around->loop, goes along, likewise: of so many
 * elements where the row's variable is at `at`, or, if it is NULL, of all of them. */
const struct imp *vectorize_row_ahead(struct vectorizer *z, struct ahead *around,
                                      const struct imp *row, const struct imp *at, int elements);
/* Prefetches of the rows of the loops inside of around->loop, but for those right in its body,
 * likewise. */
const struct imp *vectorize_nested_ahead(struct vectorizer *z, struct ahead *around,
                                         const struct imp *at, int elements);
/* Prefetches of the first entries of the segment that the loop `segment` goes through, likewise. */
const struct imp *vectorize_segment_ahead(struct vectorizer *z, struct ahead *around,
                                          const struct imp *segment);
/* Does the loop put entries where counters of their coordinates say? */
bool vectorize_has_targets(struct context *cx, const struct imp *loop);
/* What stands for the loop, or, if there are more counters than the caches have lines for, the loop
 * with prefetches of where the entries go that come some iterations later. */
const struct imp *vectorize_with_targets(struct vectorizer *z, const struct imp *loop,
                                         const struct imp *stands);
/* The loop, rewritten, behind what is declared for it. */
const struct imp *vectorize_behind(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *loop);

#endif
