/* jit.c - from C source to a callable function: who is asked, in what order.
 *
 * A kernel is looked for in three places: among those loaded in this jit, in the cache on disk, at
 * the compiler.  All three go by one key, the SHA-256 of all that the code depends on: source,
 * engine, flags, processor, the compiler's and spcc's version.  One thread builds, others wait.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/jit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/jit/cache.h"
#include "runtime/jit/cc.h"
#include "runtime/jit/clang.h"
#include "runtime/jit/code.h"
#include "runtime/jit/cpu.h"
#include "runtime/jit/error.h"
#include "runtime/jit/process.h"
#include "runtime/jit/symbols.h"

#ifndef SPCC_VERSION
#define SPCC_VERSION "0"
#endif

struct jit_kernel {
    struct jit *jit;
    struct jit_kernel *next; /* in jit->kernels */
    size_t references;
    unsigned char key[SHA256_SIZE];
    bool ready;     /* not while it is being built */
    bool no_openmp; /* compiled without, although the source has its pragmas */
    /* why it is not in the cache on disk; NULL: it is, or there is none */
    char *unkept;
    struct code code;
};

struct jit {
    pthread_mutex_t lock;   /* over what follows, and over the kernels' references */
    pthread_cond_t changed; /* a kernel was built, or failed */
    size_t references;      /* the owner's and one for each kernel */
    struct jit_kernel *kernels;

    /* Constant once made, or with locks of their own. */
    char *cc_command, *plugin, *openmp;
    char **flags;
    int level;
    bool catch_crashes;
    const atomic_bool *stop;
    unsigned char cpu[SHA256_SIZE];
    char *note;
    struct cache cache;
    struct symbols symbols;
    struct clang clang;
    struct cc cc;
};

static const char no_memory[] = "no memory for the kernel";

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Give the text away if anybody wants it. */
static enum jit_status finish(enum jit_status status, char *text, char **error)
{
    if (error)
        *error = text;
    else
        free(text);
    return status;
}

/* True if the copy could be made; NULL is copied to NULL. */
static bool copy_text(char **copy, const char *text) { return !text || (*copy = strdup(text)); }

static bool copy_flags(struct jit *jit, const char *const *flags)
{
    size_t n = 0;
    while (flags && flags[n])
        n++;
    jit->flags = calloc(n + 1, sizeof *jit->flags);
    for (size_t i = 0; jit->flags && i < n; i++)
        if (!(jit->flags[i] = strdup(flags[i])))
            return false;
    return jit->flags != NULL;
}

static void destroy(struct jit *jit)
{
    clang_close(&jit->clang);
    cc_close(&jit->cc);
    symbols_close(&jit->symbols);
    cache_close(&jit->cache);
    for (char **flag = jit->flags; flag && *flag; flag++)
        free(*flag);
    free(jit->flags);
    free(jit->cc_command);
    free(jit->plugin);
    free(jit->openmp);
    free(jit->note);
    pthread_cond_destroy(&jit->changed);
    pthread_mutex_destroy(&jit->lock);
    free(jit);
}

static bool set_up(struct jit *jit, const struct jit_options *options)
{
    struct sha256 hash;
    uint64_t limit = options->cache_limit ? options->cache_limit : UINT64_C(256) << 20;
    bool copied = copy_text(&jit->cc_command, options->cc)
                  && copy_text(&jit->plugin, options->plugin)
                  && copy_text(&jit->openmp, options->openmp) && copy_flags(jit, options->flags);
    jit->references = 1;
    jit->level = options->level == 0  ? JIT_LEVEL
                 : options->level < 0 ? 0
                 : options->level > 3 ? 3
                                      : options->level;
    jit->catch_crashes = options->catch_crashes;
    jit->stop = options->stop;
    sha256_start(&hash);
    cpu_identify(&hash);
    sha256_end(&hash, jit->cpu);
    pthread_mutex_init(&jit->lock, NULL);
    pthread_cond_init(&jit->changed, NULL);
    symbols_init(&jit->symbols, jit->openmp, options->host);
    clang_init(&jit->clang, jit->plugin);
    cc_init(&jit->cc, jit->cc_command, jit->stop);
    cache_open(&jit->cache, options->cache, limit, &jit->note);
    temporary_remove_left_overs();
    return copied;
}

enum jit_status jit_new(const struct jit_options *options, struct jit **result, char **error)
{
    struct jit_options own = {.size = sizeof own};
    struct jit *jit = calloc(1, sizeof *jit);
    char *text = NULL;
    if (options)
        memcpy(&own, options,
               options->size && options->size < sizeof own ? options->size : sizeof own);
    if (!jit || !set_up(jit, &own)) {
        if (jit)
            destroy(jit);
        error_set(&text, JIT_NO_MEMORY, "%s", no_memory);
        return finish(JIT_NO_MEMORY, text, error);
    }
    *result = jit;
    return JIT_OK;
}

/* One reference less, under no lock. */
static void drop(struct jit *jit)
{
    pthread_mutex_lock(&jit->lock);
    size_t left = --jit->references;
    pthread_mutex_unlock(&jit->lock);
    if (left == 0)
        destroy(jit);
}

void jit_free(struct jit *jit)
{
    if (jit)
        drop(jit);
}

const char *jit_note(const struct jit *jit) { return jit->note; }
const struct cache *jit_disk(const struct jit *jit) { return &jit->cache; }

bool jit_look_at_cache(const struct jit *jit, struct jit_cache *look)
{
    const struct cache *cache = &jit->cache;
    *look = (struct jit_cache){.path = cache->path, .used = cache->directory >= 0};
    if (!look->used)
        return copy_text(&look->trouble, jit->note);
    int error = cache_look(cache, &look->kernels, &look->bytes);
    look->limit = cache->limit;
    return !error || (look->trouble = cache_complaint(cache, error));
}

/* What the source wants of OpenMP: the pragmas that are only `simd` need no runtime. */
static enum clang_openmp wanted_openmp(const char *source)
{
    enum clang_openmp wanted = CLANG_OPENMP_NONE;
    for (const char *at = source; (at = strstr(at, "ragma"));) {
        at += strlen("ragma");
        at += strspn(at, " \t(\"");
        if (strncmp(at, "omp", 3) != 0 || !strchr(" \t\\\n", at[3]))
            continue;
        at += 3;
        at += strspn(at, " \t\\\n");
        if (strncmp(at, "simd", 4) != 0 && strncmp(at, "declare simd", 12) != 0)
            return CLANG_OPENMP_FULL;
        wanted = CLANG_OPENMP_SIMD;
    }
    return wanted;
}

/* ---- engines ---- */

/* What compiles C. */
struct engine {
    enum jit_status (*identify)(struct jit *jit, struct sha256 *hash, char **error);
    enum jit_status (*compile)(struct jit *jit, struct clang_request *request, void **object,
                               size_t *size, char **error);
    /* Who it is; *name is NULL where there is no memory for it. */
    enum jit_status (*describe)(struct jit *jit, char **name, char **error);
    /* What the system's linker needs for OpenMP in this engine's objects. */
    const char *(*openmp)(struct jit *jit);
    /* it refuses code that needs more of OpenMP than there is */
    bool may_reject_openmp;
};

static enum jit_status in_process_identify(struct jit *jit, struct sha256 *hash, char **error)
{
    return clang_identify(&jit->clang, hash, error);
}

static enum jit_status in_process_compile(struct jit *jit, struct clang_request *request,
                                          void **object, size_t *size, char **error)
{
    return clang_compile(&jit->clang, request, jit->stop, object, size, error);
}

static enum jit_status in_process_describe(struct jit *jit, char **name, char **error)
{
    enum jit_status status = clang_open(&jit->clang, error);
    if (status == JIT_OK && asprintf(name, "clang %s", jit->clang.plugin->version) < 0)
        *name = NULL;
    return status;
}

static const char *in_process_openmp(struct jit *jit) { return symbols_openmp_path(&jit->symbols); }

static enum jit_status system_identify(struct jit *jit, struct sha256 *hash, char **error)
{
    return cc_identify(&jit->cc, hash, error);
}

static enum jit_status system_compile(struct jit *jit, struct clang_request *request, void **object,
                                      size_t *size, char **error)
{
    return cc_compile(&jit->cc, request, object, size, error);
}

static enum jit_status system_describe(struct jit *jit, char **name, char **error)
{
    *name = strdup(jit->cc.words[0]);
    return JIT_OK;
}

static const char *system_openmp(struct jit *jit) { return "-fopenmp"; }

static const struct engine engines[] = {
    [JIT_CLANG] = {in_process_identify, in_process_compile, in_process_describe, in_process_openmp,
                   false},
    [JIT_CC] = {system_identify, system_compile, system_describe, system_openmp, true},
};

/* ---- building ---- */

/* One call of jit_compile. */
struct build {
    struct jit *jit;
    enum jit_engine engine;
    const char *source;
    enum clang_openmp openmp; /* as it is compiled */
    bool no_openmp;           /* although the source wants more */
    struct jit_kernel *kernel;
    struct jit_times times;
    char *error;
};

static void hash_text(struct sha256 *hash, const char *text)
{
    sha256_add(hash, text, strlen(text) + 1);
}

static enum jit_status make_key(struct build *b, unsigned char key[SHA256_SIZE])
{
    struct jit *jit = b->jit;
    struct sha256 hash;
    int numbers[] = {(int)b->engine, jit->level, (int)b->openmp};
    sha256_start(&hash);
    hash_text(&hash, SPCC_VERSION);
    sha256_add(&hash, jit->cpu, sizeof jit->cpu);
    sha256_add(&hash, numbers, sizeof numbers);
    for (char **flag = jit->flags; *flag; flag++)
        hash_text(&hash, *flag);
    hash_text(&hash, "");
    hash_text(&hash, b->source);
    enum jit_status status = engines[b->engine].identify(jit, &hash, &b->error);
    sha256_end(&hash, key);
    return status;
}

static enum jit_status status_of(enum object_status status)
{
    switch (status) {
    case OBJECT_OK: return JIT_OK;
    case OBJECT_UNRESOLVED: return JIT_NO_SYMBOL;
    case OBJECT_NO_MEMORY: return JIT_NO_MEMORY;
    case OBJECT_DAMAGED:
    case OBJECT_UNSUPPORTED: return JIT_SYSTEM;
    }
    return JIT_SYSTEM;
}

static enum object_status load(struct build *b, const struct cache_entry *entry)
{
    double start = now_ms();
    enum object_status status =
        code_load(&b->kernel->code, entry->data, entry->size, b->openmp == CLANG_OPENMP_FULL,
                  &b->jit->symbols, &b->error);
    b->times.load_ms = now_ms() - start;
    return status;
}

static enum jit_status compile(struct build *b, struct cache_entry *entry)
{
    struct jit *jit = b->jit;
    struct clang_request request = {.source = b->source,
                                    .flags = (const char *const *)jit->flags,
                                    .level = jit->level,
                                    .openmp = b->openmp,
                                    .wraps = strstr(b->source, "-fwrapv") != NULL,
                                    .catch_crashes = jit->catch_crashes};
    double start = now_ms();
    enum jit_status status =
        engines[b->engine].compile(jit, &request, &entry->data, &entry->size, &b->error);
    b->times.compile_ms += now_ms() - start;
    return status;
}

/* The system's linker makes a shared library of an object that our loader does not take. */
static enum jit_status link_entry(struct build *b, struct cache_entry *entry)
{
    struct jit *jit = b->jit;
    struct sha256 unused;
    bool parallel = b->openmp == CLANG_OPENMP_FULL;
    const char *flags[] = {parallel ? engines[b->engine].openmp(jit) : NULL, NULL};
    void *library;
    size_t size;
    sha256_start(&unused);
    char *why = NULL;
    double start = now_ms();
    enum jit_status status = cc_identify(&jit->cc, &unused, &why);
    if (status == JIT_OK)
        status = cc_link(&jit->cc, entry->data, entry->size, flags, &library, &size, &why);
    b->times.compile_ms += now_ms() - start;
    if (status == JIT_STOPPED)
        return status;
    if (status == JIT_OK) {
        free(entry->data);
        *entry = (struct cache_entry){library, size};
        return JIT_OK;
    }
    char *both;
    if (asprintf(&both, "%s; and the system's linker does not help: %s", b->error ? b->error : "",
                 why ? why : "")
        >= 0) {
        free(b->error);
        b->error = both;
    }
    free(why);
    return JIT_SYSTEM;
}

/* Compile and load.  On success entry holds what the cache may keep. */
static enum jit_status compile_and_load(struct build *b, struct cache_entry *entry)
{
    *entry = (struct cache_entry){NULL, 0};
    enum jit_status status = compile(b, entry);
    if (status != JIT_OK)
        return status;
    enum object_status loaded = load(b, entry);
    if (loaded == OBJECT_UNSUPPORTED) {
        status = link_entry(b, entry);
        if (status == JIT_OK) {
            free(b->error);
            b->error = NULL;
            loaded = load(b, entry);
        }
    }
    status = status == JIT_OK ? status_of(loaded) : status;
    if (status != JIT_OK) {
        free(entry->data);
        entry->data = NULL;
    }
    return status;
}

/* If it is OpenMP that fails, although a runtime is there (one that does not fit, say, or that the
 * linker does not find), the kernel is compiled for one thread: right, and it says so. */
static enum jit_status compile_somehow(struct build *b, struct cache_entry *entry)
{
    enum jit_status status = compile_and_load(b, entry);
    if (b->openmp != CLANG_OPENMP_FULL || status == JIT_OK
        || (status != JIT_NO_SYMBOL && status != JIT_SYSTEM
            && !(status == JIT_REJECTED && engines[b->engine].may_reject_openmp)))
        return status;
    char *first = b->error;
    b->error = NULL;
    b->openmp = CLANG_OPENMP_SIMD;
    b->no_openmp = true;
    if (compile_and_load(b, entry) == JIT_OK) {
        free(first);
        return JIT_OK;
    }
    free(b->error);
    b->error = first;
    return status;
}

static bool load_from_disk(struct build *b)
{
    struct cache_entry entry;
    if (!cache_get(&b->jit->cache, b->kernel->key, &entry))
        return false;
    bool loaded = load(b, &entry) == OBJECT_OK;
    free(entry.data);
    if (loaded)
        return true;
    cache_remove(&b->jit->cache, b->kernel->key);
    free(b->error);
    b->error = NULL;
    return false;
}

static enum jit_status build(struct build *b)
{
    struct cache_entry entry;
    enum clang_openmp keyed = b->openmp;
    b->times.origin = JIT_FROM_DISK;
    if (load_from_disk(b))
        return JIT_OK;
    b->times.origin = JIT_COMPILED;
    enum jit_status status = compile_somehow(b, &entry);
    if (status != JIT_OK)
        return status;
    int error = b->openmp == keyed ? cache_put(&b->jit->cache, b->kernel->key, &entry) : 0;
    if (error) /* it works all the same */
        b->kernel->unkept = cache_complaint(&b->jit->cache, error);
    free(entry.data);
    return JIT_OK;
}

/* The kernel with this key, ready to use; or NULL if nobody has it and nobody is building it.
 * Under the lock, which is given up while waiting. */
static struct jit_kernel *find_kernel(struct jit *jit, const unsigned char key[SHA256_SIZE])
{
    struct jit_kernel *kernel = jit->kernels;
    while (kernel) {
        if (memcmp(kernel->key, key, SHA256_SIZE) != 0) {
            kernel = kernel->next;
        } else if (kernel->ready) {
            return kernel;
        } else {
            pthread_cond_wait(&jit->changed, &jit->lock);
            kernel = jit->kernels;
        }
    }
    return NULL;
}

/* A new kernel, being built by this thread.  Under the lock. */
static struct jit_kernel *enter_kernel(struct jit *jit, const unsigned char key[SHA256_SIZE])
{
    struct jit_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->jit = jit;
    kernel->references = 1;
    memcpy(kernel->key, key, SHA256_SIZE);
    kernel->next = jit->kernels;
    jit->kernels = kernel;
    jit->references++;
    return kernel;
}

/* Under the lock. */
static void leave_kernel(struct jit *jit, struct jit_kernel *kernel)
{
    struct jit_kernel **link = &jit->kernels;
    while (*link != kernel)
        link = &(*link)->next;
    *link = kernel->next;
}

static enum jit_status get_kernel(struct build *b)
{
    struct jit *jit = b->jit;
    unsigned char key[SHA256_SIZE];
    if (b->openmp == CLANG_OPENMP_FULL && !symbols_have_openmp(&jit->symbols, b->engine)) {
        b->openmp = CLANG_OPENMP_SIMD;
        b->no_openmp = true;
    }
    enum jit_status status = make_key(b, key);
    if (status != JIT_OK)
        return status;
    pthread_mutex_lock(&jit->lock);
    b->kernel = find_kernel(jit, key);
    if (b->kernel) {
        b->kernel->references++;
        pthread_mutex_unlock(&jit->lock);
        b->times.origin = JIT_FROM_MEMORY;
        return JIT_OK;
    }
    b->kernel = enter_kernel(jit, key);
    pthread_mutex_unlock(&jit->lock);
    if (!b->kernel)
        return error_set(&b->error, JIT_NO_MEMORY, "%s", no_memory);
    status = build(b);
    pthread_mutex_lock(&jit->lock);
    b->kernel->ready = status == JIT_OK;
    b->kernel->no_openmp = b->no_openmp;
    if (status != JIT_OK)
        leave_kernel(jit, b->kernel);
    pthread_cond_broadcast(&jit->changed);
    pthread_mutex_unlock(&jit->lock);
    if (status != JIT_OK) {
        free(b->kernel);
        drop(jit);
    }
    return status;
}

enum jit_status jit_compile(struct jit *jit, enum jit_engine engine, const char *source,
                            const char *const *functions, struct jit_kernel **kernel,
                            struct jit_times *times, char **error)
{
    struct build b = {
        .jit = jit, .engine = engine, .source = source, .openmp = wanted_openmp(source)};
    double start = now_ms();
    enum jit_status status = get_kernel(&b);
    if (status != JIT_OK)
        return finish(status, b.error, error);
    for (; functions && *functions; functions++) {
        if (jit_symbol(b.kernel, *functions))
            continue;
        jit_release(b.kernel);
        error_set(&b.error, JIT_NO_SYMBOL, "the kernel's source does not define %s", *functions);
        return finish(JIT_NO_SYMBOL, b.error, error);
    }
    b.times.total_ms = now_ms() - start;
    if (times)
        *times = b.times;
    *kernel = b.kernel;
    return JIT_OK;
}

void *jit_symbol(const struct jit_kernel *kernel, const char *name)
{
    return code_symbol(&kernel->code, name);
}

const char *jit_kernel_note(const struct jit_kernel *kernel)
{
    return kernel->no_openmp ? "no OpenMP runtime for this compiler's code is to be found (libomp, "
                               "in Debian's package libomp5): the kernel runs on one thread"
                             : kernel->unkept;
}

void jit_release(struct jit_kernel *kernel)
{
    if (!kernel)
        return;
    struct jit *jit = kernel->jit;
    pthread_mutex_lock(&jit->lock);
    bool last = --kernel->references == 0;
    if (last)
        leave_kernel(jit, kernel);
    pthread_mutex_unlock(&jit->lock);
    if (!last)
        return;
    code_unload(&kernel->code);
    free(kernel->unkept);
    free(kernel);
    drop(jit);
}

char *jit_engine_name(struct jit *jit, enum jit_engine engine, char **error)
{
    struct sha256 unused;
    char *text = NULL, *name = NULL;
    sha256_start(&unused);
    enum jit_status status = engines[engine].identify(jit, &unused, &text);
    if (status == JIT_OK)
        status = engines[engine].describe(jit, &name, &text);
    finish(status, text, error);
    return name;
}
