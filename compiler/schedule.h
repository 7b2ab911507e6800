/* schedule.h - the interface of transformations (thesis chapter 6).
 *
 * A transformation is one const table in schedules/: its name, how it is written, and a pure
 * rewrite of a program.  The compiler knows transformations through this header only;
 * compiler/registry.c lists them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULE_H
#define SPCC_SCHEDULE_H

#include "compiler/concrete/concrete.h"

struct schedule_type;

/* What an argument is.  A schedule that is read has words, which its directives look up.  The
 * planner makes calls whose arguments are what such words stand for. */
enum schedule_argument_kind {
    ARGUMENT_WORDS,      /* as they are written; names of what is new */
    ARGUMENT_LOOP,       /* the loop over a variable */
    ARGUMENT_TENSOR,     /* a result, or a workspace */
    ARGUMENT_EXPRESSION, /* a part of the statement, or of one of its products */
    ARGUMENT_TRIPLE,     /* {i,i,ip}: a loop, and the name of the producer's */
    ARGUMENT_NUMBER,
    ARGUMENT_FORMAT, /* of a workspace, whatever its positions and coordinates are stored as */
};

struct schedule_argument {
    enum schedule_argument_kind kind;
    /* WORDS without surrounding blanks; the name of a LOOP, a TENSOR, a TRIPLE's producer; a
     * FORMAT's spelling.  Interned.  NULL: of an EXPRESSION or a NUMBER. */
    const char *text;
    struct span span; /* of WORDS */
    union {
        const struct index_var *loop; /* LOOP, TRIPLE */
        const struct tensor_var *tensor;
        const struct cin *e;
        const struct format *format;
        int64_t number;
    };
};

/* One directive with its arguments: name(argument, argument, ...). */
struct schedule_call {
    const char *name;
    const struct schedule_type *type; /* NULL: of a name that has not been looked up */
    struct span span;
    int arguments;
    const struct schedule_argument *argument;
};

struct schedule_type {
    const char *name;  /* "reorder" */
    const char *usage; /* "reorder(i, j, ...)" */
    const char *brief; /* one line for `spcc help schedules` */
    /* The transformed program, or NULL after a diagnostic that names the directive, the loop and
     * the reason. */
    const struct cin_program *(*apply)(struct context *cx, const struct cin_program *program,
                                       const struct schedule_call *call);
};

/* ---- calls that are made (schedules/call.c) ---- */

struct schedule_argument schedule_words(struct context *cx, const char *words);
struct schedule_argument schedule_loop(const struct index_var *var);
struct schedule_argument schedule_tensor(const struct tensor_var *tensor);
struct schedule_argument schedule_expression(const struct cin *e);
struct schedule_argument schedule_triple(struct context *cx, const struct index_var *var,
                                         const char *producer);
struct schedule_argument schedule_number(int64_t number);
struct schedule_argument schedule_format(struct context *cx, const struct format *format);

const struct schedule_call *schedule_make(struct context *cx, const struct schedule_type *type,
                                          const struct schedule_argument *argument, int arguments);
/* Returns where the table keeps what the call makes of the program: the same for equal calls. */
const void **schedule_made(struct context *cx, struct table *table,
                           const struct cin_program *program, const struct schedule_call *call);
/* As text from which schedule_apply reads the same directive. */
void schedule_print(struct context *cx, struct text *out, const struct schedule_call *call);

/* Returns the program after the call, which is checked; NULL after a diagnostic. */
const struct cin_program *schedule_apply_call(struct context *cx, const struct cin_program *program,
                                              const struct schedule_call *call);

/* Apply the directives in text, ';' or ',' between them, from left to right; each result is
 * checked. */
const struct cin_program *schedule_apply(struct context *cx,
                                         const struct schedule_type *const *known,
                                         const struct cin_program *program, const char *text);

#endif
