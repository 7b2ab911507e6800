/* jit.c - a jit's settings, and its loaded kernels.
 *
 * A kernel is first looked for among the loaded ones, by the key of everything on which its code
 * depends.  If it is not there, one thread builds it (build.c), and others wait.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/jit.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/jit/build.h"
#include "runtime/jit/cpu.h"
#include "runtime/jit/error.h"
#include "runtime/jit/process.h"

static const char no_memory[] = "no memory for the kernel";

/* Hands over the text, if anybody wants it. */
static enum jit_status finish(enum jit_status status, char *text, char **error)
{
    if (error)
        *error = text;
    else
        free(text);
    return status;
}

/* Returns true if the copy could be made; NULL is copied to NULL. */
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
    packs_close(&jit->packs);
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
    packs_open(&jit->packs, options->packs);
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
    bool made = jit && set_up(jit, &own);
    if (!made)
        error_set(&text, JIT_NO_MEMORY, "%s", no_memory);
    if (!made || (own.blas && !symbols_open_blas(&jit->symbols, own.blas, &text))) {
        if (jit)
            destroy(jit);
        return finish(made ? JIT_SYSTEM : JIT_NO_MEMORY, text, error);
    }
    *result = jit;
    return JIT_OK;
}

/* Drops one reference, under no lock. */
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

/* Returns the kernel with this key, ready to use; NULL if nobody has it and nobody is building it.
 * Under the lock, which is released while waiting. */
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

/* Enters a new kernel, which this thread builds.  Under the lock. */
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
    if (!b->packed.entry && b->openmp == CLANG_OPENMP_FULL
        && !symbols_have_openmp(&jit->symbols, b->engine)) {
        b->openmp = CLANG_OPENMP_SIMD;
        b->no_openmp = true;
    }
    enum jit_status status = build_key(b, key);
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
    status = build_kernel(b);
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

/* Makes the kernel of a build, with the functions. */
static enum jit_status give_kernel(struct build *b, const char *const *functions,
                                   struct jit_kernel **kernel, struct jit_times *times,
                                   char **error)
{
    double start = build_now_ms();
    b->openmp = build_wanted_openmp(b->source);
    enum jit_status status = get_kernel(b);
    if (status != JIT_OK)
        return finish(status, b->error, error);
    for (; functions && *functions; functions++) {
        if (jit_symbol(b->kernel, *functions))
            continue;
        jit_release(b->kernel);
        error_set(&b->error, JIT_NO_SYMBOL, "the kernel's source does not define %s", *functions);
        return finish(JIT_NO_SYMBOL, b->error, error);
    }
    b->times.total_ms = build_now_ms() - start;
    if (times)
        *times = b->times;
    *kernel = b->kernel;
    return JIT_OK;
}

enum jit_status jit_compile(struct jit *jit, enum jit_engine engine, const char *source,
                            const char *const *functions, struct jit_kernel **kernel,
                            struct jit_times *times, char **error)
{
    struct build b = {
        .jit = jit, .engine = engine, .source = source, .flags = (const char *const *)jit->flags};
    return give_kernel(&b, functions, kernel, times, error);
}

enum jit_status jit_load_packed(struct jit *jit, const struct jit_packed *packed,
                                const char *source, const char *const *functions,
                                struct jit_kernel **kernel, struct jit_times *times, char **error)
{
    struct build b = {.jit = jit, .packed = *packed, .source = source};
    return give_kernel(&b, functions, kernel, times, error);
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
    char *text = NULL, *name = build_engine_name(jit, engine, &text);
    finish(JIT_OK, text, error);
    return name;
}

enum jit_status jit_object(struct jit *jit, const char *source, bool *threads,
                           const char *const *flags, void **object, size_t *size, char **error)
{
    enum clang_openmp wanted = build_wanted_openmp(source);
    struct build b = {.jit = jit,
                      .engine = JIT_CC,
                      .source = source,
                      .flags = flags,
                      .openmp =
                          *threads || wanted == CLANG_OPENMP_NONE ? wanted : CLANG_OPENMP_SIMD};
    struct cache_entry entry = {NULL, 0};
    enum jit_status status = cc_find(&jit->cc, &b.error);
    if (status == JIT_OK)
        status = build_compile(&b, &entry);
    *threads = b.openmp == CLANG_OPENMP_FULL;
    *object = status == JIT_OK ? entry.data : NULL;
    *size = entry.size;
    return finish(status, b.error, error);
}

bool jit_wants_threads(const char *source)
{
    return build_wanted_openmp(source) == CLANG_OPENMP_FULL;
}

enum jit_status jit_link(struct jit *jit, const struct jit_input *inputs, size_t n,
                         const char *const *flags, void **library, size_t *size, char **error)
{
    char *text = NULL;
    enum jit_status status = cc_find(&jit->cc, &text);
    if (status == JIT_OK)
        status = cc_link(&jit->cc, inputs, n, flags, library, size, &text);
    return finish(status, text, error);
}

bool jit_find_packed(const struct jit *jit, const unsigned char request[SHA256_SIZE],
                     struct jit_packed *packed)
{
    return packs_find(&jit->packs, request, packed);
}

const struct packs *jit_packs(const struct jit *jit) { return &jit->packs; }
