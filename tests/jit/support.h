/* support.h - what the tests of the JIT share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_JIT_SUPPORT_H
#define SPCC_TESTS_JIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/jit/jit.h"

/* The engine that the program's argument names.  Where it is "no-clang", there is nothing to test:
 * says so and leaves with the status of a skipped test. */
enum jit_engine engine_of(int argc, char **argv);

/* A jit without a cache on disk, unless the options say otherwise; NULL is allowed. */
struct jit *new_jit(const struct jit_options *options);

/* Compile, and fail the test if that fails. */
struct jit_kernel *compile(struct jit *jit, enum jit_engine engine, const char *source,
                           struct jit_times *times);

/* Compile something wrong: the error's text, to free(). */
char *fail_to_compile(struct jit *jit, enum jit_engine engine, const char *source,
                      enum jit_status expected);

/* The address of a function as a pointer of the given type; fails the test if it is not there. */
#define FUNCTION(kernel, name, type) ((type)(uintptr_t)address_of((kernel), (name)))
void *address_of(const struct jit_kernel *kernel, const char *name);

/* A new directory, to be removed with everything in it by remove_directory, which also frees the
 * path. */
char *new_directory(void);
void remove_directory(char *path);

/* The number of entries in a directory. */
size_t count_files(const char *path);

/* Write text into directory/name, with the given permissions, and return that path, to free(). */
char *write_text(const char *directory, const char *name, const char *text, unsigned mode);

#define assert_contains(text, part) assert_true(contains((text), (part)))
bool contains(const char *text, const char *part);

#endif
