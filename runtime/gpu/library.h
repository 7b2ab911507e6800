/* library.h - the driver and NVRTC, which are opened at run time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_GPU_LIBRARY_H
#define SPCC_GPU_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

struct gpu_driver {
#define DRIVER(member, symbol, parameters) int(*member) parameters;
#include "runtime/gpu/library.def"
};

struct gpu_compiler {
#define COMPILER(member, symbol, parameters) int(*member) parameters;
#include "runtime/gpu/library.def"
};

struct gpu_libraries {
    void *driver_handle, *compiler_handle; /* from dlopen */
    struct gpu_driver driver;
    struct gpu_compiler compiler;
};

/* Opens both libraries: the driver as SPCC_LIBCUDA in the environment or libcuda.so.1, NVRTC as
 * SPCC_NVRTC, by the names of its versions, or in the toolkit's folder.  Returns NULL, or a
 * sentence to free() with what is missing and the remedy. */
char *gpu_libraries_open(struct gpu_libraries *libraries);
void gpu_libraries_close(struct gpu_libraries *libraries);

/* Formats a text to free(); NULL if there is no memory. */
char *gpu_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
