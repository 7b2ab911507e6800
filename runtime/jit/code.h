/* code.h - a kernel's code in memory, from an object or a shared library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CODE_H
#define SPCC_JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/jit/object.h"
#include "runtime/jit/symbols.h"

/* An object or a library. */
struct code {
    struct object *object;
    void *library; /* of dlopen */
};

/* Load the size bytes at image, a relocatable object or a shared library, which are not needed
 * afterwards.
 * A kernel that uses OpenMP takes it from the libraries that it was linked with, not from the
 * process.  On failure *error is to be freed. */
enum object_status code_load(struct code *code, const void *image, size_t size, bool openmp,
                             struct symbols *symbols, char **error);

void *code_symbol(const struct code *code, const char *name);
void code_unload(struct code *code);

#endif
