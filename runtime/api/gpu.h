/* gpu.h - reports errors of a GPU, and describes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_GPU_H
#define SPCC_API_GPU_H

#include "runtime/api/api.h"
#include "runtime/gpu/gpu.h"

/* Reports an error of the GPU; frees the text. */
spcc_status gpu_tell(struct context *cx, enum gpu_status status, char *error);

/* Returns a text in cx's arena, as "NVIDIA H100, compute capability 9.0, 132 multiprocessors, 85.0
 * GB; driver for CUDA 12.8, NVRTC 12.8". */
const char *gpu_describe(struct context *cx, const struct gpu *gpu);

#endif
