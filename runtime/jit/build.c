/* build.c - builds one kernel: from a pack, from the cache on disk, or by a compiler; and loads
 * it.
 *
 * A kernel has one key, the SHA-256 of everything on which its code depends: source, engine,
 * flags, processor, the compiler's and spcc's versions.  The key of a pack's kernel is that of its
 * object.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/jit/error.h"

#ifndef SPCC_VERSION
#define SPCC_VERSION "0"
#endif

double build_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Does the source need OpenMP? Pragmas that only say `simd` need no runtime. */
enum clang_openmp build_wanted_openmp(const char *source)
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

/* A way to compile C. */
struct engine {
    enum jit_status (*identify)(struct jit *jit, struct sha256 *hash, char **error);
    enum jit_status (*compile)(struct jit *jit, struct clang_request *request, void **object,
                               size_t *size, char **error);
    /* Names the engine; *name is NULL if there is no memory for it. */
    enum jit_status (*describe)(struct jit *jit, char **name, char **error);
    /* Returns what the system's linker needs for OpenMP in this engine's objects. */
    const char *(*openmp)(struct jit *jit);
    /* refuses code that needs more of OpenMP than there is */
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

static void hash_text(struct sha256 *hash, const char *text)
{
    sha256_add(hash, text, strlen(text) + 1);
}

enum jit_status build_key(struct build *b, unsigned char key[SHA256_SIZE])
{
    struct jit *jit = b->jit;
    struct sha256 hash;
    if (b->packed.entry) {
        memcpy(key, b->packed.entry->digest, SHA256_SIZE);
        return JIT_OK;
    }
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

static enum object_status load_entry(struct build *b, const struct cache_entry *entry)
{
    double start = build_now_ms();
    enum object_status status =
        code_load(&b->kernel->code, entry->data, entry->size, b->openmp == CLANG_OPENMP_FULL,
                  &b->jit->symbols, &b->error);
    b->times.load_ms = build_now_ms() - start;
    return status;
}

static enum jit_status compile_entry(struct build *b, struct cache_entry *entry)
{
    struct jit *jit = b->jit;
    struct clang_request request = {.source = b->source,
                                    .flags = b->flags,
                                    .level = jit->level,
                                    .openmp = b->openmp,
                                    .wraps = strstr(b->source, "-fwrapv") != NULL,
                                    .catch_crashes = jit->catch_crashes};
    double start = build_now_ms();
    enum jit_status status =
        engines[b->engine].compile(jit, &request, &entry->data, &entry->size, &b->error);
    b->times.compile_ms += build_now_ms() - start;
    return status;
}

/* Makes a shared library, by the system's linker, of an object that our loader does not take. */
static enum jit_status link_entry(struct build *b, struct cache_entry *entry)
{
    struct jit *jit = b->jit;
    bool parallel = b->openmp == CLANG_OPENMP_FULL;
    const char *flags[] = {parallel ? engines[b->engine].openmp(jit) : NULL, NULL};
    void *library;
    size_t size;
    char *why = NULL;
    double start = build_now_ms();
    enum jit_status status = cc_find(&jit->cc, &why);
    if (status == JIT_OK) {
        const struct jit_input object = {
            .name = "kernel.o", .data = entry->data, .size = entry->size};
        status = cc_link(&jit->cc, &object, 1, flags, &library, &size, &why);
    }
    b->times.compile_ms += build_now_ms() - start;
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

/* Compiles and loads, if there is a kernel to load it for.  On success `entry` holds what the cache
 * may keep. */
static enum jit_status compile_and_load(struct build *b, struct cache_entry *entry)
{
    *entry = (struct cache_entry){NULL, 0};
    enum jit_status status = compile_entry(b, entry);
    if (status != JIT_OK || !b->kernel)
        return status;
    enum object_status loaded = load_entry(b, entry);
    if (loaded == OBJECT_UNSUPPORTED) {
        status = link_entry(b, entry);
        if (status == JIT_OK) {
            free(b->error);
            b->error = NULL;
            loaded = load_entry(b, entry);
        }
    }
    status = status == JIT_OK ? status_of(loaded) : status;
    if (status != JIT_OK) {
        free(entry->data);
        entry->data = NULL;
    }
    return status;
}

/* OpenMP may fail although there is a runtime: one that does not fit, say, or that the linker does
 * not find, or that has no header.  One thread is right as well. */
enum jit_status build_compile(struct build *b, struct cache_entry *entry)
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
    bool loaded = load_entry(b, &entry) == OBJECT_OK;
    free(entry.data);
    if (loaded)
        return true;
    cache_remove(&b->jit->cache, b->kernel->key);
    free(b->error);
    b->error = NULL;
    return false;
}

/* Loads the object with threads; the one without if there is no OpenMP runtime for it. */
static enum jit_status load_packed(struct build *b)
{
    enum jit_status status = JIT_NO_SYMBOL;
    unsigned char source[SHA256_SIZE];
    pack_hash_source(b->source, source);
    for (int threads = 1; threads >= 0 && status != JIT_OK; threads--) {
        struct cache_entry entry;
        const void *object =
            pack_object(b->packed.pack, b->packed.entry, source, threads, &entry.size);
        if (!object)
            continue;
        free(b->error);
        b->error = NULL;
        entry.data = (void *)(uintptr_t)object; /* nobody writes to it */
        status = status_of(load_entry(b, &entry));
        b->no_openmp = b->openmp == CLANG_OPENMP_FULL && !threads;
    }
    return status == JIT_OK || b->error
               ? status
               : error_set(&b->error, status, "%s has no whole kernel of this text",
                           b->packed.pack->path);
}

enum jit_status build_kernel(struct build *b)
{
    struct cache_entry entry;
    if (b->packed.entry) {
        b->times.origin = JIT_FROM_PACK;
        return load_packed(b);
    }
    enum clang_openmp keyed = b->openmp;
    b->times.origin = JIT_FROM_DISK;
    if (load_from_disk(b))
        return JIT_OK;
    b->times.origin = JIT_COMPILED;
    enum jit_status status = build_compile(b, &entry);
    if (status != JIT_OK)
        return status;
    int error = b->openmp == keyed ? cache_put(&b->jit->cache, b->kernel->key, &entry) : 0;
    if (error) /* it works all the same */
        b->kernel->unkept = cache_complaint(&b->jit->cache, error);
    free(entry.data);
    return JIT_OK;
}

char *build_engine_name(struct jit *jit, enum jit_engine engine, char **error)
{
    struct sha256 unused;
    char *name = NULL;
    sha256_start(&unused);
    if (engines[engine].identify(jit, &unused, error) == JIT_OK)
        engines[engine].describe(jit, &name, error);
    return name;
}
