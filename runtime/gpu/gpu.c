/* gpu.c - opens, describes and releases the device.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/gpu/gpu.h"

#include <stdlib.h>
#include <time.h>

#include "runtime/gpu/parts.h"

/* the driver's error numbers */
enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100, STUB_LIBRARY = 34 };
enum { PROCESSORS = 16, MAJOR = 75, MINOR = 76, HAS_POOLS = 115 }; /* attributes of a device */
enum { RELEASE_THRESHOLD = 4 };                                    /* an attribute of a pool */

double gpu_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

enum gpu_status gpu_complain(const struct gpu *gpu, const char *what, int result, char **error)
{
    const char *text = NULL;
    if (gpu->libraries.driver.text(result, &text) != 0 || !text)
        text = "an error without a name";
    *error = result == OUT_OF_MEMORY
                 ? gpu_text("the GPU's memory is full: %s (%s)", text, what)
                 : gpu_text("the GPU failed: %s (error %d of %s)", text, result, what);
    return result == OUT_OF_MEMORY ? GPU_NO_MEMORY : GPU_FAILED;
}

bool gpu_enter(struct gpu *gpu) { return gpu->libraries.driver.push(gpu->context) == 0; }

void gpu_leave(struct gpu *gpu)
{
    void *context;
    gpu->libraries.driver.pop(&context);
}

/* ---- what it is ---- */

static int attribute(const struct gpu *gpu, int which)
{
    int value = 0;
    gpu->libraries.driver.attribute(&value, which, gpu->device);
    return value;
}

/* Returns the newest architecture that NVRTC knows and the device runs; 0 if there is none. */
static int architecture(const struct gpu *gpu)
{
    const struct gpu_compiler *c = &gpu->libraries.compiler;
    int n = 0, best = 0, device = 10 * gpu->facts.major + gpu->facts.minor;
    if (c->architectures(&n) != 0 || n <= 0)
        return 0;
    int *known = calloc((size_t)n, sizeof *known);
    if (known && c->architecture(known) == 0)
        for (int i = 0; i < n; i++)
            best = known[i] <= device && known[i] > best ? known[i] : best;
    free(known);
    return best;
}

static enum gpu_status describe_device(struct gpu *gpu, char **error)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    struct gpu_facts *f = &gpu->facts;
    int major = 0, minor = 0;
    d->name(f->name, sizeof f->name, gpu->device);
    d->memory(&f->memory, gpu->device);
    d->version(&f->driver);
    gpu->libraries.compiler.version(&major, &minor);
    f->compiler = 1000 * major + 10 * minor;
    f->major = attribute(gpu, MAJOR);
    f->minor = attribute(gpu, MINOR);
    f->processors = attribute(gpu, PROCESSORS);
    gpu->architecture = architecture(gpu);
    if (gpu->architecture == 0)
        *error = gpu_text("NVRTC %d.%d does not compile for %s, of compute capability %d.%d", major,
                          minor, f->name, f->major, f->minor);
    else if (!attribute(gpu, HAS_POOLS))
        *error = gpu_text("%s has no memory pools, which kernels need", f->name);
    return *error ? GPU_ABSENT : GPU_OK;
}

/* ---- opening it ---- */

static enum gpu_status find_device(struct gpu *gpu, char **error)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    int n = 0, result = d->init(0);
    if (result == 0)
        result = d->devices(&n);
    if (result == NO_DEVICE || (result == 0 && n == 0))
        *error =
            gpu_text("there is a driver for NVIDIA's GPUs, but it sees none: is one there, and "
                     "named in CUDA_VISIBLE_DEVICES, if that is set?");
    else if (result == STUB_LIBRARY)
        *error =
            gpu_text("libcuda.so.1 is the toolkit's stub, which only links: install the driver");
    else if (result == 0)
        result = d->device(&gpu->device, 0);
    if (!*error && result != 0)
        gpu_complain(gpu, "cuInit", result, error);
    return *error ? GPU_ABSENT : describe_device(gpu, error);
}

/* Sets the pool to keep released memory for the next kernel. */
static int keep_memory(struct gpu *gpu)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    uint64_t all = UINT64_MAX;
    void *pool;
    int result = d->pool(&pool, gpu->device);
    return result ? result : d->pool_set(pool, RELEASE_THRESHOLD, &all);
}

static enum gpu_status begin_context(struct gpu *gpu, char **error)
{
    const struct gpu_driver *d = &gpu->libraries.driver;
    const char *what = "cuDevicePrimaryCtxRetain";
    int result = d->retain(&gpu->context, gpu->device);
    if (result == 0 && !gpu_enter(gpu))
        return gpu_complain(gpu, "cuCtxPushCurrent", 1, error);
    if (result == 0) {
        what = "cuStreamCreate";
        result = d->stream(&gpu->stream, 0 /* in order with the default stream */);
        if (result == 0) {
            what = "cuMemPoolSetAttribute";
            result = keep_memory(gpu);
        }
        gpu_leave(gpu);
    }
    return result ? gpu_complain(gpu, what, result, error) : GPU_OK;
}

enum gpu_status gpu_open(struct gpu **opened, char **error)
{
    *error = NULL;
    *opened = NULL;
    struct gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return GPU_NO_MEMORY;
    atomic_init(&gpu->references, 1);
    gpu->memory = gpu_memory_of(gpu);
    *error = gpu_libraries_open(&gpu->libraries);
    if (*error) {
        free(gpu);
        return GPU_ABSENT;
    }
    enum gpu_status status = find_device(gpu, error);
    if (status == GPU_OK)
        status = begin_context(gpu, error);
    if (status == GPU_OK)
        *opened = gpu;
    else
        gpu_release(gpu);
    return status;
}

struct gpu *gpu_retain(struct gpu *gpu)
{
    atomic_fetch_add(&gpu->references, 1);
    return gpu;
}

void gpu_release(struct gpu *gpu)
{
    if (!gpu || atomic_fetch_sub(&gpu->references, 1) > 1)
        return;
    const struct gpu_driver *d = &gpu->libraries.driver;
    if (gpu->stream && gpu_enter(gpu)) {
        d->stream_end(gpu->stream);
        gpu_leave(gpu);
    }
    if (gpu->context)
        d->release(gpu->device);
    gpu_libraries_close(&gpu->libraries);
    free(gpu);
}

const struct gpu_facts *gpu_facts(const struct gpu *gpu) { return &gpu->facts; }
