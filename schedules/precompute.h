/* precompute.h - what the steps of precompute share; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_PRECOMPUTE_H
#define SPCC_SCHEDULES_PRECOMPUTE_H

#include "compiler/base/vec.h"
#include "schedules/loops.h"

/* {i,i,ip}: a loop's variable, the consumer's, and the producer's. */
struct triple {
    const struct index_var *var, *consumer, *producer;
};

struct renaming {
    const struct index_var *from, *to;
};

/* A step of the path from the root to the assignment: a statement, and the number of the part of it
 * through which the path goes on. */
struct step {
    const struct cin *at;
    int part;
};

struct precompute {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const char *name; /* of the workspace */
    const struct cin *e, *assign;
    const struct format *format; /* NULL: the default */
    enum tensor_place place;     /* of the workspace; and the argument that tells it */
    int pad, place_argument;
    VEC(struct triple) triple;
    VEC(struct step) path;
    /* the where takes the place of path.at[top]; path.n stands for the assignment */
    size_t top;
    /* loops that go to the producer, and reduce there */
    VEC(const struct index_var *) moved;
    /* the path from the where's place leads into a producer */
    bool in_producer;
    /* stands for e until the workspace is made */
    const struct cin *hole;
    enum op op;               /* of the producer's assignment */
    struct value fill;        /* the workspace's, in its type */
    const struct cin *access; /* to the workspace, by the triples' variables */
    VEC(struct renaming) own; /* variables that the producer has in place of others */
};

/* ---- precompute_read.c ---- */

/* Reads the call: name, expression, assignment, format and triples, and a program in which the
 * expression occurs.  False after a diagnostic. */
bool precompute_read(struct precompute *p);

/* ---- precompute_parts.c ---- */

/* Do other variables follow from the loop's by splits alone?  False after a diagnostic. */
bool precompute_check_parts(struct precompute *p, const struct index_var *var, int argument);
/* Returns the producer with variables of its own for those that the triples' loops are parts of. */
const struct cin *precompute_own_parts(struct precompute *p, const struct cin *producer);
/* Adds the relations of the consumer's loops, and those of the producer's. */
void precompute_add_parts(const struct precompute *p, struct cin_program *program);

/* ---- precompute_place.c ---- */

/* Reads the arguments behind the format, from `first` on; *past: where they end.  False after a
 * diagnostic. */
bool precompute_read_place(struct precompute *p, int first, int *past);
/* Can the workspace be in its place?  False after a diagnostic. */
bool precompute_check_place(struct precompute *p, const struct tensor_var *w);

/* ---- precompute_share.c ---- */

/* Divides the loops between producer and consumer: path, top and moved.  False after a diagnostic.
 */
bool precompute_share(struct precompute *p);

/* ---- precompute_fill.c ---- */

/* Finds the operator of the producer's assignment, and the fill.  False after a diagnostic. */
bool precompute_fill(struct precompute *p);
/* The operator of the consumer's assignment. */
enum op precompute_consumer_op(struct precompute *p);

/* ---- questions about the program, and parts of it ---- */

/* Returns the variable of the forall at this step of the path; NULL: it is no forall. */
const struct index_var *precompute_loop(const struct precompute *p, size_t step);
/* Does the loop go to the producer, to reduce there? */
bool precompute_is_moved(const struct precompute *p, const struct index_var *var);

/* Does the statement read what the producer makes? */
bool precompute_reads(struct context *cx, const struct cin *s, const struct cin *producer);
/* Does the value of a statement or expression depend on the variable, also by relations? */
bool precompute_uses(const struct precompute *p, const struct cin *cin,
                     const struct index_var *var);

/* Returns the statement at this step with another one in place of the part that the path goes
 * through. */
const struct cin *precompute_with_part(struct precompute *p, struct step step, const struct cin *s);
/* Returns the statement without wheres whose temporaries nobody reads. */
const struct cin *precompute_drop_unread(struct context *cx, const struct cin *s);
/* Returns the statement or expression with `instead` where e is read. */
const struct cin *precompute_without(struct precompute *p, const struct cin *s,
                                     const struct cin *instead);
/* Returns the computation of e from a step on: the loops to go through, with the wheres that make
 * what it reads; s is innermost. */
const struct cin *precompute_producer(struct precompute *p, size_t step, const struct cin *s);

#endif
