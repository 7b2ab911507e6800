/* compile.h - emitted C through the C and C++ compilers that this machine has, and into this
 * process.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_COMPILE_H
#define SPCC_TESTS_IMPERATIVE_COMPILE_H

#include "compiler/imperative/run/interpret.h"

/* A compiler and how it is called; the list ends with name NULL. */
struct compiler {
    const char *name;
    const char *language; /* "-std=c11", "-x c++ -std=c++17" */
};
extern const struct compiler compilers[];

/* Look which are installed, and from then on go by the first one for C and the last one for C++
 * or, if `every`, by all. */
void compilers_choose(bool every);

/* Is it to be gone by?  The first in the list must be. */
bool compiler_is_chosen(const struct compiler *compiler);

/* Wrappers NAME_call for kernels whose source does not have them, to be put behind it; and in front
 * of it an allocator that a test can make fail. */
const char *compile_prologue(void);
const char *compile_wrapper(struct context *cx, const struct imp_function *kernel);

/* Source text as a loaded library, all warnings being errors but those that `flags` switches off.
 * On failure prints what the compiler says and returns NULL. */
void *compile_library(const struct compiler *compiler, const char *source, const char *flags);

/* Run a kernel of a library by its NAME_call as imp_interpret does.  An out array's length must be
 * known: it is taken from argument[i].length.  Fails the test if it returns while memory is
 * allocated that no out array holds. */
enum imp_status compile_run(void *library, const struct imp_function *kernel,
                            struct imp_argument *argument);

/* After so many more allocations in the library, one fails; negative: none does. */
void compile_fail_after(void *library, long allocations);

#endif
