/* gpu.c - CUDA kernels in the C API: a context's GPU, and the launches that are loaded on it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/gpu.h"

#include "runtime/api/kernel.h"
#include "runtime/jit/jit.h"

static spcc_status status_of(enum gpu_status status)
{
    switch (status) {
    case GPU_OK: return SPCC_OK;
    case GPU_ABSENT:
    case GPU_FAILED: return SPCC_ERROR_SYSTEM;
    case GPU_NO_MEMORY: return SPCC_ERROR_MEMORY;
    case GPU_REJECTED: return SPCC_ERROR_COMPILER;
    }
    return SPCC_ERROR_BUG;
}

spcc_status gpu_tell(struct context *cx, enum gpu_status status, char *error)
{
    if (!error)
        context_fail(cx, CONTEXT_NO_MEMORY);
    return api_error(cx, status_of(status), "%s",
                     api_take_text(cx, error, "the GPU cannot be used"));
}

struct gpu *api_gpu(struct spcc_context *api, struct context *cx, spcc_status *status)
{
    char *error;
    enum gpu_status said = api->gpu ? GPU_OK : gpu_open(&api->gpu, &error);
    *status = said == GPU_OK ? SPCC_OK : gpu_tell(cx, said, error);
    return api->gpu;
}

const char *gpu_describe(struct context *cx, const struct gpu *gpu)
{
    const struct gpu_facts *f = gpu_facts(gpu);
    return arena_printf(
        cx->arena,
        "%s, compute capability %d.%d, %d multiprocessors, %.1f GB; driver for CUDA "
        "%d.%d, NVRTC %d.%d",
        api_printable(cx, f->name), f->major, f->minor, f->processors, (double)f->memory * 1e-9,
        f->driver / 1000, f->driver / 10 % 100, f->compiler / 1000, f->compiler / 10 % 100);
}

static spcc_status copy_rate(struct spcc_context *api, struct context *cx, void *arguments)
{
    double *bytes = arguments;
    spcc_status status;
    char *error;
    struct gpu *gpu = api_gpu(api, cx, &status);
    if (!gpu)
        return status;
    enum gpu_status said = gpu_copy_rate(gpu, bytes, &error);
    return said == GPU_OK ? SPCC_OK : gpu_tell(cx, said, error);
}

spcc_status spcc_gpu_copy_rate(spcc_context *context, double *bytes)
{
    *bytes = 0;
    return api_call(context, copy_rate, bytes);
}

/* ---- launches ---- */

void kernel_unload_from_gpu(struct spcc_kernel *kernel)
{
    for (int k = 0; k < KERNEL_KINDS; k++) {
        gpu_kernel_release(kernel->function[k].device);
        kernel->function[k].device = NULL;
    }
}

/* Loads the launches of all functions.  They are kept where kernels in C are; if that is not
 * possible, they are compiled each time. */
spcc_status kernel_load_on_gpu(struct spcc_context *api, struct context *cx,
                               struct spcc_kernel *kernel, const char *const *source)
{
    spcc_status status;
    struct gpu *gpu = api_gpu(api, cx, &status);
    if (!gpu)
        return status;
    struct jit *jit = api_jit(api, cx);
    if (!jit)
        return SPCC_ERROR_SYSTEM;
    kernel->info.engine = SPCC_ENGINE_GPU;
    kernel->info.origin = SPCC_ORIGIN_DISK;
    for (int k = 0; k < KERNEL_KINDS; k++) {
        struct gpu_times times = {0};
        char *error;
        if (!kernel->function[k].imperative)
            continue;
        enum gpu_status said =
            gpu_compile(gpu, jit_disk(jit), source[k], &kernel->function[k].device, &times, &error);
        if (said != GPU_OK) {
            kernel_unload_from_gpu(kernel);
            return gpu_tell(cx, said, error);
        }
        kernel->info.compile_ms += times.compile_ms;
        kernel->info.load_ms += times.load_ms;
        if (times.compile_ms > 0)
            kernel->info.origin = SPCC_ORIGIN_COMPILED;
    }
    return SPCC_OK;
}
