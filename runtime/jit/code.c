/* code.c - a kernel's code in memory, from an object or a shared library.
 *
 * The system's linker makes a shared library of an object that our loader does not take: on other
 * machines, with a sanitizer's constructors, or if a process may not make its own memory
 * executable.  It is opened from a file that exists only for that moment and has a unique name:
 * dlopen would take a second file with the same name for the first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/code.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/jit/process.h"

static bool is_shared(const unsigned char *image, size_t size)
{
    Elf64_Half type; /* at the same place in the header of 32 bits */
    if (size < sizeof(Elf32_Ehdr) || memcmp(image, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&type, image + offsetof(Elf64_Ehdr, e_type), sizeof type);
    return type == ET_DYN;
}

static bool write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wbxe");
    bool written = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && written;
}

/* With OpenMP the library's own runtime precedes what the process has under that name.  But
 * sanitizers' runtimes, which must come first, end a process that asks for that. */
static int loading_mode(bool openmp)
{
    bool deep = openmp && !dlsym(RTLD_DEFAULT, "__sanitizer_print_stack_trace");
    return RTLD_NOW | RTLD_LOCAL | (deep ? RTLD_DEEPBIND : 0);
}

/* The OpenMP runtime that the library brings stays when the library goes, since the runtime's
 * threads wait in it for the next parallel loop. */
static void keep_runtime(void *library)
{
    static const char *const functions[] = {"GOMP_parallel", "__kmpc_fork_call"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        Dl_info info;
        void *address = dlsym(library, functions[i]), *runtime = NULL;
        if (address && dladdr(address, &info))
            runtime = dlopen(info.dli_fname, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
        if (runtime)
            dlclose(runtime);
    }
}

static enum object_status load_shared(struct code *code, const void *image, size_t size,
                                      bool openmp, char **error)
{
    struct temporary directory;
    char *path = NULL;
    int failed = temporary_open(&directory);
    const char *why = NULL;
    if (failed)
        why = strerror(failed);
    else if (asprintf(&path, "%s/kernel.so", directory.path) < 0 || !write_file(path, image, size))
        why = strerror(errno);
    else if (!(code->library = dlopen(path, loading_mode(openmp))))
        why = dlerror();
    if (code->library && openmp)
        keep_runtime(code->library);
    if (why && asprintf(error, "the kernel cannot be loaded: %s", why) < 0)
        *error = NULL;
    free(path);
    temporary_close(&directory);
    return why ? OBJECT_DAMAGED : OBJECT_OK;
}

void *code_symbol(const struct code *code, const char *name)
{
    if (code->object)
        return object_symbol(code->object, name);
    struct link_map *map;
    Dl_info info;
    void *address = code->library ? dlsym(code->library, name) : NULL;
    /* dlsym also finds functions that the library itself uses */
    if (!address || dlinfo(code->library, RTLD_DI_LINKMAP, &map) != 0 || !dladdr(address, &info)
        || (ElfW(Addr))info.dli_fbase != map->l_addr)
        return NULL;
    return address;
}

static void give(struct code *code, const struct jit_host *host)
{
    int (**threads)(void) = code_symbol(code, "thread_limit");
    void *(**team)(void) = code_symbol(code, "thread_team");
    void (**join)(void *) = code_symbol(code, "thread_join");
    const volatile bool *(**stop_flag)(void) = code_symbol(code, "stop_flag");
    void *(**resize)(void *, size_t) = code_symbol(code, "resize");
    void (**release)(void *) = code_symbol(code, "release");
    if (threads && host->threads)
        *threads = host->threads;
    if (team && host->team)
        *team = host->team;
    if (join && host->join)
        *join = host->join;
    if (stop_flag && host->stop_flag)
        *stop_flag = host->stop_flag;
    if (resize && host->resize)
        *resize = host->resize;
    if (release && host->release)
        *release = host->release;
}

enum object_status code_load(struct code *code, const void *image, size_t size, bool openmp,
                             struct symbols *symbols, char **error)
{
    *code = (struct code){NULL, NULL};
    enum object_status status = is_shared(image, size)
                                    ? load_shared(code, image, size, openmp, error)
                                    : symbols_load(symbols, image, size, &code->object, error);
    if (status == OBJECT_OK)
        give(code, &symbols->host);
    return status;
}

void code_unload(struct code *code)
{
    object_free(code->object);
    if (code->library)
        dlclose(code->library);
    *code = (struct code){NULL, NULL};
}
