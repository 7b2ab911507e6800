/* clang.h - the Clang plug-in, from the side of the program that opens it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CLANG_H
#define SPCC_JIT_CLANG_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/jit/clang_plugin.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/sha256.h"

struct clang {
    pthread_mutex_t lock;
    const char *wanted; /* struct jit_options; the owner keeps it alive */
    bool searched;
    char *path;                        /* the plug-in's file, once searched; NULL: none */
    const struct clang_plugin *plugin; /* once opened */
};

void clang_init(struct clang *clang, const char *wanted);
void clang_close(struct clang *clang);

/* Find the plug-in's file, without opening it, and add to the hash what tells this compiler from
 * others. JIT_OK, or a status and *error. */
enum jit_status clang_identify(struct clang *clang, struct sha256 *hash, char **error);

/* Open the plug-in. */
enum jit_status clang_open(struct clang *clang, char **error);

/* Compile, with request->unwanted set by the way.  On success *object is to be freed; on failure
 * *error is.  JIT_STOPPED where `stop`, which may be NULL, is set before or meanwhile. */
enum jit_status clang_compile(struct clang *clang, struct clang_request *request,
                              const atomic_bool *stop, void **object, size_t *size, char **error);

#endif
