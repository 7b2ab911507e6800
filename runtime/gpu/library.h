/* library.h - the two libraries of a GPU, opened at run time: the driver, and NVRTC.
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
    void *driver_handle, *compiler_handle; /* of dlopen */
    struct gpu_driver driver;
    struct gpu_compiler compiler;
};

/* Open both: the driver as SPCC_LIBCUDA in the environment or libcuda.so.1, NVRTC as SPCC_NVRTC, by
 * its versions' names, or where the toolkit is.  NULL, or what is missing and what to do, as a
 * sentence to free(). */
char *gpu_libraries_open(struct gpu_libraries *libraries);
void gpu_libraries_close(struct gpu_libraries *libraries);

/* A text to free(), by a format; NULL if there is no memory. */
char *gpu_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
