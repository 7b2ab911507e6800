/* memory.c - the GPU's memory, for tensors that stay there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/gpu/parts.h"

static struct gpu *gpu_of(const struct memory *memory) { return memory->given.user; }

static void *allocate(const struct memory *memory, int64_t n, size_t size)
{
    struct gpu *gpu = gpu_of(memory);
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
    struct gpu *gpu = gpu_of(memory);
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
