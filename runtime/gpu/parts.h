/* parts.h - declarations that the files of runtime/gpu share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_GPU_PARTS_H
#define SPCC_GPU_PARTS_H

#include <stdatomic.h>

#include "runtime/gpu/gpu.h"
#include "runtime/gpu/library.h"
#include "runtime/tensor/memory.h"

struct gpu {
    atomic_int references;
    struct gpu_libraries libraries;
    int device;
    void *context, *stream;
    struct gpu_facts facts;
    struct memory memory;
    int architecture; /* NVRTC's target: the device's, or an older one */
};

struct gpu_kernel {
    struct gpu *gpu;
    void *module;
};

/* Turns the error of a call into a status, and sets *error to a sentence. */
enum gpu_status gpu_complain(const struct gpu *gpu, const char *what, int result, char **error);

/* Makes the device's context the thread's until gpu_leave; false if that fails. */
bool gpu_enter(struct gpu *gpu);
void gpu_leave(struct gpu *gpu);

struct memory gpu_memory_of(struct gpu *gpu);

double gpu_now_ms(void);

#endif
