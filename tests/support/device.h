/* device.h - kernels for a GPU as one program (tests/gpu/program.h), which this machine's CPU runs
 * under sanitizers, in any order of threads, or a GPU.
 *
 *     struct device_program program;
 *     device_open(&program, cx);
 *     int number = device_add(&program, kernel, source);
 *     if (device_build(&program)) status = device_run(&program, number, kernel, argument, &how);
 *     device_close(&program);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_DEVICE_H
#define SPCC_SUPPORT_DEVICE_H

#include "compiler/base/text.h"
#include "compiler/format/format.h"
#include "compiler/format/tensor_var.h"
#include "compiler/imperative/run/interpret.h"

struct device_program {
    struct context *cx;
    struct text source, table;
    int kernels;
    char folder[64];
};

/* How a kernel is called. */
struct device_order {
    const uint64_t *seed; /* each gives an order of threads; all have to leave the same bits */
    int n;
};

/* A function `int NAME_call(void *const *argument)` that calls the kernel, if it is compiled for a
 * host: argument[i] is the address of a scalar, of an array's address, or, of an array that the
 * kernel makes, of the address of the variable that gets it. */
void device_add_wrapper(struct text *out, const struct imp_function *kernel);

void device_open(struct device_program *program, struct context *cx);
void device_close(struct device_program *program);

/* The kernel's number; its name is its own in the program. */
int device_add(struct device_program *program, const struct imp_function *kernel,
               const char *source);

/* Returns the program's text. */
const char *device_source(const struct device_program *program);

/* Returns the path of a file of the program: kernels.cu, program, and the last call and result. */
const char *device_path(const struct device_program *program, const char *name);

/* Is there what compiles it for the CPU? */
bool device_can_build(void);
/* Compile it for the CPU; NULL, or what the compiler says. */
const char *device_build(struct device_program *program);

/* Writes a call's file. */
bool device_write_call(const struct device_program *program, int number,
                       const struct imp_function *kernel, const struct imp_argument *argument,
                       const struct device_order *order, const char *path);

/* Writes a call's file for timing: the program makes the tensors, of these dimensions by rank,
 * which have a few entries in each row.  False: of a format that it does not make. */
bool device_write_large(const struct device_program *program, int number,
                        const struct imp_function *kernel, const struct tensor_var *const *tensor,
                        const int64_t *const *dimension, const char *path);

/* Runs a kernel as imp_interpret does: what it writes is in argument, what it makes is malloc's.
 * `fault`: what the program says was wrong, as the result of the run; NULL: nothing. */
struct imp_run device_run(const struct device_program *program, int number,
                          const struct imp_function *kernel, struct imp_argument *argument,
                          const struct device_order *order);

#endif
