/* fake_driver.c - a driver and an NVRTC for machines without a GPU, in one file.
 *
 * SPCC_LIBCUDA and SPCC_NVRTC name it.  NVRTC's "cubin" is a shared library, which the system's C++
 * compiler makes of the source and of cuda_on_cpu.h; the driver's memory is the host's.  So all
 * that the runtime does with a GPU happens, in its order.  A call can be made to fail: by
 * fake_fail, or, for a whole process, by FAKE_GPU="SYMBOL NUMBER ERROR": that call of the function,
 * from 1, returns that error.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/gpu/library.h"

#define VISIBLE                              __attribute__((visibility("default")))
#define DRIVER(member, symbol, parameters)   VISIBLE int cu_##member parameters __asm__(symbol);
#define COMPILER(member, symbol, parameters) VISIBLE int rtc_##member parameters __asm__(symbol);
#include "runtime/gpu/library.def"

/* ---- what the tests ask for ---- */

static char failing[64];
static int until, with;
static atomic_int live, capability = 90, pools = 1, count = 1;

/* The call of the function that is the n-th from now on returns this error. */
VISIBLE void fake_fail(const char *symbol, int n, int error);
void fake_fail(const char *symbol, int n, int error)
{
    snprintf(failing, sizeof failing, "%s", symbol);
    until = n;
    with = error;
}

/* Arrays, modules, streams and events that are there. */
VISIBLE int fake_live(void);
int fake_live(void) { return live; }

/* What the machine has: GPUs, of a compute capability (90 is 9.0), with memory pools or not. */
VISIBLE void fake_machine(int gpus, int its_capability, int has_pools);
void fake_machine(int gpus, int its_capability, int has_pools)
{
    count = gpus;
    capability = its_capability;
    pools = has_pools;
}

static int fails(const char *symbol)
{
    static int asked;
    const char *wanted = getenv("FAKE_GPU");
    if (wanted && !asked++)
        sscanf(wanted, "%63s %d %d", failing, &until, &with);
    return strcmp(symbol, failing) == 0 && until > 0 && --until == 0 ? with : 0;
}

#define MAY_FAIL(symbol)           \
    do {                           \
        int error = fails(symbol); \
        if (error)                 \
            return error;          \
    } while (0)

/* ---- the device ---- */

int cu_init(unsigned flags)
{
    MAY_FAIL("cuInit");
    return flags ? 1 : 0;
}

int cu_version(int *version)
{
    *version = 12080;
    return fails("cuDriverGetVersion");
}

int cu_text(int error, const char **text)
{
    *text = error == 2     ? "out of memory"
            : error == 700 ? "an illegal memory access was encountered"
                           : "unknown error";
    return fails("cuGetErrorString");
}

int cu_devices(int *n)
{
    MAY_FAIL("cuDeviceGetCount");
    *n = count;
    return 0;
}

int cu_device(int *device, int ordinal)
{
    MAY_FAIL("cuDeviceGet");
    *device = ordinal;
    return 0;
}

int cu_name(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "a GPU of this CPU");
    return fails("cuDeviceGetName");
}

int cu_attribute(int *value, int attribute, int device)
{
    MAY_FAIL("cuDeviceGetAttribute");
    *value = attribute == 75   ? capability / 10
             : attribute == 76 ? capability % 10
             : attribute == 16 ? 2
                               : pools;
    return 0;
}

int cu_memory(size_t *bytes, int device)
{
    *bytes = (size_t)1 << 30;
    return fails("cuDeviceTotalMem_v2");
}

static _Thread_local int depth;

int cu_retain(void **context, int device)
{
    MAY_FAIL("cuDevicePrimaryCtxRetain");
    live++;
    *context = &live;
    return 0;
}

int cu_release(int device)
{
    live--;
    return fails("cuDevicePrimaryCtxRelease_v2");
}

int cu_push(void *context)
{
    MAY_FAIL("cuCtxPushCurrent_v2");
    depth++;
    return 0;
}

int cu_pop(void **context)
{
    depth--;
    return fails("cuCtxPopCurrent_v2");
}

/* 201: there is no context. */
#define IN_CONTEXT(symbol) \
    do {                   \
        MAY_FAIL(symbol);  \
        if (depth < 1)     \
            return 201;    \
    } while (0)

int cu_stream(void **stream, unsigned flags)
{
    IN_CONTEXT("cuStreamCreate");
    live++;
    *stream = malloc(1);
    return 0;
}

int cu_stream_end(void *stream)
{
    free(stream);
    live--;
    return fails("cuStreamDestroy_v2");
}

int cu_wait(void *stream)
{
    IN_CONTEXT("cuStreamSynchronize");
    return 0;
}

int cu_pool(void **pool, int device)
{
    *pool = &pools;
    return fails("cuDeviceGetDefaultMemPool");
}

int cu_pool_set(void *pool, int attribute, void *value) { return fails("cuMemPoolSetAttribute"); }

/* ---- memory ---- */

static void *at(uint64_t address) { return (void *)(uintptr_t)address; }

int cu_allocate(uint64_t *address, size_t bytes, void *stream)
{
    IN_CONTEXT("cuMemAllocAsync");
    void *array = bytes ? malloc((bytes + 3) / 4 * 4) : NULL;
    if (!array)
        return bytes ? 2 : 1;
    memset(array, 0xdb, bytes);
    live++;
    *address = (uint64_t)(uintptr_t)array;
    return 0;
}

int cu_free(uint64_t address, void *stream)
{
    free(at(address));
    live--;
    return fails("cuMemFreeAsync");
}

int cu_to_device(uint64_t to, const void *from, size_t bytes, void *stream)
{
    IN_CONTEXT("cuMemcpyHtoDAsync_v2");
    memcpy(at(to), from, bytes);
    return 0;
}

int cu_to_host(void *to, uint64_t from, size_t bytes, void *stream)
{
    IN_CONTEXT("cuMemcpyDtoHAsync_v2");
    memcpy(to, at(from), bytes);
    return 0;
}

int cu_copy(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    IN_CONTEXT("cuMemcpyDtoDAsync_v2");
    memcpy(at(to), at(from), bytes);
    return 0;
}

int cu_fill8(uint64_t to, unsigned char value, size_t n, void *stream)
{
    IN_CONTEXT("cuMemsetD8Async");
    memset(at(to), value, n);
    return 0;
}

int cu_fill16(uint64_t to, unsigned short value, size_t n, void *stream)
{
    IN_CONTEXT("cuMemsetD16Async");
    for (size_t i = 0; i < n; i++)
        ((unsigned short *)at(to))[i] = value;
    return 0;
}

int cu_fill32(uint64_t to, unsigned value, size_t n, void *stream)
{
    IN_CONTEXT("cuMemsetD32Async");
    for (size_t i = 0; i < n; i++)
        ((unsigned *)at(to))[i] = value;
    return 0;
}

/* ---- modules ---- */

/* What NVRTC makes: its size, and a shared library. */
struct image {
    uint64_t magic, size;
    char byte[];
};

static const uint64_t magic = 0x5550475f454b4146;

int cu_load(void **module, const void *data)
{
    IN_CONTEXT("cuModuleLoadData");
    const struct image *image = data;
    char path[] = "/tmp/spcc-fake-XXXXXX";
    if (image->magic != magic)
        return 200;
    int file = mkstemp(path);
    if (file < 0 || write(file, image->byte, image->size) != (ssize_t)image->size || close(file))
        return 999;
    *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    unlink(path);
    if (!*module)
        fprintf(stderr, "%s\n", dlerror());
    live += *module != NULL;
    return *module ? 0 : 200;
}

/* The library stays: its threads' stacks are its own. */
int cu_unload(void *module)
{
    live--;
    return fails("cuModuleUnload");
}

int cu_function(void **function, void *module, const char *name)
{
    IN_CONTEXT("cuModuleGetFunction");
    char called[256];
    snprintf(called, sizeof called, "fake_%s", name);
    *function = dlsym(module, called);
    return *function ? 0 : 500;
}

int cu_launch(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
              unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
              void *stream, void **argument, void **extra)
{
    IN_CONTEXT("cuLaunchKernel");
    if (!blocks_x || blocks_y != 1 || blocks_z != 1 || !threads_x || threads_x > 1024
        || threads_y != 1 || threads_z != 1 || shared || extra)
        return 1;
    ((void (*)(unsigned, unsigned, void **))function)(blocks_x, threads_x, argument);
    return 0;
}

int cu_event(void **event, unsigned flags)
{
    IN_CONTEXT("cuEventCreate");
    live++;
    *event = calloc(1, sizeof(double));
    return 0;
}

int cu_event_end(void *event)
{
    free(event);
    live--;
    return fails("cuEventDestroy_v2");
}

int cu_record(void *event, void *stream)
{
    IN_CONTEXT("cuEventRecord");
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *(double *)event = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    return 0;
}

int cu_elapsed(float *ms, void *begin, void *end)
{
    IN_CONTEXT("cuEventElapsedTime");
    *ms = (float)(*(double *)end - *(double *)begin);
    return 0;
}

/* ---- NVRTC ---- */

struct program {
    char *source, *log;
    struct image *image;
};

int rtc_version(int *major, int *minor)
{
    *major = 12;
    *minor = 8;
    return fails("nvrtcVersion");
}

int rtc_architectures(int *n)
{
    MAY_FAIL("nvrtcGetNumSupportedArchs");
    *n = 3;
    return 0;
}

int rtc_architecture(int *architecture)
{
    MAY_FAIL("nvrtcGetSupportedArchs");
    memcpy(architecture, (int[]){75, 80, 90}, 3 * sizeof(int));
    return 0;
}

int rtc_create(void **program, const char *source, const char *name, int headers,
               const char *const *header, const char *const *header_name)
{
    MAY_FAIL("nvrtcCreateProgram");
    struct program *p = calloc(1, sizeof *p);
    p->source = strdup(source);
    *program = p;
    return 0;
}

/* For each kernel a function that is called as the driver does; it finds the arguments' types. */
static void write_callers(FILE *out, const char *source)
{
    static const char mark[] = "SPCC_KERNEL void ";
    fputs("\ntemplate <class... P, size_t... I>\n"
          "static void fake_run(const char *name, void (*kernel)(P...), unsigned blocks,\n"
          "                     unsigned threads, void **argument, std::index_sequence<I...>)\n"
          "{\n    cpu_launch(name, blocks, threads, [=] { kernel(*(P *)argument[I]...); });\n}\n"
          "template <class... P>\n"
          "static void fake_launch(const char *name, void (*kernel)(P...), unsigned blocks,\n"
          "                        unsigned threads, void **argument)\n"
          "{\n    fake_run(name, kernel, blocks, threads, argument,\n"
          "             std::index_sequence_for<P...>());\n}\n",
          out);
    for (const char *s = source; (s = strstr(s, mark)); s++) {
        const char *name = strchr(s, ')') + 1; /* behind __launch_bounds__(n) */
        name += strspn(name, " \n");
        int n = (int)strcspn(name, "(");
        fprintf(out,
                "#ifndef FAKE_%.*s\n#define FAKE_%.*s\n"
                "extern \"C\" __attribute__((visibility(\"default\"))) void fake_%.*s(unsigned b, "
                "unsigned t, void **a)\n{\n    fake_launch(\"%.*s\", %.*s, b, t, a);\n}\n#endif\n",
                n, name, n, name, n, name, n, name, n, name);
    }
}

/* All of a file, ended by 0; NULL: there is none. */
static char *read_all(const char *path, size_t before, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *all = calloc(before + *size + 1, 1);
    *size = fread(all + before, 1, *size, file);
    fclose(file);
    return all;
}

static void compile(struct program *p, const char *folder)
{
    char path[128], command[1024];
    size_t size;
    snprintf(path, sizeof path, "%s/k.cpp", folder);
    FILE *out = fopen(path, "w");
    fputs("#include <utility>\n#include \"cuda_on_cpu.h\"\n", out);
    fputs(p->source, out);
    write_callers(out, p->source);
    fclose(out);
    snprintf(command, sizeof command,
             "cd %s && ${FAKE_CXX:-c++} -std=c++17 -O0 -w -fPIC -shared -fvisibility=hidden "
             "-fno-gnu-unique -I'%s' k.cpp -o k.so 2>k.log",
             folder, FAKE_HEADERS);
    int status = system(command);
    snprintf(path, sizeof path, "%s/k.log", folder);
    p->log = read_all(path, 0, &size);
    snprintf(path, sizeof path, "%s/k.so", folder);
    p->image = status == 0 ? (struct image *)read_all(path, sizeof *p->image, &size) : NULL;
    if (p->image) {
        p->image->magic = magic;
        p->image->size = size;
    }
}

int rtc_compile(void *program, int options, const char *const *option)
{
    MAY_FAIL("nvrtcCompileProgram");
    char folder[] = "/tmp/spcc-fake-XXXXXX", command[128];
    if (options != 1 || strncmp(option[0], "-arch=", 6) != 0 || !mkdtemp(folder))
        return 5;
    compile(program, folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || !((struct program *)program)->image ? 6 : 0;
}

int rtc_destroy(void **program)
{
    struct program *p = *program;
    free(p->source);
    free(p->log);
    free(p->image);
    free(p);
    *program = NULL;
    return fails("nvrtcDestroyProgram");
}

int rtc_log_size(void *program, size_t *size)
{
    const struct program *p = program;
    MAY_FAIL("nvrtcGetProgramLogSize");
    *size = p->log ? strlen(p->log) + 1 : 1;
    return 0;
}

int rtc_log(void *program, char *log)
{
    const struct program *p = program;
    MAY_FAIL("nvrtcGetProgramLog");
    strcpy(log, p->log ? p->log : "");
    return 0;
}

int rtc_cubin_size(void *program, size_t *size)
{
    MAY_FAIL("nvrtcGetCUBINSize");
    *size = sizeof(struct image) + ((struct program *)program)->image->size;
    return 0;
}

int rtc_cubin(void *program, char *image)
{
    MAY_FAIL("nvrtcGetCUBIN");
    size_t size;
    rtc_cubin_size(program, &size);
    memcpy(image, ((struct program *)program)->image, size);
    return 0;
}

int rtc_ptx_size(void *program, size_t *size)
{
    MAY_FAIL("nvrtcGetPTXSize");
    return rtc_cubin_size(program, size);
}

int rtc_ptx(void *program, char *image)
{
    MAY_FAIL("nvrtcGetPTX");
    return rtc_cubin(program, image);
}
