/* symbols.h - where the functions are that a kernel calls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_SYMBOLS_H
#define SPCC_JIT_SYMBOLS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/jit/jit.h"
#include "runtime/jit/object.h"

enum openmp_library { OPENMP_LLVM, OPENMP_GNU, OPENMP_LIBRARIES };
enum support_library { SUPPORT_M, SUPPORT_MVEC, SUPPORT_GCC, SUPPORT_LIBRARIES };

/* The libraries that a jit has opened; opened when first needed. */
struct symbols {
    pthread_mutex_t lock;
    const char *openmp; /* struct jit_options; the owner keeps it alive */
    void *blas;         /* ... which has cblas_* functions, or NULL */
    struct jit_host host;
    bool tried[OPENMP_LIBRARIES];
    void *library[OPENMP_LIBRARIES];
    bool support_opened;
    void *support[SUPPORT_LIBRARIES];
};

void symbols_init(struct symbols *symbols, const char *openmp, struct jit_host host);
/* Opens the library of matrix products that kernels call; false, with *error set, if it is not
 * there or lacks functions. */
bool symbols_open_blas(struct symbols *symbols, const char *library, char **error);
void symbols_close(struct symbols *symbols);

/* Is there an OpenMP runtime for what this engine makes of `#pragma omp parallel`? */
bool symbols_have_openmp(struct symbols *symbols, enum jit_engine engine);

/* Returns the file of the runtime for Clang's code, or NULL. */
const char *symbols_openmp_path(struct symbols *symbols);

/* object_load with the symbols of this process and of the libraries above. */
enum object_status symbols_load(struct symbols *symbols, const void *image, size_t size,
                                struct object **object, char **error);

#endif
