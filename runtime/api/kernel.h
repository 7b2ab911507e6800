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

/* One function of a kernel: fused, assemble or compute. */
struct kernel_function {
    const struct imp_function *imperative; /* NULL: the kernel has no function of this kind */
    struct jit_kernel *code;               /* NULL: it is interpreted */
    int (*call)(void *const *argument);
    struct gpu_kernel *device; /* CUDA's launches; NULL: they are interpreted */
    const struct imp_entry *entry;
    int entries;
    int pattern; /* the operand whose pattern the function takes the result to have; 0: none */
};

/* Mode `mode` of a tensor is indexed by the variable of this name, or by a literal. */
struct kernel_use {
    const char *variable;
    int64_t literal; /* -1: a variable */
    int tensor, mode;
};

/* A tensor that is passed to a run: the tensor of rank `rank`, or, if it has parts, its `of` parts
 * from number `first` on. */
struct kernel_argument {
    const char *name;
    int rank, first, parts, of;
};

/* A kernel.  It does not change once it is made, except for its reference count. */
struct spcc_kernel {
    atomic_int references;
    /* owns all but code and what is from malloc */
    struct context *cx;
    const char *statement, *schedule; /* as given; the schedule may be NULL */
    /* a number for what the result's pattern follows from: a kernel can compute into what another
     * one with the same number has assembled */
    uint64_t request;
    const bool *compound; /* by tensor: is it a result whose old values are read? */
    int results;          /* the number of results, which are the first tensors */
    /* the tensors as a run is given them, results first */
    int arguments;
    const struct kernel_argument *argument;
    int tensors; /* by rank */
    const struct tensor_var *const *tensor;
    const struct tin *notation; /* over these tensors */
    /* all indices in the statement, from left to right */
    int uses;
    const struct kernel_use *use;
    int sizes; /* declared sizes */
    const struct tin_size *size;
    struct kernel_function function[KERNEL_KINDS];
    spcc_kernel_info info;
};

/* ---- what a context remembers ---- */

/* Finds a kernel in the context's memory, or compiles it as spcc_compile does.  The caller releases
 * it, and is behind the edge of the API: a failure may unwind, and nothing is lost. */
spcc_status kernel_compile(struct spcc_context *api, struct context *cx, const char *statement,
                           const spcc_compile_options *options, struct spcc_kernel **kernel);

void kernel_cache_free(struct kernel_cache *cache);
/* Forgets all kernels, because there are better plans. */
void kernel_cache_clear(struct spcc_context *api);

/* ---- tensors by their names ---- */

/* Checks that the bindings are complete, and that no two have the same name. */
spcc_status kernel_check_bindings(struct context *cx, const char *caller,
                                  const spcc_binding *binding, int n);
/* Finds the bound tensors in the kernel's order. */
spcc_status kernel_order_bindings(struct context *cx, const struct spcc_kernel *kernel,
                                  const spcc_binding *binding, int n, struct spcc_tensor **tensors);

/* Returns the arguments for tensors by rank. */
const struct kernel_argument *kernel_arguments(struct context *cx,
                                               const struct tensor_var *const *tensor, int tensors,
                                               int *arguments);

/* ---- on a GPU (gpu.c) ---- */

/* Compiles and loads the launches of all functions, or of none. */
spcc_status kernel_load_on_gpu(struct spcc_context *api, struct context *cx,
                               struct spcc_kernel *kernel, const char *const *source);
void kernel_unload_from_gpu(struct spcc_kernel *kernel);

/* ---- requests ---- */

/* Makes the compiler's request in cx's arena.  False after a diagnostic. */
bool kernel_request(struct spcc_context *api, struct context *cx, const char *statement,
                    const spcc_compile_options *options, struct pipeline_request *request);

/* Finds the sizes of tensors that the options expect, for plans.  False after a diagnostic.
 * kernel_print_expected prints them as a part of a key. */
bool kernel_expected(struct context *cx, const spcc_compile_options *options,
                     struct tin_declarations *declared);
void kernel_print_expected(struct text *out, const struct tin_declarations *declared);

/* Prints the request as a part of a key: the statement as it is read, and the options without those
 * about tensors; and all of a tensor but its format. */
void kernel_print_asked(struct text *out, const struct pipeline_request *request,
                        const struct tin *notation);
void kernel_print_values(struct text *out, const struct tensor_var *tensor);

/* Notes that the statement takes this many times the steps of a plan that may distribute; 0: no
 * note. */
void kernel_note_distribution(struct context *cx, double times);
/* Returns the spcc command line that asks for the same. */
const char *kernel_command(struct context *cx, const struct pipeline_request *request);

/* Checks the options; those that are not given become zero.  False after a diagnostic. */
bool kernel_options(struct context *cx, spcc_compile_options *checked,
                    const spcc_compile_options *options);
/* Returns what the options declare of tensors, copied into cx's arena; NULL after a diagnostic. */
const struct tin_declaration *kernel_declarations(struct spcc_context *api, struct context *cx,
                                                  const spcc_compile_options *options);
/* Returns the options' operators, copied into cx's arena. */
const char *const *kernel_operators(struct context *cx, const spcc_compile_options *options);

#endif
