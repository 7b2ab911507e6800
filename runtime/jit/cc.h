/* cc.h - the system's C compiler, in a process of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CC_H
#define SPCC_JIT_CC_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/jit/clang_plugin.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/sha256.h"

struct cc {
    pthread_mutex_t lock;
    /* struct jit_options; the owner keeps them alive */
    const char *wanted;
    const atomic_bool *stop;
    bool searched;
    /* path and first arguments, NULL-terminated; NULL: there is none */
    char **words;
    char *missing; /* what was looked for in vain */
};

void cc_init(struct cc *cc, const char *wanted, const atomic_bool *stop);
void cc_close(struct cc *cc);

/* Find the compiler, without running it.  JIT_OK, or a status and *error. */
enum jit_status cc_find(struct cc *cc, char **error);

/* The same, and add to the hash what tells it from others. */
enum jit_status cc_identify(struct cc *cc, struct sha256 *hash, char **error);

/* Compile request->source into an object.  On success *object is to be freed; on failure *error
 * is. */
enum jit_status cc_compile(struct cc *cc, const struct clang_request *request, void **object,
                           size_t *size, char **error);

/* Link objects and C files into a shared library, also with the libraries at the given paths,
 * NULL-terminated. */
enum jit_status cc_link(struct cc *cc, const struct jit_input *inputs, size_t n,
                        const char *const *flags, void **library, size_t *library_size,
                        char **error);

#endif
