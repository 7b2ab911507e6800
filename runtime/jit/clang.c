/* clang.c - the Clang plug-in, from the side of the program that opens it.
 *
 * Whether the cache has a kernel is known without opening the plug-in: its file, and that of the
 * Clang library for which it was built, identify the compiler.
 *
 * The compiler runs in a thread of its own.  It recurses deeply, and a thread of the host's may
 * have little stack; nor should the host's signal handlers run in the middle of it.
 *
 * If memory is short, the compiler is not called at all: the dynamic linker, the constructors of
 * Clang's libraries, and the C library's data of a thread end the process if they find none.  The
 * plug-in reports memory that runs out later.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/clang.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <runtime/jit/clang_library.h> /* which Meson writes */

#include "runtime/jit/beside.h"
#include "runtime/jit/error.h"

static const char plugin_file[] = "spcc_clang.so";

enum { COMPILER_STACK = 64 << 20 };

/* Address space: of Clang's libraries once opened, 410 MiB in version 22, and of a small
 * compilation with its stack. */
enum { OPENING = 512 << 20, COMPILING = COMPILER_STACK + (128 << 20) };

void clang_init(struct clang *clang, const char *wanted)
{
    *clang = (struct clang){.wanted = wanted};
    pthread_mutex_init(&clang->lock, NULL);
}

void clang_close(struct clang *clang)
{
    free(clang->path);
    pthread_mutex_destroy(&clang->lock);
}

/* Returns the plug-in's path, to free(), or NULL. */
static char *find_plugin(const char *wanted)
{
    const char *named = wanted ? wanted : secure_getenv("SPCC_CLANG_PLUGIN");
    if (named)
        return access(named, R_OK) == 0 ? strdup(named) : NULL;
    return beside_find(plugin_file);
}

enum jit_status clang_identify(struct clang *clang, struct sha256 *hash, char **error)
{
    pthread_mutex_lock(&clang->lock);
    if (!clang->searched)
        clang->path = find_plugin(clang->wanted);
    clang->searched = true;
    const char *path = clang->path;
    pthread_mutex_unlock(&clang->lock);
    if (!path) {
        const char *named = clang->wanted ? clang->wanted : secure_getenv("SPCC_CLANG_PLUGIN");
        if (named)
            return error_set(error, JIT_NO_COMPILER,
                             "in-process Clang is not available: there is no %s", named);
        return error_set(error, JIT_NO_COMPILER,
                         "in-process Clang is not available: %s is neither beside this "
                         "program or library nor in %s; spcc may have been built without LLVM",
                         plugin_file, beside_installed());
    }
    sha256_add_file(hash, path);
    sha256_add_file(hash, SPCC_CLANG_LIBRARY);
    return JIT_OK;
}

static bool has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

/* Under the lock. */
static enum jit_status open_plugin(struct clang *clang, char **error)
{
    size_t room = COMPILING + (clang->plugin ? 0 : (size_t)OPENING);
    if (!has_room(room))
        return error_set(error, JIT_NO_MEMORY,
                         "in-process Clang is not used: it needs %zu MiB of address space",
                         room >> 20);
    if (clang->plugin)
        return JIT_OK;
    void *library = dlopen(clang->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return error_set(error, JIT_NO_COMPILER, "in-process Clang is not available: %s",
                         dlerror());
    void *symbol = dlsym(library, CLANG_PLUGIN_SYMBOL);
    const struct clang_plugin *(*get)(void) =
        (const struct clang_plugin *(*)(void))(uintptr_t)symbol;
    const struct clang_plugin *plugin = get ? get() : NULL;
    if (!plugin || plugin->abi != CLANG_PLUGIN_ABI)
        return error_set(error, JIT_NO_COMPILER,
                         "in-process Clang is not available: %s belongs to another version "
                         "of spcc",
                         clang->path);
    clang->plugin = plugin;
    return JIT_OK;
}

enum jit_status clang_open(struct clang *clang, char **error)
{
    pthread_mutex_lock(&clang->lock);
    enum jit_status status = open_plugin(clang, error);
    pthread_mutex_unlock(&clang->lock);
    return status;
}

struct job {
    struct clang *clang;
    const struct clang_request *request;
    struct clang_reply reply;
    enum clang_result result;
};

static void *compile_in_thread(void *data)
{
    struct job *job = data;
    job->result = job->clang->plugin->compile(job->request, &job->reply);
    return NULL;
}

/* Runs the job in a thread with a large stack, which takes only the signals of its own mistakes.
 * Without a thread from the system, runs it here. */
static void run_apart(struct job *job)
{
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t blocked, before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        sigdelset(&blocked, kept[i]);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, COMPILER_STACK);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int failed = pthread_create(&thread, &attributes, compile_in_thread, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed)
        compile_in_thread(job);
    else
        pthread_join(thread, NULL);
}

static int is_stopped(const void *stop)
{
    return stop && atomic_load_explicit((const atomic_bool *)stop, memory_order_relaxed);
}

enum jit_status clang_compile(struct clang *clang, struct clang_request *request,
                              const atomic_bool *stop, void **object, size_t *size, char **error)
{
    request->unwanted = is_stopped;
    request->data = stop;
    struct job job = {.clang = clang, .request = request};
    enum jit_status status = is_stopped(stop) ? JIT_STOPPED : clang_open(clang, error);
    if (status != JIT_OK)
        return status;
    run_apart(&job);
    if (is_stopped(stop)) {
        free(job.reply.object);
        free(job.reply.text);
        return JIT_STOPPED;
    }
    if (job.reply.object) {
        *object = job.reply.object;
        *size = job.reply.size;
        free(job.reply.text);
        return JIT_OK;
    }
    if (!job.reply.text)
        return error_set(error, JIT_NO_MEMORY, "no memory to compile the kernel");
    *error = job.reply.text;
    return job.result == CLANG_UNUSABLE ? JIT_NO_COMPILER : JIT_REJECTED;
}
