/* jit.h - from C source to a callable function, by in-process Clang or by the system's C compiler.
 *
 * A jit holds what several kernels share: the compilers found, the kernel cache on disk, the table
 * of loaded kernels.  A kernel is one loaded piece of source.  Both engines produce a relocatable
 * object;
 * the object is what the cache keeps, and one loader (object.h) puts it into memory.
 *
 *     struct jit *jit;
 *     struct jit_kernel *kernel;
 *     char *error = NULL;
 *     const char *const names[] = {"spmv", NULL};
 *     if (jit_new(NULL, &jit, &error) == JIT_OK
 *         && jit_compile(jit, JIT_CLANG, source, names, &kernel, NULL, &error) == JIT_OK) {
 *         int (*spmv)(...) = (int (*)(...))jit_symbol(kernel, "spmv");
 *         ...
 *         jit_release(kernel);
 *     }
 *     jit_free(jit);
 *     free(error);
 *
 * Everything here may be called by many threads at once.  There is no global state: two jits know
 * nothing of each other.  What stays in the process for good is the Clang plug-in and the OpenMP
 * runtime, which do not survive being unloaded.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_JIT_H
#define SPCC_JIT_JIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/jit/sha256.h"

struct jit;
struct jit_kernel;

enum jit_engine {
    JIT_CLANG, /* Clang inside this process, through the plug-in spcc_clang.so */
    JIT_CC,    /* the system's C compiler, in a process of its own */
};

enum jit_status {
    JIT_OK,
    /* the compiler rejects the source, or crashed on it; the error is the compiler's text */
    JIT_REJECTED,
    JIT_NO_COMPILER, /* the engine is missing: no plug-in, or no C compiler */
    /* a function that was asked for, or that the source calls, cannot be found */
    JIT_NO_SYMBOL,
    JIT_NO_MEMORY,
    /* the system refused: no temporary directory, no process, a full disk, ... */
    JIT_SYSTEM,
    JIT_STOPPED, /* struct jit_options */
};

enum jit_origin {
    JIT_COMPILED,
    JIT_FROM_DISK,
    JIT_FROM_MEMORY, /* the same source is already loaded in this jit */
    JIT_FROM_PACK,
};

/* Functions that kernels call through variables of their own.  A variable stays as it is if its
 * function is NULL. */
struct jit_host {
    /* `int (*thread_limit)(void)`: the number of threads for a parallel loop that the calling
     * thread comes to */
    int (*threads)(void);
    /* `void *(*thread_team)(void)`: what the calling thread works for; `void (*thread_join)(void
     * *team)`: each thread that does a part of a parallel loop works for that from now on */
    void *(*team)(void);
    void (*join)(void *team);
    /* `const volatile _Bool *(*stop_flag)(void)`: where a function that the calling thread comes to
     * looks whether it is to end */
    const volatile bool *(*stop_flag)(void);
    /* `void *(*resize)(void *array, size_t bytes)`: as realloc */
    void *(*resize)(void *array, size_t bytes);
    /* `void (*release)(void *array)`: as free */
    void (*release)(void *array);
};

/* Every field may be 0 or NULL, which means the default. */
struct jit_options {
    /* sizeof(struct jit_options), so that later versions can add fields */
    size_t size;
    const char *cache;  /* the cache's directory; "": no cache.
                                  * NULL: $XDG_CACHE_HOME/spcc or ~/.cache/spcc */
    size_t cache_limit; /* bytes that the cache may take on disk, about; 0: 256 MiB */
    /* files of kernels (packs.h), ':' between them; "": none.  NULL: those that $SPCC_PACKS lists,
     * and those in the folder packs beside the library, or beside the plug-in as installed */
    const char *packs;
    const char *cc; /* the C compiler and its first arguments, separated by blanks;
                                    NULL: $SPCC_CC, $CC, or the first of cc, gcc, clang */
    /* more flags for the compiler, NULL-terminated, after our own. Clang in process takes those
     * that `clang -cc1` knows: -D, -U, -f..., -m... */
    const char *const *flags;
    /* optimisation, 1 to 3; 0: the default (JIT_LEVEL); negative: none */
    int level;
    /* the plug-in's file; NULL: $SPCC_CLANG_PLUGIN, beside the library, or as installed */
    const char *plugin;
    /* the OpenMP runtime for Clang's code; NULL: one already in the process, else libomp where
     * it is found; "": none, pragmas but simd are ignored */
    const char *openmp;
    /* the library with the cblas_* functions that kernels call, as dlopen finds it; NULL: the
     * process's own */
    const char *blas;
    /* turn a crash of Clang into an error, after which this process does not use Clang again.
     * Signal handlers are installed during each compilation: good for programs, not for libraries
     * inside others.  Errors that LLVM itself calls fatal are always caught. */
    bool catch_crashes;
    struct jit_host host;
    /* if it becomes true, compilations end with JIT_STOPPED, and a C compiler that runs is killed.
     * It has to live as long as anybody compiles.  NULL: never */
    const atomic_bool *stop;
};

enum { JIT_LEVEL = 3 };

/* What one call of jit_compile did. */
struct jit_times {
    enum jit_origin origin;
    double compile_ms; /* the compiler, its start included; 0 unless compiled */
    /* placing, linking and protecting the code; 0 if it came from memory */
    double load_ms;
    double total_ms; /* the whole call */
};

/* A new jit, or a status.  options may be NULL.  On failure *error, if error is not NULL, is a
 * text that the caller frees.  Of all that may be searched for or opened, only the cache's
 * directory is. */
enum jit_status jit_new(const struct jit_options *options, struct jit **jit, char **error);

/* The jit lives on until its last kernel is released.  NULL is allowed. */
void jit_free(struct jit *jit);

/* Returns what users may want to know of this jit although it is no error, such as a cache that is
 * not used; or NULL. It does not change, and lives as long as the jit. */
const char *jit_note(const struct jit *jit);

/* The cache on disk, as it is now. */
struct jit_cache {
    const char *path;      /* the jit's; NULL: there is none */
    bool used;             /* if not, what is below is 0 */
    size_t kernels;        /* and texts that go with them */
    uint64_t bytes, limit; /* on disk, and at most */
    /* why the cache is not used, or keeps nothing new: a sentence that the caller frees; or NULL */
    char *trouble;
};

/* Looks at the cache, and tries whether it can be written.  False: no memory. */
bool jit_look_at_cache(const struct jit *jit, struct jit_cache *cache);

/* The cache itself, for what goes with kernels (texts.h). */
struct cache;
/* Returns the cache itself, for texts that belong to kernels (texts.h). */
const struct cache *jit_disk(const struct jit *jit);

/* Compile source, or find it compiled, and load it.  source is C11, one translation unit; where a
 * comment of it names -fwrapv, signed integers that overflow wrap around.  functions, which may be
 * NULL, lists names that the kernel must define, NULL-terminated.  On success *kernel is a
 * reference that the caller releases; *times, if not NULL, is set.  On failure *error, if error is
 * not NULL, is a text to free(): the compiler's messages, or ours. */
enum jit_status jit_compile(struct jit *jit, enum jit_engine engine, const char *source,
                            const char *const *functions, struct jit_kernel **kernel,
                            struct jit_times *times, char **error);

/* A kernel in a pack: see packs.h. */
struct pack;
struct pack_entry;
struct packs;
struct jit_packed {
    const struct pack *pack; /* the pack that has the request; NULL: none has */
    /* NULL: this processor cannot run any of the pack's kernels for the request, */
    const struct pack_entry *entry;
    const char *machine; /* but one for this target */
};

/* Returns the jit's packs; and the kernel in them for a request that this processor can run, or
 * false. */
const struct packs *jit_packs(const struct jit *jit);
bool jit_find_packed(const struct jit *jit, const unsigned char request[SHA256_SIZE],
                     struct jit_packed *packed);

/* As jit_compile, with that kernel.  JIT_NO_SYMBOL: it was not compiled from this source. */
enum jit_status jit_load_packed(struct jit *jit, const struct jit_packed *packed,
                                const char *source, const char *const *functions,
                                struct jit_kernel **kernel, struct jit_times *times, char **error);

/* The object for a source, made by the system's C compiler for a pack, with threads or without:
 * *threads then says whether the object has threads, which it lacks if the compiler refuses OpenMP.
 * flags, NULL-terminated, come behind our own.  The caller frees *object. */
enum jit_status jit_object(struct jit *jit, const char *source, bool *threads,
                           const char *const *flags, void **object, size_t *size, char **error);

/* Does the source use threads? */
bool jit_wants_threads(const char *source);

/* A file that is given to the compiler. */
struct jit_input {
    const char *name; /* without a folder */
    const void *data;
    size_t size;
    bool is_read; /* it is read by the assembler, for another file */
};

/* Link objects and C files into a shared library, which the caller frees. */
enum jit_status jit_link(struct jit *jit, const struct jit_input *inputs, size_t n,
                         const char *const *flags, void **library, size_t *size, char **error);

/* The address of an external function or variable that the kernel's source defines, or NULL.  Good
 * until the kernel's last reference is released. */
void *jit_symbol(const struct jit_kernel *kernel, const char *name);

/* The same of the kernel: it runs on one thread since OpenMP is missing, or it could not be kept in
 * the cache; or NULL. */
const char *jit_kernel_note(const struct jit_kernel *kernel);

/* Drops a reference; the last one unloads the code.  NULL is allowed. */
void jit_release(struct jit_kernel *kernel);

/* Returns the compiler's name, "clang 22.1.8" or the path of the C compiler, which the caller
 * frees.  NULL, with *error set as above, if the engine is not available. */
char *jit_engine_name(struct jit *jit, enum jit_engine engine, char **error);

#endif
