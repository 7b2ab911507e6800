/* precompute.h - what the steps of precompute share; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_PRECOMPUTE_H
#define SPCC_SCHEDULES_PRECOMPUTE_H

#include "compiler/base/vec.h"
#include "schedules/loops.h"

struct triple {
    const struct index_var *var, *consumer, *producer;
};

struct renaming {
    const struct index_var *from, *to;
};

/* A statement on the way from the root to the assignment, and which of its parts the way goes
 * through. */
struct step {
    const struct cin *at;
    int part;
};

struct precompute {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const char *name; /* the workspace's */
    const struct cin *e, *assign;
    const struct format *format; /* NULL: the usual one */
    enum tensor_place place;     /* ... */
    int pad, place_argument;
    VEC(struct triple) triple;
    VEC(struct step) path;
    /* the where takes the place of path.at[top]; path.n: the assignment's */
    size_t top;
    /* loops that go to the producer and reduce there */
    VEC(const struct index_var *) moved;
    /* the way from the where's place leads into a producer */
    bool in_producer;
    /* stands for e while the workspace is not made yet */
    const struct cin *hole;
    enum op op;               /* of the producer's assignment */
    struct value fill;        /* the workspace's, of its type */
    const struct cin *access; /* the workspace, by the triples' variables */
    VEC(struct renaming) own; /* variables that the producer has for others */
};

/* ---- precompute_read.c ---- */

/* Read the call: name, e, assign, format and triples, and a program in which e stands; false
 * after a diagnostic. */
bool precompute_read(struct precompute *p);

/* ---- precompute_parts.c ---- */

/* Do other variables follow from the loop's at most by splits?  false after a diagnostic. */
bool precompute_check_parts(struct precompute *p, const struct index_var *var, int argument);
/* The producer with variables of its own for what the triples' loops are parts of. */
const struct cin *precompute_own_parts(struct precompute *p, const struct cin *producer);
/* The relations of the consumer's loops, and those of the producer's. */
void precompute_add_parts(const struct precompute *p, struct cin_program *program);

/* ---- precompute_place.c ---- */

/* Read what is behind the format, of the arguments from first on, which ends at *past then; false
 * after a diagnostic. */
bool precompute_read_place(struct precompute *p, int first, int *past);
/* Can the workspace be there?  false after a diagnostic. */
bool precompute_check_place(struct precompute *p, const struct tensor_var *w);

/* ---- precompute_share.c ---- */

/* Share out the loops: path, top and moved; false after a diagnostic. */
bool precompute_share(struct precompute *p);

/* ---- precompute_fill.c ---- */

/* The operator of the producer's assignment and the fill; false after a diagnostic. */
bool precompute_fill(struct precompute *p);
/* The operator of the consumer's assignment. */
enum op precompute_consumer_op(struct precompute *p);

/* ---- questions about the program, and parts of it ---- */

/* The variable of the forall at this step of the path; NULL if it is another statement. */
const struct index_var *precompute_loop(const struct precompute *p, size_t step);
/* Does the loop go to the producer, to reduce there? */
bool precompute_is_moved(const struct precompute *p, const struct index_var *var);

/* Does the statement read what the other one makes? */
bool precompute_reads(struct context *cx, const struct cin *s, const struct cin *producer);
/* Does the value of a statement or expression depend on the variable, if only by relations? */
bool precompute_uses(const struct precompute *p, const struct cin *cin,
                     const struct index_var *var);

/* The path's step with another statement for the part that the way goes through. */
const struct cin *precompute_with_part(struct precompute *p, struct step step, const struct cin *s);
/* Without the wheres that make what nobody reads. */
const struct cin *precompute_drop_unread(struct context *cx, const struct cin *s);
/* The statement or expression with another expression for e where that is read. */
const struct cin *precompute_without(struct precompute *p, const struct cin *s,
                                     const struct cin *instead);
/* e's computation from a step on: the loops to go through, and the wheres that make what it
 * reads; innermost is s. */
const struct cin *precompute_producer(struct precompute *p, size_t step, const struct cin *s);

#endif
