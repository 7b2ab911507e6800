/* compile.c - turns CUDA source into a module on the device, by NVRTC or from the cache of
 * kernels.
 *
 * NVRTC makes code of the device's own architecture if it knows that.  Otherwise it makes PTX of
 * an older one, and the driver compiles that.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/gpu/parts.h"
#include "runtime/jit/cache.h"

/* The argument of cuModuleLoadData. */
struct image {
    void *data; /* from malloc */
    size_t size;
};

static bool is_native(const struct gpu *gpu)
{
    return gpu->architecture == 10 * gpu->facts.major + gpu->facts.minor;
}

/* ---- NVRTC ---- */

static char *log_of(const struct gpu_compiler *c, void *program)
{
    size_t size = 0;
    if (c->log_size(program, &size) != 0)
        return NULL;
    char *log = calloc(size + 1, 1);
    if (log)
        c->log(program, log);
    return log;
}

static enum gpu_status take_image(const struct gpu *gpu, void *program, struct image *image)
{
    const struct gpu_compiler *c = &gpu->libraries.compiler;
    bool native = is_native(gpu);
    if ((native ? c->cubin_size : c->ptx_size)(program, &image->size) != 0)
        return GPU_FAILED;
    image->data = malloc(image->size + 1);
    if (!image->data)
        return GPU_NO_MEMORY;
    ((char *)image->data)[image->size] = 0;
    return (native ? c->cubin : c->ptx)(program, image->data) == 0 ? GPU_OK : GPU_FAILED;
}

static enum gpu_status translate(const struct gpu *gpu, const char *source, struct image *image,
                                 char **error)
{
    const struct gpu_compiler *c = &gpu->libraries.compiler;
    char target[32];
    const char *option[] = {target};
    void *program;
    snprintf(target, sizeof target, "-arch=%s_%d", is_native(gpu) ? "sm" : "compute",
             gpu->architecture);
    if (c->create(&program, source, "kernel.cu", 0, NULL, NULL) != 0)
        return GPU_NO_MEMORY;
    enum gpu_status status = GPU_OK;
    int result = c->compile(program, 1, option);
    if (result != 0) {
        status = GPU_REJECTED;
        *error = log_of(c, program);
        if (*error && !**error) {
            free(*error);
            *error = gpu_text("NVRTC fails with error %d, and says no more", result);
        }
    } else {
        status = take_image(gpu, program, image);
        if (status == GPU_FAILED)
            *error = gpu_text("NVRTC compiles the kernel and does not give its code");
    }
    c->destroy(&program);
    return status;
}

/* ---- the cache ---- */

static void key_of(const struct gpu *gpu, const char *source, unsigned char key[SHA256_SIZE])
{
    int what[] = {gpu->architecture, is_native(gpu), gpu->facts.compiler};
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, "cuda", sizeof "cuda");
    sha256_add(&hash, what, sizeof what);
    sha256_add(&hash, source, strlen(source));
    sha256_end(&hash, key);
}

/* Finds the image in the cache, or compiles it.  An image that the cache cannot keep is compiled
 * again the next time. */
static enum gpu_status find_image(const struct gpu *gpu, const struct cache *cache,
                                  const char *source, struct image *image, double *compile_ms,
                                  char **error)
{
    unsigned char key[SHA256_SIZE];
    struct cache_entry entry;
    key_of(gpu, source, key);
    if (cache && cache_get(cache, key, &entry)) {
        *image = (struct image){entry.data, entry.size};
        ((char *)image->data)[image->size] = 0;
        return GPU_OK;
    }
    double start = gpu_now_ms();
    enum gpu_status status = translate(gpu, source, image, error);
    *compile_ms = gpu_now_ms() - start;
    if (status == GPU_OK && cache)
        cache_put(cache, key, &(struct cache_entry){image->data, image->size});
    return status;
}

/* ---- modules ---- */

static enum gpu_status load_module(struct gpu_kernel *kernel, const struct image *image,
                                   char **error)
{
    struct gpu *gpu = kernel->gpu;
    if (!gpu_enter(gpu))
        return gpu_complain(gpu, "cuCtxPushCurrent", 1, error);
    int result = gpu->libraries.driver.load(&kernel->module, image->data);
    gpu_leave(gpu);
    return result ? gpu_complain(gpu, "cuModuleLoadData", result, error) : GPU_OK;
}

enum gpu_status gpu_compile(struct gpu *gpu, const struct cache *cache, const char *source,
                            struct gpu_kernel **compiled, struct gpu_times *times, char **error)
{
    struct image image = {0};
    struct gpu_times spent = {0};
    *error = NULL;
    *compiled = NULL;
    struct gpu_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return GPU_NO_MEMORY;
    kernel->gpu = gpu_retain(gpu);
    enum gpu_status status = find_image(gpu, cache, source, &image, &spent.compile_ms, error);
    double start = gpu_now_ms();
    if (status == GPU_OK)
        status = load_module(kernel, &image, error);
    spent.load_ms = gpu_now_ms() - start;
    free(image.data);
    if (status != GPU_OK) {
        gpu_kernel_release(kernel);
        return status;
    }
    if (times)
        *times = spent;
    *compiled = kernel;
    return GPU_OK;
}

void gpu_kernel_release(struct gpu_kernel *kernel)
{
    if (!kernel)
        return;
    if (kernel->module && gpu_enter(kernel->gpu)) {
        kernel->gpu->libraries.driver.unload(kernel->module);
        gpu_leave(kernel->gpu);
    }
    gpu_release(kernel->gpu);
    free(kernel);
}

struct gpu *gpu_of(const struct gpu_kernel *kernel) { return kernel->gpu; }
