/* library.c - opens the driver and NVRTC by dlopen.
 *
 * Nothing of CUDA is linked, and no header of CUDA is needed.  A machine without a GPU reports an
 * error when a kernel asks for one, and not before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/gpu/library.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of a library, and the member that gets its address. */
struct entry {
    const char *symbol;
    size_t member;
};

static const struct entry driver_entries[] = {
#define DRIVER(member, symbol, parameters) {symbol, offsetof(struct gpu_driver, member)},
#include "runtime/gpu/library.def"
};

static const struct entry compiler_entries[] = {
#define COMPILER(member, symbol, parameters) {symbol, offsetof(struct gpu_compiler, member)},
#include "runtime/gpu/library.def"
};

/* A library: the variable that names its file, and the names that are tried otherwise. */
struct source {
    const char *variable, *what, *remedy;
    const char *name[8];
    const struct entry *entry;
    size_t entries;
};

static const struct source driver_source = {
    "SPCC_LIBCUDA",
    "the driver of NVIDIA's GPUs",
    "install the driver, or say where it is in SPCC_LIBCUDA",
    {"libcuda.so.1"},
    driver_entries,
    sizeof driver_entries / sizeof *driver_entries};

static const struct source compiler_source = {
    "SPCC_NVRTC",
    "NVRTC, which compiles for GPUs",
    "install the CUDA toolkit or its NVRTC package, or say where the library is in SPCC_NVRTC",
    {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
     "/usr/local/cuda/lib64/libnvrtc.so", "/opt/cuda/lib64/libnvrtc.so"},
    compiler_entries,
    sizeof compiler_entries / sizeof *compiler_entries};

char *gpu_text(const char *format, ...)
{
    va_list arguments;
    char *text;
    va_start(arguments, format);
    int n = vasprintf(&text, format, arguments);
    va_end(arguments);
    return n < 0 ? NULL : text;
}

/* Returns the name in the environment; NULL if it is not set or empty. */
static const char *name_given(const struct source *source)
{
    const char *name = secure_getenv(source->variable);
    return name && *name ? name : NULL;
}

/* Opens the library.  It stays in the process, because the driver has threads that outlive the
 * context. */
static void *open_any(const struct source *source)
{
    enum { HOW = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };
    const char *named = name_given(source);
    if (named)
        return dlopen(named, HOW);
    void *handle = NULL;
    for (int i = 0; source->name[i] && !handle; i++)
        handle = dlopen(source->name[i], HOW);
    return handle;
}

/* Says that the library is missing.  The message of dlopen names the file, so it is told only if
 * one file was tried. */
static char *missing(const struct source *source)
{
    const char *named = name_given(source), *why = dlerror();
    if (named)
        return gpu_text("%s is not there: %s; %s names it", source->what, why ? why : named,
                        source->variable);
    char tried[256] = "";
    for (int i = 0; source->name[i]; i++) {
        size_t n = strlen(tried);
        snprintf(tried + n, sizeof tried - n, "%s%s", n ? ", " : "", source->name[i]);
    }
    return gpu_text("%s is not there (%s): %s", source->what, tried, source->remedy);
}

static char *open_library(const struct source *source, void **handle, void *table)
{
    *handle = open_any(source);
    if (!*handle)
        return missing(source);
    for (size_t i = 0; i < source->entries; i++) {
        void *found = dlsym(*handle, source->entry[i].symbol);
        if (!found)
            return gpu_text("%s is too old: it lacks %s, which CUDA 11.2 and later have",
                            source->what, source->entry[i].symbol);
        *(void **)((char *)table + source->entry[i].member) = found;
    }
    return NULL;
}

char *gpu_libraries_open(struct gpu_libraries *libraries)
{
    *libraries = (struct gpu_libraries){0};
    char *error = open_library(&driver_source, &libraries->driver_handle, &libraries->driver);
    if (!error)
        error = open_library(&compiler_source, &libraries->compiler_handle, &libraries->compiler);
    if (error)
        gpu_libraries_close(libraries);
    return error;
}

void gpu_libraries_close(struct gpu_libraries *libraries)
{
    if (libraries->driver_handle)
        dlclose(libraries->driver_handle);
    if (libraries->compiler_handle)
        dlclose(libraries->compiler_handle);
    *libraries = (struct gpu_libraries){0};
}
