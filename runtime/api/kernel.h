/* kernel.h - compiled statements, and the kernels that a context remembers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_KERNEL_H
#define SPCC_API_KERNEL_H

#include <stdatomic.h>

#include "compiler/pipeline.h"
#include "runtime/api/api.h"

struct gpu_kernel;
struct jit_kernel;

enum { KERNEL_KINDS = KERNEL_COMPUTE + 1 };

/* One function of a kernel. */
struct kernel_function {
    const struct imp_function *imperative; /* NULL: the kernel has none of this kind */
    struct jit_kernel *code;               /* NULL: to be interpreted */
    int (*call)(void *const *argument);
    struct gpu_kernel *device; /* of CUDA: the launches; NULL: to be interpreted, too */
    const struct imp_entry *entry;
    int entries;
    int pattern; /* the operand whose pattern it takes the result to have; 0: none */
};

/* Mode `mode` of a tensor is indexed by a variable of this name, or by a literal. */
struct kernel_use {
    const char *variable;
    int64_t literal; /* -1: a variable */
    int tensor, mode;
};

/* A tensor that is given to a run: it itself, of that rank, or some of its parts from that rank on;
 * `of`: how many it has, 0: it is in one. */
struct kernel_argument {
    const char *name;
    int rank, first, parts, of;
};

/* Immutable once made, but for the count of its references. */
struct spcc_kernel {
    atomic_int references;
    /* owns all that is not malloc'ed: everything but code */
    struct context *cx;
    const char *statement, *schedule; /* as they were given; the schedule may be NULL */
    /* a number for what the result's pattern follows from: what one kernel of a number assembles,
     * another may compute into */
    uint64_t request;
    const bool *compound; /* of each tensor: is it a result whose old values are read? */
    int results;          /* the first of the tensors */
    /* as a run is given them, results first */
    int arguments;
    const struct kernel_argument *argument;
    int tensors; /* by rank */
    const struct tensor_var *const *tensor;
    const struct tin *notation; /* over these */
    /* every one in the statement, from left to right */
    int uses;
    const struct kernel_use *use;
    int sizes; /* declared */
    const struct tin_size *size;
    struct kernel_function function[KERNEL_KINDS];
    spcc_kernel_info info;
};

/* ---- what a context remembers ---- */

/* A kernel as spcc_compile gives it, from the memory of the context if it has it; the caller's to
 * release.  The edge of the API is the caller's: this may unwind, with nothing lost. */
spcc_status kernel_compile(struct spcc_context *api, struct context *cx, const char *statement,
                           const spcc_compile_options *options, struct spcc_kernel **kernel);

void kernel_cache_free(struct kernel_cache *cache);
/* Forget them: there are better plans. */
void kernel_cache_clear(struct spcc_context *api);

/* ---- tensors by their names ---- */

/* The bindings are whole, and no name is in two of them. */
spcc_status kernel_check_bindings(struct context *cx, const char *caller,
                                  const spcc_binding *binding, int n);
/* The kernel's tensors, in its order. */
spcc_status kernel_order_bindings(struct context *cx, const struct spcc_kernel *kernel,
                                  const spcc_binding *binding, int n, struct spcc_tensor **tensors);

/* Arguments from tensors by rank. */
const struct kernel_argument *kernel_arguments(struct context *cx,
                                               const struct tensor_var *const *tensor, int tensors,
                                               int *arguments);

/* ---- on a GPU (gpu.c) ---- */

/* Compile the functions' launches and load them, all or none. */
spcc_status kernel_load_on_gpu(struct spcc_context *api, struct context *cx,
                               struct spcc_kernel *kernel, const char *const *source);
void kernel_unload_from_gpu(struct spcc_kernel *kernel);

/* ---- requests ---- */

/* What the compiler is asked for, everything copied into cx's arena.  False after a diagnostic. */
bool kernel_request(struct spcc_context *api, struct context *cx, const char *statement,
                    const spcc_compile_options *options, struct pipeline_request *request);

/* What the options say of tensors' sizes, for plans; false after a diagnostic. */
bool kernel_expected(struct context *cx, const spcc_compile_options *options,
                     struct tin_declarations *declared);
/* ... as a part of a key. */
void kernel_print_expected(struct text *out, const struct tin_declarations *declared);

/* What is asked for, as a part of a key: the statement as it is read, and the options, but what is
 * said of tensors; and of a tensor all but its format. */
void kernel_print_asked(struct text *out, const struct pipeline_request *request,
                        const struct tin *notation);
void kernel_print_values(struct text *out, const struct tensor_var *tensor);

/* A note that the statement takes so many times the steps that it would if the planner might
 * distribute; 0: none. */
void kernel_note_distribution(struct context *cx, double times);
/* The spcc command line that asks for the same. */
const char *kernel_command(struct context *cx, const struct pipeline_request *request);

/* The options, those that are not given zero; false after a diagnostic. */
bool kernel_options(struct context *cx, spcc_compile_options *checked,
                    const spcc_compile_options *options);
/* What they say of tensors, copied into cx's arena; NULL after a diagnostic. */
const struct tin_declaration *kernel_declarations(struct spcc_context *api, struct context *cx,
                                                  const spcc_compile_options *options);
/* Their operators, copied into cx's arena. */
const char *const *kernel_operators(struct context *cx, const spcc_compile_options *options);

#endif
