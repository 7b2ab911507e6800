/* trial.h - kernels of one statement that are tried on tensors: do they have the same results, and
 * which is the fastest?
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TRIAL_H
#define SPCC_API_TRIAL_H

#include "runtime/api/kernel.h"
#include "runtime/api/tensor.h"

/* Runs of each at most. */
enum { RUNS_MOST = 1000 };

/* A kernel that is tried; all but the kernel and its tensors starts as zero. */
struct trial {
    struct spcc_kernel *kernel;
    struct spcc_tensor **tensor; /* in the kernel's order; borrowed */
    char *trouble;               /* why it is out of the question; NULL: it is not */
    double ms[RUNS_MOST];        /* of its runs; sorted by trial_sort */
    double least;
    int runs;
};

/* Results to run into. */
struct results {
    struct spcc_tensor *tensor[TIN_RESULTS_MAX];
    void *values[TIN_RESULTS_MAX]; /* that they borrow; NULL: they have their own */
};

/* All zero: nothing has run.  To be freed in every case. */
struct trials {
    struct spcc_context *context;
    struct results first, other;
};

/* What kernels are compiled with: the user's options with a declaration for every binding.  The
 * declarations are to be freed in every case. */
struct trial_options {
    spcc_compile_options options;
    spcc_declaration *declarations;
};

spcc_status trial_options(struct context *cx, const char *caller, const spcc_compile_options *given,
                          const spcc_binding *bindings, int n_bindings, struct trial_options *made);

/* Compile its kernel.  What is wrong with it becomes its trouble, unless it is required. */
spcc_status trial_compile(struct spcc_context *context, const char *statement,
                          const spcc_compile_options *options, struct trial *trial, bool required);

/* What the last call said, which failed with this status, is its trouble; but for who stopped. */
spcc_status trial_give_up(struct spcc_context *context, spcc_status status, struct trial *trial);

/* Run it once into the results that the others are compared with. */
spcc_status trial_first(struct trials *trials, struct trial *trial);

/* Run it once and compare its results; where they are others it has trouble. */
spcc_status trial_compare(struct trials *trials, struct trial *trial, const char *than);

/* Run those without trouble in turns, each so many times; 0: until their medians say something.
 * Who takes much longer than another is not run again. */
spcc_status trial_turns(struct trials *trials, struct trial *const *trial, int n, int runs);

/* The median of its runs, which are sorted; 0: there are none. */
double trial_median(struct trial *trial);

void trial_free(struct trial *trial); /* but for the tensors; it is zero then */
void trials_free(struct trials *trials);

#endif
