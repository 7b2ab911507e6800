/* batch.h - many kernels compiled from one source: a C compiler's start costs more than a small
 * kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_BATCH_H
#define SPCC_SUPPORT_BATCH_H

#include "runtime/jit/jit.h"
#include "tests/support/trial.h"

struct batch_engine {
    bool compiled; /* else interpreted */
    bool for_gpu;  /* ... for a GPU, by a schedule drawn at random */
    bool emulated; /* ... and run on this CPU */
    enum jit_engine engine;
    struct jit *jit; /* once opened */
};

/* "interp", "cc", "clang", "emulator" or "gpu"; false: none of these. */
bool batch_choose(struct batch_engine *engine, const char *name);

/* flags: for the compiler, separated by blanks, or NULL.  NULL, or why the engine is not to be
 * had. */
const char *batch_open(struct batch_engine *engine, const char *flags);
void batch_close(struct batch_engine *engine);

/* Compile the kernels of those trials that are right so far, call them, and compare what they
 * leave.  *at is set to the seed of the case at hand before anything of its own is run. */
void batch_call(const struct batch_engine *engine, struct trial *trial, int n, uint64_t *at);

/* The same for n kernels with `share` trials each, one after the other: the first one's kernel
 * serves them all, which differ in nothing but sizes and entries.  A trial without a test is
 * passed by. */
void batch_call_shared(const struct batch_engine *engine, struct trial *trial, int n, int share,
                       uint64_t *at);

#endif
