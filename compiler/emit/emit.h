/* emit.h - imperative IR as source text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_EMIT_EMIT_H
#define SPCC_EMIT_EMIT_H

#include "compiler/imperative/imperative.h"

struct emit_options {
    /* Lines of the head comment, each without "* " and newline: the statement, formats, schedule,
     * version, the command that reproduces it.  NULL-terminated, or NULL. */
    const char *const *head;
    /* The kernels that the source will stand beside in one file, NULL-terminated, or NULL: nothing
     * that it has besides its kernel is called as one of them, or as what they have. */
    const char *const *others;
    /* No integers overflow in it: the head comment does not ask for -fwrapv. */
    bool in_range;
    /* No #include: typedefs of the compiler's own built-in macros and declarations of what is used,
     * and a second function `int NAME_call(void *const *argument)` that unpacks an array of
     * pointers to the arguments and calls the kernel: what the runtime loads. */
    bool for_jit;
    /* Only what C11 has, and C++17 unless numbers are complex: functions of the C library by name.
     * Memory comes from calloc and realloc, helpers have the kernel's name before their own and no
     * guards, pointers are not restrict.  What fails sets the results' pointers to NULL.
     * The header gives the function C linkage, the source says nothing about it: a source that is
     * compiled as C++ has it from the header, if it includes that.
     * Requires a kernel without vectors and prefetches.  With for_jit, where no header is,
     * compilers' own names remain. */
    bool iso;
    /* CUDA C++ of a kernel with launches: they are its __global__ functions, and the kernel is
     * `int NAME(..., cudaStream_t stream)` on arrays in the device's memory.  Excludes the other
     * two. */
    bool cuda;
};

/* Returns the number of launches of a kernel, as emit_c writes them to CUDA, and *entry, the
 * launches. */
int emit_entries(struct context *cx, const struct imp_function *kernel,
                 const struct emit_options *options, const struct imp_entry **entry);

/* Returns the kernel as C11 (and C++17), or as CUDA, and a header that declares it, in the
 * context's arena; NULL after a diagnostic if CUDA has no code for the kernel. */
const char *emit_c(struct context *cx, const struct imp_function *kernel,
                   const struct emit_options *options, const char **header_or_null);

#endif
