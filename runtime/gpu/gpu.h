/* gpu.h - a GPU of this machine: what it is, kernels loaded on it, their runs.
 *
 *     struct gpu *gpu;
 *     struct gpu_kernel *kernel;
 *     char *error = NULL;
 *     if (gpu_open(&gpu, &error) == GPU_OK
 *         && gpu_compile(gpu, NULL, source, &kernel, NULL, &error) == GPU_OK) {
 *         gpu_run(kernel, cx, &run, &done, &error);
 *         gpu_kernel_release(kernel);
 *     }
 *     gpu_release(gpu);
 *     free(error);
 *
 * The device is the first that the driver has (CUDA_VISIBLE_DEVICES says which that is).  Its
 * primary context is shared with whatever else in the process uses it, and is current only within
 * these calls.  Many threads may be in here at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_GPU_GPU_H
#define SPCC_GPU_GPU_H

#include "compiler/imperative/run/interpret.h"

struct cache;
struct memory;
struct gpu;
struct gpu_kernel;

enum gpu_status {
    GPU_OK,
    GPU_ABSENT,    /* there is no driver, device or NVRTC, or one is too old */
    GPU_NO_MEMORY, /* of the host or the device */
    GPU_REJECTED,  /* NVRTC does not accept the source */
    GPU_FAILED,    /* a call of the driver's failed; the error names it */
};

struct gpu_facts {
    char name[128];
    int major, minor;     /* compute capability */
    int processors;       /* multiprocessors */
    size_t memory;        /* bytes */
    int driver, compiler; /* their versions of CUDA: 1000 * major + 10 * minor */
};

/* The times of a compilation; compile_ms is 0 if the kernel came from the cache. */
struct gpu_times {
    double compile_ms, load_ms;
};

/* Opens the first device.  On failure *error is a sentence to free(), or NULL. */
enum gpu_status gpu_open(struct gpu **gpu, char **error);
/* Releases the device; kernels keep it alive.  NULL is allowed. */
void gpu_release(struct gpu *gpu);
const struct gpu_facts *gpu_facts(const struct gpu *gpu);

/* Returns the device's memory for the arrays of tensors, which it allocates and releases. */
const struct memory *gpu_memory(const struct gpu *gpu);
/* Adds an owner, who releases the device as well. */
struct gpu *gpu_retain(struct gpu *gpu);

/* Copies to the GPU's memory or back, and waits. */
enum gpu_status gpu_put(struct gpu *gpu, void *to, const void *from, size_t bytes, char **error);
enum gpu_status gpu_get(struct gpu *gpu, void *to, const void *from, size_t bytes, char **error);

/* Measures how many bytes a copy within the GPU's memory reads and writes in a millisecond. */
enum gpu_status gpu_copy_rate(struct gpu *gpu, double *bytes, char **error);

/* Loads the launches of a file that emit_c has written as CUDA, compiled or from the cache, which
 * may be NULL. */
enum gpu_status gpu_compile(struct gpu *gpu, const struct cache *cache, const char *source,
                            struct gpu_kernel **kernel, struct gpu_times *times, char **error);
/* Releases the kernel.  NULL is allowed. */
void gpu_kernel_release(struct gpu_kernel *kernel);
/* Returns the device of the kernel. */
struct gpu *gpu_of(const struct gpu_kernel *kernel);

/* A run: the function that the source was made of, its launches there, its arguments in the host's
 * memory or the GPU's, and the allocator of results.  The caller sets data and length of an array
 * that the kernel reads, or writes in place; the run sets those of an array that it makes. */
struct gpu_call {
    const struct imp_function *function;
    const struct imp_entry *entry;
    int entries;
    struct imp_argument *argument;
    /* by argument: is the array in the GPU's memory, or made there to stay? */
    const bool *resident;
    const struct imp_allocator *allocator;
    const atomic_bool *stop; /* as in struct imp_options */
    void *stream;            /* a stream of CUDA's; NULL is the GPU's own */
};

/* The times of a run's phases by the device's clock. */
struct gpu_spent {
    double there_ms, kernel_ms, back_ms; /* arrays to the device, kernels, results back */
    int64_t there_bytes, back_bytes;
};

/* Copies the arrays to the device, runs the kernel, and copies the results back.  In a stream of
 * the caller's it waits only if something is made or copied back, and *spent has no times.  On
 * GPU_OK *status is what the kernel returned.  The arguments' arrays change only if that is
 * STATUS_OK, or if copying them back fails. */
enum gpu_status gpu_run(struct gpu_kernel *kernel, struct context *cx, const struct gpu_call *call,
                        enum imp_status *status, struct gpu_spent *spent, char **error);

#endif
