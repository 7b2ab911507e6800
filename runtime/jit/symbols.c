/* symbols.c - finds the functions that a kernel calls.
 *
 * Most are the process's own.  The mathematical library may be missing there, and so may the
 * functions of libgcc for complex multiplication; these libraries are opened here.
 *
 * OpenMP needs care.  Clang's code calls __kmpc_*, which only LLVM's runtime (or Intel's) has.
 * GCC's code calls GOMP_*, which both have.  Both call omp_*.  If the process has GNU's runtime,
 * and a kernel takes __kmpc_* from LLVM's but omp_* from GNU's, every thread believes that it is
 * thread 0, and nobody is told.  So all OpenMP symbols of a kernel come from one library, whatever
 * the order of the libraries in the process.  A runtime that is already loaded is preferred to a
 * second one: two of them keep their idle threads spinning against each other, and two copies of
 * LLVM's end the process.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/jit/error.h"

void symbols_init(struct symbols *symbols, const char *openmp, struct jit_host host)
{
    *symbols = (struct symbols){.openmp = openmp, .host = host};
    pthread_mutex_init(&symbols->lock, NULL);
}

bool symbols_open_blas(struct symbols *symbols, const char *library, char **error)
{
    static const char *const wanted[] = {"cblas_dgemm", "cblas_sgemm"};
    symbols->blas = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!symbols->blas) {
        error_set(error, JIT_SYSTEM, "the BLAS library cannot be opened: %s", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!dlsym(symbols->blas, wanted[i])) {
            error_set(error, JIT_SYSTEM, "the BLAS library %s has no function %s", library,
                      wanted[i]);
            return false;
        }
    return true;
}

void symbols_close(struct symbols *symbols)
{
    if (symbols->blas)
        dlclose(symbols->blas);
    for (int i = 0; i < SUPPORT_LIBRARIES; i++)
        if (symbols->support[i])
            dlclose(symbols->support[i]);
    pthread_mutex_destroy(&symbols->lock);
}

static bool starts_with(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

/* Does the library itself have the function, and not only the libraries that it needs? */
static bool defines(void *library, const char *function)
{
    struct link_map *self, *owner;
    Dl_info info;
    void *address = dlsym(library, function);
    return address && dlinfo(library, RTLD_DI_LINKMAP, &self) == 0
           && dladdr1(address, &info, (void **)&owner, RTLD_DL_LINKMAP) && owner == self;
}

/* A name tells little: LLVM's runtime is installed as libgomp.so.1, too. */
static bool is_runtime(enum openmp_library which, void *library)
{
    bool llvm = defines(library, "__kmpc_fork_call");
    return which == OPENMP_LLVM ? llvm : !llvm && defines(library, "GOMP_parallel");
}

/* Opens it for good, since a runtime's threads outlive whoever opened it. */
static void *open_for_good(const char *name)
{
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

/* Returns the library of this name, if it is that runtime. */
static void *open_runtime(enum openmp_library which, const char *name, int more)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | more), *runtime = NULL;
    if (library && is_runtime(which, library))
        runtime = open_for_good(name);
    if (library)
        dlclose(library);
    return runtime;
}

struct library_search {
    int number, seen;
    char path[4096];
};

static int find_library(struct dl_phdr_info *info, size_t size, void *data)
{
    struct library_search *search = data;
    (void)size;
    if (search->seen++ < search->number)
        return 0;
    snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
    return 1;
}

/* Opens libraries outside dl_iterate_phdr, which holds a lock of the loader. */
static void *open_loaded(enum openmp_library which)
{
    struct library_search search = {.number = 0};
    void *library = NULL;
    for (; !library && dl_iterate_phdr(find_library, &search); search.number++, search.seen = 0)
        if (search.path[0] != '\0')
            library = open_runtime(which, search.path, RTLD_NOLOAD);
    return library;
}

static void *open_llvm(const char *wanted)
{
    static const char *const names[] = {"libomp.so.5", "libomp.so", "libiomp5.so"};
    if (wanted)
        return open_for_good(wanted);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = open_runtime(OPENMP_LLVM, names[i], 0);
        if (library)
            return library;
    }
    for (int version = 30; version >= 14; version--) {
        char path[64];
        snprintf(path, sizeof path, "/usr/lib/llvm-%d/lib/libomp.so.5", version);
        void *library = open_runtime(OPENMP_LLVM, path, 0);
        if (library)
            return library;
    }
    return NULL;
}

/* Returns the library, or NULL. Under the lock. */
static void *openmp_library(struct symbols *symbols, enum openmp_library which)
{
    const char *wanted = symbols->openmp;
    if (symbols->tried[which])
        return symbols->library[which];
    symbols->tried[which] = true;
    if (wanted && wanted[0] == '\0')
        return NULL;
    void *library = wanted && which == OPENMP_LLVM ? NULL : open_loaded(which);
    if (!library)
        library =
            which == OPENMP_LLVM ? open_llvm(wanted) : open_runtime(OPENMP_GNU, "libgomp.so.1", 0);
    return symbols->library[which] = library;
}

bool symbols_have_openmp(struct symbols *symbols, enum jit_engine engine)
{
    pthread_mutex_lock(&symbols->lock);
    bool have = openmp_library(symbols, OPENMP_LLVM)
                || (engine == JIT_CC && openmp_library(symbols, OPENMP_GNU));
    pthread_mutex_unlock(&symbols->lock);
    return have;
}

const char *symbols_openmp_path(struct symbols *symbols)
{
    struct link_map *map = NULL;
    pthread_mutex_lock(&symbols->lock);
    void *library = openmp_library(symbols, OPENMP_LLVM);
    bool found = library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0;
    pthread_mutex_unlock(&symbols->lock);
    return found ? map->l_name : NULL;
}

/* The OpenMP names that one kernel uses, and the library that has them. */
struct kernel_names {
    struct symbols *symbols;
    const char **name;
    size_t n, capacity;
    bool llvm; /* it calls __kmpc_*: compiled by Clang */
    bool chosen;
    void *library;
    const char *lacking; /* a function of a BLAS library that is missing; NULL: none */
};

static bool is_openmp(const char *name)
{
    return starts_with(name, "__kmpc_") || starts_with(name, "omp_") || starts_with(name, "GOMP_")
           || starts_with(name, "kmp_");
}

static void collect_name(void *data, const char *name)
{
    struct kernel_names *names = data;
    if (!is_openmp(name))
        return;
    names->llvm |= starts_with(name, "__kmpc_");
    if (names->n == names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 16;
        const char **more = realloc(names->name, capacity * sizeof *more);
        if (!more)
            return; /* the choice is then made by fewer names */
        names->name = more;
        names->capacity = capacity;
    }
    names->name[names->n++] = name;
}

/* Code of Clang 19 and later calls this.  It does nothing in that version's libomp, and older ones
 * lack it. */
static void dispatch_deinit(void) {}

static void *find_in_runtime(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (!address && strcmp(name, "__kmpc_dispatch_deinit") == 0)
        address = (void *)(uintptr_t)&dispatch_deinit;
    return address;
}

static bool has_all(void *library, const struct kernel_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (!find_in_runtime(library, names->name[i]))
            return false;
    return true;
}

/* For GCC's code: GNU's runtime if the host uses it, else LLVM's, else GNU's. */
static void choose_runtime(struct kernel_names *names)
{
    struct symbols *symbols = names->symbols;
    void *loaded = names->llvm ? NULL : open_loaded(OPENMP_GNU);
    if (loaded && has_all(loaded, names)) {
        names->library = loaded;
        return;
    }
    for (int which = OPENMP_LLVM; which < OPENMP_LIBRARIES && !names->library; which++) {
        void *library = openmp_library(symbols, (enum openmp_library)which);
        if (library && has_all(library, names))
            names->library = library;
    }
}

static void *find_in_support(struct symbols *symbols, const char *name)
{
    static const char *const file[SUPPORT_LIBRARIES] = {"libm.so.6", "libmvec.so.1",
                                                        "libgcc_s.so.1"};
    for (int i = 0; !symbols->support_opened && i < SUPPORT_LIBRARIES; i++)
        symbols->support[i] = dlopen(file[i], RTLD_LAZY | RTLD_LOCAL);
    symbols->support_opened = true;
    for (int i = 0; i < SUPPORT_LIBRARIES; i++) {
        void *address = symbols->support[i] ? dlsym(symbols->support[i], name) : NULL;
        if (address)
            return address;
    }
    return NULL;
}

static void *resolve(void *data, const char *name)
{
    struct kernel_names *names = data;
    void *address;
    pthread_mutex_lock(&names->symbols->lock);
    if (is_openmp(name)) {
        if (!names->chosen)
            choose_runtime(names);
        names->chosen = true;
        address = names->library ? find_in_runtime(names->library, name) : NULL;
    } else {
        void *blas = starts_with(name, "cblas_") ? names->symbols->blas : NULL;
        address = blas ? dlsym(blas, name) : dlsym(RTLD_DEFAULT, name);
        if (!address)
            address = find_in_support(names->symbols, name);
        if (!address && starts_with(name, "cblas_"))
            names->lacking = name;
    }
    pthread_mutex_unlock(&names->symbols->lock);
    return address;
}

enum object_status symbols_load(struct symbols *symbols, const void *image, size_t size,
                                struct object **object, char **error)
{
    struct kernel_names names = {.symbols = symbols};
    enum object_status status =
        object_load(image, size, collect_name, resolve, &names, object, error);
    if (status == OBJECT_UNRESOLVED && names.lacking) {
        free(*error);
        error_set(
            error, JIT_NO_SYMBOL,
            "the kernel calls %s: --blas=LIBRARY, or blas in spcc_options, says which library "
            "has it",
            names.lacking);
    }
    free(names.name);
    return status;
}
