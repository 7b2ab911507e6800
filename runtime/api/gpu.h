/* gpu.h - what the C API says of a GPU.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_GPU_H
#define SPCC_API_GPU_H

#include "runtime/api/api.h"
#include "runtime/gpu/gpu.h"

/* Report an error of the GPU's; the text is freed. */
spcc_status gpu_tell(struct context *cx, enum gpu_status status, char *error);

/* "NVIDIA H100, compute capability 9.0, 79.2 GB; driver for CUDA 12.8, NVRTC 12.8", a text in cx's
 * arena. */
const char *gpu_describe(struct context *cx, const struct gpu *gpu);

#endif
