/* bind.h - binds tensors to the parameters of a kernel's function, and checks them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_BIND_H
#define SPCC_API_BIND_H

#include "compiler/imperative/run/interpret.h"
#include "runtime/api/kernel.h"
#include "runtime/api/tensor.h"

/* A result of a run. */
struct run_result {
    int64_t dimension[ORDER_MAX];
    /* the user's tensor, or a new one that takes its place */
    struct tensor *tensor;
    struct tensor *made; /* the new one, until it takes the place */
    /* the operand of a compound assignment: the user's tensor, or `empty` */
    const struct tensor *before;
    struct tensor *empty;
};

/* Bytes that a run changes in place, and a copy of their old state. */
struct kept {
    void *array;
    const void *copy;
    size_t bytes;
};

/* A run of one function, with its state so far. */
struct run {
    const struct spcc_kernel *kernel;
    const struct kernel_function *function;
    enum kernel_kind kind;
    struct spcc_tensor *const *tensor; /* by rank */
    int threads;                       /* as in spcc_options */
    bool overwrites;                   /* results' old arrays are room for it */
    void *gpu_stream;
    spcc_gpu_times *gpu_times;                 /* NULL: not wanted */
    int64_t max_spare;                         /* bytes that are kept for the next run */
    const struct memory *memory;               /* for the arrays that are made */
    struct spare *spare;                       /* a result's, which the arrays come from */
    struct run_result result[TIN_RESULTS_MAX]; /* by rank */
    struct kept *kept; /* in the call's arena; all copies are in `copy`, from malloc */
    int n_kept;
    void *copy;
    /* by parameter, in the call's arena: every array's address (NULL: none yet), and the length of
     * those that are made on a GPU to stay there */
    void **array;
    int64_t *length;
};

/* Does the function make the arrays of result r? */
bool bind_makes(const struct imp_function *f, int r);

/* Returns the tensors by rank of those that a run is given (parts.c). */
spcc_status bind_parts(struct context *cx, const struct spcc_kernel *kernel,
                       struct spcc_tensor *const *given, int n, struct spcc_tensor ***by_rank);

/* Checks that the tensors are those that the kernel was compiled for and that their sizes agree;
 * finds the sizes of results. */
spcc_status bind_check(struct context *cx, struct run *run);

/* Checks that tensors have one pattern if the kernel was promised that. */
spcc_status bind_check_same(struct context *cx, const struct run *run);

/* Checks that a result may be written, shares no memory that is written with an operand or another
 * result, and has the pattern to compute into. */
spcc_status bind_check_result(struct context *cx, struct run *run, int r);

/* Returns a number for the tensor's pattern, never 0. `here` has its arrays if they are in another
 * place. */
uint64_t bind_pattern_of(struct spcc_tensor *tensor, const struct tensor *here);

/* Returns a number for the kernel's request and the operands' patterns, never 0. It stands for what
 * the result was or is to be assembled for.  A pattern is read once, and remembered. */
uint64_t bind_pattern(const struct run *run);

/* Makes the arguments in cx's arena, for the interpreter and for the function that takes pointers
 * to them. */
spcc_status bind_arguments(struct context *cx, struct run *run, struct imp_argument **interpreted,
                           void ***pointers);

/* Says for each parameter whether it is an array in the GPU's memory. */
const bool *bind_resident(struct context *cx, const struct run *run);

#endif
