/* cuda_compilers.c - CUDA source through compilers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/gpu/cuda_compilers.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const architectures[] = {"75", "80", "90", "100", "120"};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures, SKIP = 77 };

int nvrtc_open(struct nvrtc *nvrtc)
{
    static const char *const name[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                       "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (int i = 0; i < 4 && !library; i++)
        library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
    if (library) {
        *(void **)&nvrtc->create = dlsym(library, "nvrtcCreateProgram");
        *(void **)&nvrtc->compile = dlsym(library, "nvrtcCompileProgram");
        *(void **)&nvrtc->log_size = dlsym(library, "nvrtcGetProgramLogSize");
        *(void **)&nvrtc->log = dlsym(library, "nvrtcGetProgramLog");
        *(void **)&nvrtc->destroy = dlsym(library, "nvrtcDestroyProgram");
    }
    if (library && nvrtc->create && nvrtc->compile && nvrtc->log_size && nvrtc->log
        && nvrtc->destroy)
        return 0;
    puts("skipped: there is no NVRTC");
    return getenv("SPCC_NEEDS_CUDA") ? 1 : SKIP;
}

void nvrtc_expect(const struct nvrtc *nvrtc, struct arena *arena, const char *source, bool every)
{
    for (int i = 0; i < (every ? ARCHITECTURES : 1); i++) {
        void *program;
        size_t size = 0;
        const char *option[] = {arena_printf(arena, "-arch=sm_%s", architectures[i])};
        assert_int_equal(nvrtc->create(&program, source, "kernels.cu", 0, NULL, NULL), 0);
        int status = nvrtc->compile(program, 1, option);
        nvrtc->log_size(program, &size);
        char *log = arena_alloc(arena, size + 1);
        nvrtc->log(program, log);
        if (status || *log)
            fail_msg("%s: %s", option[0], log);
        nvrtc->destroy(&program);
    }
}

/* By a command that gets the options and the file. */
static void expect(struct arena *arena, const char *compiler, const char *options,
                   const char *source)
{
    char folder[] = "/tmp/spcc-cuda-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *path = arena_printf(arena, "%s/kernels.cu", folder),
               *object = arena_printf(arena, "%s/kernels.o", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(source, file);
    fclose(file);
    int status = system(arena_printf(arena, "%s -std=c++17 %s -I%s/tests/gpu -c %s -o %s", compiler,
                                     options, getenv("SPCC_SOURCE"), path, object));
    remove(path);
    remove(object);
    rmdir(folder);
    assert_int_equal(status, 0);
}

void nvcc_expect(const char *nvcc, struct arena *arena, const char *source, bool every)
{
    const char *options = "-Werror all-warnings -Xcompiler -Wno-unused-function "
                          "-Xptxas -warn-spills";
    for (int i = 0; i < (every ? ARCHITECTURES : 1); i++)
        options = arena_printf(arena, "%s -gencode arch=compute_%s,code=sm_%s", options,
                               architectures[i], architectures[i]);
    expect(arena, nvcc, options, source);
}

void clang_expect(const char *clang, struct arena *arena, const char *source)
{
    expect(arena, clang,
           "-x cuda --cuda-gpu-arch=sm_90 -Wall -Werror -Wno-unknown-cuda-version "
           "-Wno-unused-function",
           source);
}
