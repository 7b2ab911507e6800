/* cuda_compilers.h - CUDA source through compilers, without a warning, for five architectures.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_GPU_CUDA_COMPILERS_H
#define SPCC_GPU_CUDA_COMPILERS_H

#include "compiler/base/arena.h"

/* NVRTC, opened at run time, as far as it is asked for. */
struct nvrtc {
    int (*create)(void **, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(void *, int, const char *const *);
    int (*log_size)(void *, size_t *);
    int (*log)(void *, char *);
    int (*destroy)(void **);
};

/* The status of a test, where it is not installed, after a line that says so; 0: it is. */
int nvrtc_open(struct nvrtc *nvrtc);

/* In what follows: for every architecture, or for the first.  The test fails if the compiler
 * refuses the source, or warns. */
void nvrtc_expect(const struct nvrtc *nvrtc, struct arena *arena, const char *source, bool every);
void nvcc_expect(const char *nvcc, struct arena *arena, const char *source, bool every);
/* Of clang there is one for all. */
void clang_expect(const char *clang, struct arena *arena, const char *source);

#endif
