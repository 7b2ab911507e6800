/* bind.h - tensors bound to the parameters of a kernel's function, checked.
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
    /* the user's own, or a new one to take its place */
    struct tensor *tensor;
    struct tensor *made; /* the new one, until it has */
    /* what a compound assignment combines with: the user's own, or `empty` */
    const struct tensor *before;
    struct tensor *empty;
};

/* Bytes that a run changes in place, and a copy of what they were. */
struct kept {
    void *array;
    const void *copy;
    size_t bytes;
};

/* One run of one function, as far as it has got. */
struct run {
    const struct spcc_kernel *kernel;
    const struct kernel_function *function;
    enum kernel_kind kind;
    struct spcc_tensor *const *tensor; /* by rank */
    int threads;                       /* as in spcc_options */
    bool overwrites;                   /* old arrays of results are room for it */
    void *gpu_stream;
    spcc_gpu_times *gpu_times;                 /* NULL: nobody asks */
    int64_t max_spare;                         /* bytes that are kept for the next run */
    const struct memory *memory;               /* of the arrays that are made */
    struct spare *spare;                       /* a result's, through which they come */
    struct run_result result[TIN_RESULTS_MAX]; /* by rank */
    struct kept *kept; /* in the call's arena; all copies are in `copy`, which is malloc's */
    int n_kept;
    void *copy;
    /* by parameter, in the call's arena: every array's address (NULL: none yet), and of those that
     * are made on a GPU, to stay there, how long they are */
    void **array;
    int64_t *length;
};

/* Does the function make the arrays of result r? */
bool bind_makes(const struct imp_function *f, int r);

/* The tensors by rank, of those that a run is given (parts.c). */
spcc_status bind_parts(struct context *cx, const struct spcc_kernel *kernel,
                       struct spcc_tensor *const *given, int n, struct spcc_tensor ***by_rank);

/* The tensors are those that the kernel was compiled for, and their sizes agree; those of
 * the results are found. */
spcc_status bind_check(struct context *cx, struct run *run);

/* Tensors of which the kernel was promised that they have one pattern have one. */
spcc_status bind_check_same(struct context *cx, const struct run *run);

/* A result shares no memory that is written with an operand or another result, may be written, and
 * has the pattern to compute into. */
spcc_status bind_check_result(struct context *cx, struct run *run, int r);

/* A number for the tensor's pattern, whose arrays are here, if they are not in a tensor of another
 * place.  Never 0. */
uint64_t bind_pattern_of(struct spcc_tensor *tensor, const struct tensor *here);

/* A number for the kernel's request and the operands' patterns: what the result was or is to be
 * assembled for.  Never 0. A pattern is read once, and remembered. */
uint64_t bind_pattern(const struct run *run);

/* The arguments, in cx's arena: for interpretation, and for the function that takes pointers to
 * them. */
spcc_status bind_arguments(struct context *cx, struct run *run, struct imp_argument **interpreted,
                           void ***pointers);

/* Of each parameter: is it an array in the GPU's memory? */
const bool *bind_resident(struct context *cx, const struct run *run);

#endif
