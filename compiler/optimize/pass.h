/* pass.h - what a pass is, and the list of them.
 *
 * A pass is one rewrite of a function, in a file of its own; its row in passes.c says when it runs
 * and what is true before and after it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_PASS_H
#define SPCC_OPTIMIZE_PASS_H

#include <string.h>

#include "compiler/imperative/imperative.h"

/* A pass, and the function before and after it. */
struct pass_step {
    const struct pass *pass;
    const struct imp_function *before, *after;
};

/* The options of all passes.  Zero means default. */
struct pass_options {
    bool stops; /* long runs look whether they are to end: imp_stopped */
    bool plain; /* ISO C as a textbook has it: nothing that is only there to be fast */
    /* A test asks for the code without this pass, or rewrite of the vectorizer; or NULL. */
    const char *without;
    /* The function is checked after each pass, and the pass that breaks it is named. */
    bool checked;
    /* room for `passes_count` steps, or NULL; the passes that run write themselves there in their
     * order */
    struct pass_step *step;
    int *steps;
};

/* What may be true of a function. */
enum pass_fact {
    FACT_CHECKED = 1, /* imp_check finds nothing */
    FACT_SIMPLE = 2,  /* imp_simplify changes nothing */
};

/* The code for which a pass runs. */
enum pass_code { CODE_ANY, CODE_FAST, CODE_PLAIN };

struct pass {
    const char *name;
    const char *brief;            /* what it does, in a line */
    unsigned requires, maintains; /* enum pass_fact */
    bool exact;                   /* It keeps the order of floating-point sums. */
    enum pass_code code;
    /* Returns the function, or one that computes the same.  NULL after a diagnostic. */
    const struct imp_function *(*apply)(struct context *cx, const struct imp_function *function,
                                        const struct pass_options *options);
};

/* All passes, in the order in which they run. */
extern const struct pass passes[];
extern const int passes_count;

/* Is the pass, or rewrite, part of the compiler that a test asks for? */
static inline bool pass_is_in(const struct pass_options *options, const char *name)
{
    return !options->without || strcmp(options->without, name) != 0;
}

/* Runs the list.  NULL after a diagnostic. */
const struct imp_function *imp_optimize(struct context *cx, const struct imp_function *function,
                                        const struct pass_options *options);

#endif
