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

/* A GPU that launches run on.  The kernel is host code then: arrays' data are addresses in the
 * GPU's memory, which nobody here looks at.  If one of these is false the run ends as if there was
 * no memory; why is known to who made it. */
struct imp_device {
    const struct imp_entry *entry; /* of all launches of the kernel */
    int entries;
    /* Room for this many bytes, 1 at least. */
    bool (*allocate)(void *data, void **array, size_t bytes);
    void (*release)(void *data, void *array);
    /* n elements get the value. */
    bool (*fill)(void *data, void *array, int64_t n, struct value value);
    bool (*copy)(void *data, void *to, const void *from, size_t bytes);
    /* What is there goes to the host's memory, when all before it is done. */
    bool (*fetch)(void *data, void *to, const void *from, size_t bytes);
    /* argument[i] is where the value of entry->param[i] is, of an array its address. */
    bool (*launch)(void *data, const struct imp_entry *entry, int64_t blocks, void **argument);
    void *data;
};

/* How it runs; all zero: as good as it can. */
struct imp_options {
    const struct imp_allocator *allocator; /* NULL: the default one */
    int64_t max_steps;                     /* 0: no limit */
    int threads;    /* that a parallel loop has, as far as the program asks; 0: 1 */
    uint64_t order; /* of the parts of a parallel loop, a seed; 0: ascending */
    /* where it is set, the run ends; NULL: nothing to look at */
    const atomic_bool *stop;
    const struct imp_device *device; /* NULL: the interpreter is the GPU, and finds races */
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

/* Runs a kernel.  argument[i] is for function->param[i]. Where the parts of a parallel loop race,
 * that is a fault. */
struct imp_run imp_interpret(struct context *cx, const struct imp_function *function,
                             struct imp_argument *argument,
                             const struct imp_options *options_or_null);

#endif
