/* interpret.h - running imperative IR with every array access checked.
 *
 * The oracle between the compiler and the C compiler, the fall-back where there is no compiler, and
 * what the fuzzers run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_RUN_INTERPRET_H
#define SPCC_IMPERATIVE_RUN_INTERPRET_H

#include <stdatomic.h>

#include "compiler/imperative/imperative.h"

/* One argument a parameter.  A scalar: value.  An array: data with length elements of the
 * parameter's type.  An out array: data and length are set by the run (memory from allocate
 * below; the caller's to free), NULL on failure. */
struct imp_argument {
    struct value value;
    void *data;
    int64_t length;
};

/* Where memory comes from; the defaults are malloc's. */
struct imp_allocator {
    void *(*reallocate)(void *data, void *old, size_t size);
    void (*release)(void *data, void *old);
    void *data;
};

/* How it runs; all zero: as good as it can. */
struct imp_options {
    const struct imp_allocator *allocator; /* NULL: the default one */
    int64_t max_steps;                     /* 0: no limit */
    int threads;    /* that a parallel loop has, as far as the program asks; 0: 1 */
    uint64_t order; /* of the parts of a parallel loop, a seed; 0: ascending */
    /* where it is set, the run ends as if there was no memory; NULL: nothing to look at */
    const atomic_bool *stop;
};

/* What was done: how work grows with the operands shows here without a clock.  Elements of a vector
 * count each, those that a fill writes too; resizing does not count as loading and storing what
 * the array held. */
struct imp_counts {
    int64_t statements;    /* but for blocks and comments */
    int64_t iterations;    /* of all loops */
    int64_t loads, stores; /* of elements of arrays */
    int64_t elements;      /* for which memory was asked for */
};

struct imp_run {
    enum imp_status status; /* what the kernel returned */
    /* NULL, or what went wrong in the IR: an access out of bounds, an uninitialised read, ...:
     * a bug of the compiler; text in the context's arena */
    const char *fault;
    int64_t steps; /* statements and expressions evaluated */
    struct imp_counts counts;
};

/* Run a kernel.  argument[i] is for function->param[i].  Where the parts of a parallel loop race,
 * that is a fault. */
struct imp_run imp_interpret(struct context *cx, const struct imp_function *function,
                             struct imp_argument *argument,
                             const struct imp_options *options_or_null);

#endif
