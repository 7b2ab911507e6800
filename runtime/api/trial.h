/* trial.h - runs kernels of one statement on tensors: do they have the same results, and which is
 * the fastest?
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_TRIAL_H
#define SPCC_API_TRIAL_H

#include "runtime/api/kernel.h"
#include "runtime/api/tensor.h"

/* The most runs of each. */
enum { RUNS_MOST = 1000 };

/* A kernel that is tried.  All but the kernel and its tensors starts as zero. */
struct trial {
    struct spcc_kernel *kernel;
    struct spcc_tensor **tensor; /* in the kernel's order; borrowed */
    char *trouble;               /* the reason why it is out of the question; NULL: none */
    double ms[RUNS_MOST];        /* the times of its runs; sorted by trial_sort */
    double least;
    int runs;
};

/* Results that kernels run into. */
struct results {
    struct spcc_tensor *tensor[TIN_RESULTS_MAX];
    void *values[TIN_RESULTS_MAX]; /* the values that they borrow; NULL: they have their own */
};

/* All zero: nothing has run.  It is freed in every case. */
struct trials {
    struct spcc_context *context;
    struct results first, other;
};

/* The options that kernels are compiled with: the user's, with a declaration for every binding.
 * The declarations are freed in every case. */
struct trial_options {
    spcc_compile_options options;
    spcc_declaration *declarations;
};

spcc_status trial_options(struct context *cx, const char *caller, const spcc_compile_options *given,
                          const spcc_binding *bindings, int n_bindings, struct trial_options *made);

/* Compiles its kernel.  A fault becomes its trouble, unless the kernel is required. */
spcc_status trial_compile(struct spcc_context *context, const char *statement,
                          const spcc_compile_options *options, struct trial *trial, bool required);

/* Makes the message of the last call, which failed with this status, its trouble, unless the user
 * stopped the call. */
spcc_status trial_give_up(struct spcc_context *context, spcc_status status, struct trial *trial);

/* Runs it once into the results that the others are compared with. */
spcc_status trial_first(struct trials *trials, struct trial *trial);

/* Runs it once and compares its results; it has trouble if they differ. */
spcc_status trial_compare(struct trials *trials, struct trial *trial, const char *than);

/* Runs those without trouble in turns, each this many times; 0: until their medians are reliable.
 * One that takes much longer than another is not run again. */
spcc_status trial_turns(struct trials *trials, struct trial *const *trial, int n, int runs);

/* Returns the median of its runs, which are sorted; 0 if there are none. */
double trial_median(struct trial *trial);

void trial_free(struct trial *trial); /* keeps the tensors; the rest is zero then */
void trials_free(struct trials *trials);

#endif
