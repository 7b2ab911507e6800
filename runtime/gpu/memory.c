/* memory.c - allocates and copies the GPU's memory for tensors that stay there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/gpu/parts.h"

static struct gpu *owner(const struct memory *memory) { return memory->given.user; }

static void *allocate(const struct memory *memory, int64_t n, size_t size)
{
    struct gpu *gpu = owner(memory);
    uint64_t address = 0;
    size_t bytes;
    if (__builtin_mul_overflow((uint64_t)n, size, &bytes) || !gpu_enter(gpu))
        return NULL;
    if (gpu->libraries.driver.allocate(&address, bytes ? bytes : 1, gpu->stream) != 0)
        address = 0;
    else if (gpu->libraries.driver.wait(gpu->stream) != 0) {
        gpu->libraries.driver.free(address, gpu->stream);
        address = 0;
    }
    gpu_leave(gpu);
    return (void *)(uintptr_t)address;
}

static void release(const struct memory *memory, void *array)
{
    struct gpu *gpu = owner(memory);
    if (!array || !gpu_enter(gpu))
        return;
    gpu->libraries.driver.free((uint64_t)(uintptr_t)array, gpu->stream);
    gpu_leave(gpu);
}

struct memory gpu_memory_of(struct gpu *gpu)
{
    return (struct memory){
        .name = "the GPU", .allocate = allocate, .release = release, .given = {.user = gpu}};
}

const struct memory *gpu_memory(const struct gpu *gpu) { return &gpu->memory; }

static enum gpu_status copy(struct gpu *gpu, void *to, const void *from, size_t bytes, bool there,
                            char **error)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    *error = NULL;
    if (bytes == 0)
        return GPU_OK;
    if (!gpu_enter(gpu))
        return gpu_complain(gpu, "cuCtxPushCurrent", 1, error);
    int result = there ? d->to_device((uint64_t)(uintptr_t)to, from, bytes, gpu->stream)
                       : d->to_host(to, (uint64_t)(uintptr_t)from, bytes, gpu->stream);
    if (result == 0)
        result = d->wait(gpu->stream);
    gpu_leave(gpu);
    return result ? gpu_complain(gpu, "cuMemcpyAsync", result, error) : GPU_OK;
}

enum gpu_status gpu_put(struct gpu *gpu, void *to, const void *from, size_t bytes, char **error)
{
    return copy(gpu, to, from, bytes, true, error);
}

enum gpu_status gpu_get(struct gpu *gpu, void *to, const void *from, size_t bytes, char **error)
{
    return copy(gpu, to, from, bytes, false, error);
}

/* ---- how fast it is ---- */

/* Finds the least time of some copies; sets *what to the call that fails. */
static int time_copies(const struct gpu *gpu, const uint64_t array[2], size_t bytes,
                       void *const event[2], double *least_ms, const char **what)
{
    enum { COPIES = 6 }; /* the first one touches the memory */
    const struct gpu_driver *d = &gpu->libraries.driver;
    int result = 0;
    *least_ms = 0;
    for (int k = 0; k < COPIES && result == 0; k++) {
        float ms = 0;
        *what = "cuMemcpyDtoDAsync";
        result = d->record(event[0], gpu->stream);
        result = result ? result : d->copy(array[1], array[0], bytes, gpu->stream);
        result = result ? result : d->record(event[1], gpu->stream);
        result = result ? result : d->wait(gpu->stream);
        result = result ? result : d->elapsed(&ms, event[0], event[1]);
        if (k == 1 || (k > 1 && ms < *least_ms))
            *least_ms = ms;
    }
    return result;
}

/* Measures on arrays that are larger than the caches and take little of the memory. */
enum gpu_status gpu_copy_rate(struct gpu *gpu, double *rate, char **error)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    const size_t most = (size_t)1 << 28, part = gpu->facts.memory / 64;
    size_t bytes = part < most ? part : most;
    uint64_t array[2] = {0};
    void *event[2] = {NULL};
    const char *what = "cuMemAllocAsync";
    double ms = 0;
    int result = 0;
    *error = NULL;
    if (!gpu_enter(gpu))
        return gpu_complain(gpu, "cuCtxPushCurrent", 1, error);
    for (int k = 0; k < 2 && result == 0; k++)
        result = d->allocate(&array[k], bytes, gpu->stream);
    for (int k = 0; k < 2 && result == 0; k++)
        result = d->event(&event[k], 0);
    if (result == 0)
        result = time_copies(gpu, array, bytes, event, &ms, &what);
    for (int k = 0; k < 2; k++) {
        if (event[k])
            d->event_end(event[k]);
        if (array[k])
            d->free(array[k], gpu->stream);
    }
    gpu_leave(gpu);
    *rate = ms > 0 ? 2 * (double)bytes / ms : 0;
    return result ? gpu_complain(gpu, what, result, error) : GPU_OK;
}
