/* kernel.c - compiles statements: the passes, the choice of an engine, and the kernels that a
 * context remembers.
 *
 * A kernel owns the compiler context that it was made in: the interpreter needs its imperative IR,
 * and tensors are compared with its declarations.  References are counted: the caller holds one,
 * the context's memory another.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/hash.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/emit/emit.h"
#include "compiler/tree/tree.h"
#include "runtime/api/packed.h"
#include "runtime/api/target.h"
#include "runtime/api/tuned.h"
#include "runtime/jit/jit.h"

/* ---- references ---- */

static struct spcc_kernel *retain(struct spcc_kernel *kernel)
{
    atomic_fetch_add(&kernel->references, 1);
    return kernel;
}

void spcc_kernel_free(spcc_kernel *kernel)
{
    if (!kernel || atomic_fetch_sub(&kernel->references, 1) > 1)
        return;
    for (int k = 0; k < KERNEL_KINDS; k++)
        jit_release(kernel->function[k].code);
    kernel_unload_from_gpu(kernel);
    context_free(kernel->cx);
    free((char *)kernel->info.note);
    free(kernel);
}

static struct spcc_kernel *kernel_new(void)
{
    struct spcc_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    atomic_init(&kernel->references, 1);
    kernel->cx = context_new();
    if (!kernel->cx) {
        free(kernel);
        return NULL;
    }
    return kernel;
}

/* ---- what a context remembers ---- */

enum { REMEMBERED = 64 };

/* The kernels of the most recent requests, latest first. */
struct kernel_cache {
    int n;
    struct {
        char *key;
        struct spcc_kernel *kernel;
    } at[REMEMBERED];
};

void kernel_cache_free(struct kernel_cache *cache)
{
    if (!cache)
        return;
    for (int i = 0; i < cache->n; i++) {
        free(cache->at[i].key);
        spcc_kernel_free(cache->at[i].kernel);
    }
    free(cache);
}

void kernel_cache_clear(struct spcc_context *api)
{
    kernel_cache_free(api->kernels);
    api->kernels = NULL;
}

static struct spcc_kernel *recall(struct kernel_cache *cache, const char *key)
{
    for (int i = 0; cache && i < cache->n; i++) {
        if (strcmp(cache->at[i].key, key) == 0) {
            __typeof__(cache->at[0]) found = cache->at[i];
            memmove(&cache->at[1], &cache->at[0], (size_t)i * sizeof cache->at[0]);
            cache->at[0] = found;
            return retain(found.kernel);
        }
    }
    return NULL;
}

/* Remembers a kernel.  If there is no memory, the kernel is compiled again next time. */
static void remember(struct spcc_context *api, const char *key, struct spcc_kernel *kernel)
{
    if (!api->kernels)
        api->kernels = calloc(1, sizeof *api->kernels);
    struct kernel_cache *cache = api->kernels;
    char *copy = cache ? api_strdup(key) : NULL;
    if (!copy)
        return;
    if (cache->n == REMEMBERED) {
        cache->n--;
        free(cache->at[cache->n].key);
        spcc_kernel_free(cache->at[cache->n].kernel);
    }
    memmove(&cache->at[1], &cache->at[0], (size_t)cache->n * sizeof cache->at[0]);
    cache->at[0].key = copy;
    cache->at[0].kernel = retain(kernel);
    cache->n++;
}

static void key_add(struct text *key, const char *s) { text_printf(key, "%s\x1f", s ? s : "\x1e"); }

static void key_add_sizes(struct text *key, const struct tin_declarations *declared)
{
    for (int i = 0; i < declared->sizes; i++)
        text_printf(key, "%s=%lld\x1f", declared->size[i].var, (long long)declared->size[i].size);
    text_add(key, "\x1d");
}

/* Returns the key of a request.  The context's settings do not change, so they are no part of it.
 */
static const char *key_of(struct context *cx, const struct pipeline_request *r, spcc_kind kind,
                          spcc_engine engine, bool untuned)
{
    struct text key = text_new(cx->arena);
    text_printf(&key, "%d %d %d %d %d %d %d %d %d ", (int)kind, (int)engine, r->no_plan, r->serial,
                untuned, r->plain, r->distributes, r->vector_bytes, r->cuda);
    key_add(&key, r->expression);
    for (int i = 0; i < r->n_operators; i++)
        key_add(&key, r->operators[i]);
    text_add(&key, "\x1d");
    key_add(&key, r->schedule);
    key_add(&key, r->name);
    for (int i = 0; i < r->declared.tensors; i++) {
        const struct tin_declaration *d = &r->declared.tensor[i];
        key_add(&key, d->name);
        key_add(&key, d->format);
        key_add(&key, d->type);
        key_add(&key, d->fill);
    }
    text_add(&key, "\x1d");
    for (int i = 0; i < r->declared.n_same; i++)
        key_add(&key, r->declared.same[i]);
    text_add(&key, "\x1d");
    key_add_sizes(&key, &r->declared);
    kernel_print_expected(&key, &r->declared);
    return key.at;
}

/* ---- through the compiler ---- */

struct generation {
    const char *statement;
    const spcc_compile_options *options, *checked; /* they have all members */
    enum stage last;
    struct spcc_kernel *kernel;
    const char *source[KERNEL_KINDS]; /* C for the runtime; NULL: none, or not asked for */
    bool asks_packs;
    struct jit_packed packed[KERNEL_KINDS]; /* the functions that packs have */
    const char *doubt;                      /* the text of tin_doubt */
    double distributed_times;               /* the figure of the planner */
    bool is_untuned;                        /* although a plan was kept, which cannot be applied */
};

struct uses {
    struct context *cx;
    VEC(struct kernel_use) list;
};

/* Returns the argument of that name; NULL if there is none. */
static const struct kernel_argument *argument_of(const struct spcc_kernel *kernel, const char *name)
{
    for (int k = 0; k < kernel->arguments; k++)
        if (strcmp(kernel->argument[k].name, name) == 0)
            return &kernel->argument[k];
    return NULL;
}

/* Adds the use to each of the argument's parts. */
static void add_use(struct uses *uses, const struct kernel_argument *argument,
                    const struct index_var *var, int mode)
{
    int tensors = argument->of ? argument->parts : 1;
    for (int t = argument->rank; t < argument->rank + tensors; t++) {
        struct kernel_use use = {var->name, var->literal ? var->value : -1, t, mode};
        vec_push(uses->cx->arena, &uses->list, use);
    }
}

static void find_uses(struct uses *uses, const struct spcc_kernel *kernel, const struct tin *tin)
{
    if (tin->kind == TIN_ACCESS) {
        const struct kernel_argument *argument = argument_of(kernel, tin->tensor->name);
        for (int m = 0; argument && m < tin->indices; m++)
            add_use(uses, argument, tin->index[m], m);
    }
    for (int i = 0; i < tin->args; i++)
        find_uses(uses, kernel, tin->arg[i]);
}

/* Returns a number for what a result's pattern follows from, besides the operands.  The schedule
 * and the sizes that the planner expects are no part of it, nor are formats, types and fills, which
 * are compared with those of the tensors. */
static uint64_t number_of(struct context *cx, const struct pipeline_request *r)
{
    struct text key = text_new(cx->arena);
    key_add(&key, r->expression);
    for (int i = 0; i < r->n_operators; i++)
        key_add(&key, r->operators[i]);
    key_add_sizes(&key, &r->declared);
    return hash_bytes(key.at, key.n);
}

static const bool *compounds(struct context *cx, const struct pipeline *p)
{
    bool *compound = arena_array(cx->arena, bool, p->tensors);
    for (int r = 0; r < tin_statements(p->parsed); r++)
        compound[r] = tin_reads_result(tin_statement(p->parsed, r));
    return compound;
}

static void describe_kernel(struct spcc_kernel *kernel, const struct pipeline_request *request,
                            const struct pipeline *p)
{
    struct uses uses = {.cx = kernel->cx};
    kernel->statement = request->expression;
    kernel->request = number_of(kernel->cx, request);
    kernel->compound = compounds(kernel->cx, p);
    kernel->results = tin_statements(p->parsed);
    kernel->argument = kernel_arguments(kernel->cx, p->tensor, p->tensors, &kernel->arguments);
    kernel->tensors = p->tensors;
    kernel->tensor = p->tensor;
    kernel->notation = p->notation;
    kernel->schedule = request->schedule;
    kernel->sizes = request->declared.sizes;
    kernel->size = request->declared.size;
    find_uses(&uses, kernel, p->parsed);
    kernel->uses = (int)uses.list.n;
    kernel->use = uses.list.at;
}

static bool has_function(spcc_kind kind, enum kernel_kind function)
{
    switch (kind) {
    case SPCC_FUSED: return function == KERNEL_FUSED;
    case SPCC_ASSEMBLE: return function == KERNEL_ASSEMBLE;
    case SPCC_COMPUTE: return function == KERNEL_COMPUTE;
    case SPCC_SPLIT: return function != KERNEL_FUSED;
    }
    return false;
}

/* Runs the passes in the kernel's own compiler context. */
static spcc_status generate(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct generation *g = arguments;
    struct pipeline_request request;
    if (!kernel_request(api, cx, g->statement, g->options, &request))
        return api_status(cx);
    request.for_jit = !request.cuda;
    request.name = NULL; /* nobody sees it */
    if (!request.cuda)
        tuned_find(api, cx, g->checked, &request);
    if (!request.target && !request.cuda)
        request.target = target_host();
    for (int k = 0; k < KERNEL_KINDS; k++) {
        struct pipeline p = {0};
        if (!has_function(g->checked->kind, (enum kernel_kind)k))
            continue;
        request.kind = (enum kernel_kind)k;
        struct pipeline_request own = request;
        if (g->asks_packs && !request.tuned)
            packed_find(api, cx, &own, &g->packed[k]);
        if (!pipeline_run(cx, &own, g->last, &p))
            return api_status(cx);
        const struct tensor_var *same = tree_pattern_operand(p.tree);
        g->kernel->function[k].imperative = p.imperative;
        g->kernel->function[k].pattern = same ? same->rank : 0;
        g->source[k] = p.c;
        if (p.c && request.cuda)
            g->kernel->function[k].entries =
                emit_entries(cx, p.imperative, &(struct emit_options){.cuda = true},
                             &g->kernel->function[k].entry);
        g->is_untuned = request.tuned && !p.is_tuned;
        g->distributed_times = p.distributed_times;
        if (g->packed[k].entry && !pipeline_run(cx, &request, STAGE_NOTATION, &p))
            return api_status(cx); /* with the user's names again */
        g->doubt = tin_doubt(cx, p.checked);
        describe_kernel(g->kernel, &request, &p);
    }
    return SPCC_OK;
}

/* ---- into machine code ---- */

static const struct {
    spcc_engine engine;
    enum jit_engine jit; /* not for packs */
} engines[] = {
    {SPCC_ENGINE_PACK, JIT_CC},
    {SPCC_ENGINE_CLANG, JIT_CLANG},
    {SPCC_ENGINE_CC, JIT_CC},
};

enum { ENGINES = sizeof engines / sizeof *engines };

static void unload(struct spcc_kernel *kernel)
{
    for (int k = 0; k < KERNEL_KINDS; k++) {
        jit_release(kernel->function[k].code);
        kernel->function[k].code = NULL;
        kernel->function[k].call = NULL;
    }
}

static spcc_origin origin_of(enum jit_origin origin)
{
    switch (origin) {
    case JIT_COMPILED: return SPCC_ORIGIN_COMPILED;
    case JIT_FROM_DISK: return SPCC_ORIGIN_DISK;
    case JIT_FROM_MEMORY: return SPCC_ORIGIN_MEMORY;
    case JIT_FROM_PACK: return SPCC_ORIGIN_PACK;
    }
    return SPCC_ORIGIN_COMPILED;
}

static enum jit_status load_function(struct jit *jit, struct context *cx, int e,
                                     const struct generation *g, int k, char **error)
{
    struct spcc_kernel *kernel = g->kernel;
    struct kernel_function *f = &kernel->function[k];
    struct jit_times times;
    const char *name = arena_printf(cx->arena, "%s_call", f->imperative->name);
    const char *const names[] = {name, NULL};
    enum jit_status status =
        engines[e].engine == SPCC_ENGINE_PACK
            ? jit_load_packed(jit, &g->packed[k], g->source[k], names, &f->code, &times, error)
            : jit_compile(jit, engines[e].jit, g->source[k], names, &f->code, &times, error);
    if (status != JIT_OK)
        return status;
    f->call = (int (*)(void *const *))jit_symbol(f->code, name);
    kernel->info.compile_ms += times.compile_ms;
    kernel->info.load_ms += times.load_ms;
    kernel->info.origin = origin_of(times.origin);
    return JIT_OK;
}

/* Loads all functions of a kernel, or none and says why, in cx's arena. */
static enum jit_status load_with(struct spcc_context *api, struct context *cx, int e,
                                 const struct generation *g, const char **why)
{
    char *error = NULL;
    enum jit_status status = JIT_OK;
    for (int k = 0; k < KERNEL_KINDS && status == JIT_OK; k++)
        if (g->kernel->function[k].imperative)
            status = load_function(api->jit, cx, e, g, k, &error);
    if (status == JIT_OK) {
        g->kernel->info.engine = engines[e].engine;
        return JIT_OK;
    }
    unload(g->kernel);
    *why = api_take_text(cx, error,
                         status == JIT_NO_MEMORY ? "no memory" : "the compiler gives no reason");
    return status;
}

/* Have packs all functions?  If not, *why is a note for the user, or NULL. */
static bool is_packed(struct spcc_context *api, struct context *cx, const struct generation *g,
                      const char **why)
{
    *why = NULL;
    for (int k = 0; k < KERNEL_KINDS; k++) {
        if (!g->kernel->function[k].imperative || g->packed[k].entry)
            continue;
        *why = packed_trouble(api, cx, &g->packed[k]);
        return false;
    }
    return true;
}

static spcc_status load_status(enum jit_status status)
{
    switch (status) {
    case JIT_OK: return SPCC_OK;
    case JIT_REJECTED:
    case JIT_NO_COMPILER:
    case JIT_NO_SYMBOL: return SPCC_ERROR_COMPILER;
    case JIT_NO_MEMORY: return SPCC_ERROR_MEMORY;
    case JIT_SYSTEM: return SPCC_ERROR_SYSTEM;
    case JIT_STOPPED: return SPCC_STOPPED;
    }
    return SPCC_ERROR_BUG;
}

static void set_note(struct context *cx, struct spcc_kernel *kernel, const char *note)
{
    if (!note)
        return;
    kernel->info.note = api_strdup(note);
    if (!kernel->info.note)
        context_fail(cx, CONTEXT_NO_MEMORY);
}

/* Returns a note about a kernel that was loaded. */
static const char *loaded_note(const struct spcc_context *api, const struct spcc_kernel *kernel)
{
    for (int k = 0; k < KERNEL_KINDS; k++)
        if (kernel->function[k].code && jit_kernel_note(kernel->function[k].code))
            return jit_kernel_note(kernel->function[k].code);
    return jit_note(api->jit);
}

/* Loads the kernel with the first engine that can.  There is a note if an engine only lacks memory,
 * or if packs lack a kernel that they should have. */
static spcc_status load_any(struct spcc_context *api, struct context *cx,
                            const struct generation *g)
{
    struct text why = text_new(cx->arena);
    bool is_worth_a_note = false;
    const char *packs = NULL; /* a note about packs */
    for (int e = 0; e < ENGINES; e++) {
        const char *reason = NULL;
        bool is_pack = engines[e].engine == SPCC_ENGINE_PACK;
        enum jit_status status = JIT_NO_COMPILER;
        if (!is_pack || is_packed(api, cx, g, &reason))
            status = load_with(api, cx, e, g, &reason);
        if (status == JIT_OK) {
            set_note(cx, g->kernel, is_worth_a_note ? why.at : loaded_note(api, g->kernel));
            if (packs)
                api_note(cx, "%s", packs);
            return SPCC_OK;
        }
        if (status == JIT_STOPPED)
            return SPCC_STOPPED;
        packs = is_pack ? reason : packs;
        is_worth_a_note |= status == JIT_NO_MEMORY || packs;
        if (reason)
            text_printf(&why, "%s%s", why.n ? "; " : "", reason);
    }
    g->kernel->info.engine = SPCC_ENGINE_INTERP;
    g->kernel->info.fallback = true;
    set_note(cx, g->kernel,
             arena_printf(cx->arena, "the kernel is interpreted, which is slow (%s)", why.at));
    api_note(cx, "%s", g->kernel->info.note);
    return SPCC_OK;
}

/* Returns the row of an engine that compiles. */
static int row_of(spcc_engine engine)
{
    int e = 0;
    while (e + 1 < ENGINES && engines[e].engine != engine)
        e++;
    return e;
}

static spcc_status load_generated(struct spcc_context *api, struct context *cx,
                                  const struct generation *g, spcc_engine engine)
{
    if (engine == SPCC_ENGINE_INTERP) {
        g->kernel->info.engine = SPCC_ENGINE_INTERP;
        return SPCC_OK;
    }
    if (engine == SPCC_ENGINE_GPU)
        return kernel_load_on_gpu(api, cx, g->kernel, g->source);
    if (!api_jit(api, cx))
        return SPCC_ERROR_SYSTEM;
    if (engine == SPCC_ENGINE_AUTO)
        return load_any(api, cx, g);
    const char *why = NULL;
    enum jit_status status = load_with(api, cx, row_of(engine), g, &why);
    if (status == JIT_NO_MEMORY)
        context_fail(cx, CONTEXT_NO_MEMORY);
    if (status == JIT_STOPPED)
        return SPCC_STOPPED;
    if (status != JIT_OK)
        return api_error(cx, load_status(status), "%s", why);
    set_note(cx, g->kernel, loaded_note(api, g->kernel));
    return SPCC_OK;
}

/* ---- both ---- */

/* Checks that the engine runs such code.  The interpreter runs all code, slowly, and finds races in
 * launches. */
static spcc_status check_engine(struct context *cx, spcc_engine engine, bool cuda)
{
    if (engine == SPCC_ENGINE_INTERP || cuda == (engine == SPCC_ENGINE_GPU))
        return SPCC_OK;
    return api_error(cx, SPCC_ERROR_ARGUMENT,
                     cuda ? "CUDA runs on a GPU, or is interpreted: the engine compiles C"
                          : "a GPU runs what is compiled as CUDA, and no C");
}

spcc_status kernel_compile(struct spcc_context *api, struct context *cx, const char *statement,
                           const spcc_compile_options *options, struct spcc_kernel **kernel)
{
    struct pipeline_request request;
    spcc_compile_options o = {0};
    if (!kernel_request(api, cx, statement, options, &request)
        || !api_options(cx, "spcc_compile_options", &o, sizeof o, options))
        return api_status(cx);
    spcc_engine engine = o.engine == SPCC_ENGINE_AUTO ? api->engine : o.engine;
    if (request.cuda && engine == SPCC_ENGINE_AUTO)
        engine = SPCC_ENGINE_GPU;
    spcc_status fits = check_engine(cx, engine, request.cuda);
    if (fits != SPCC_OK)
        return fits;
    const char *key = key_of(cx, &request, o.kind, engine, o.untuned);
    *kernel = recall(api->kernels, key);
    if (*kernel)
        return SPCC_OK;
    *kernel = kernel_new();
    if (!*kernel)
        return SPCC_ERROR_MEMORY;
    struct generation g = {.statement = statement,
                           .options = options,
                           .checked = &o,
                           .kernel = *kernel,
                           .asks_packs = engine == SPCC_ENGINE_AUTO,
                           .last = engine == SPCC_ENGINE_INTERP ? STAGE_IMPERATIVE : STAGE_C};
    double start = api_now_ms();
    spcc_status status = api_guarded(api, (*kernel)->cx, generate, &g);
    if (status != SPCC_OK) {
        api_adopt(api, (*kernel)->cx);
        (*kernel)->cx = NULL;
        return status;
    }
    (*kernel)->info.generate_ms = api_now_ms() - start;
    if (g.is_untuned)
        tuned_complain(cx);
    if (g.doubt)
        api_note(cx, "%s", g.doubt);
    kernel_note_distribution(cx, g.distributed_times);
    status = load_generated(api, cx, &g, engine);
    if (status == SPCC_OK)
        remember(api, key, *kernel);
    return status;
}

struct compile_arguments {
    const char *statement;
    const spcc_compile_options *options;
    struct spcc_kernel *kernel;
};

static spcc_status compile_kernel(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct compile_arguments *a = arguments;
    return kernel_compile(api, cx, a->statement, a->options, &a->kernel);
}

spcc_status spcc_compile(spcc_context *context, const char *statement,
                         const spcc_compile_options *options, spcc_kernel **kernel)
{
    if (!kernel)
        return api_lacks(context, "kernel");
    struct compile_arguments a = {statement, options, NULL};
    spcc_status status = api_call(context, compile_kernel, &a);
    if (status != SPCC_OK) {
        spcc_kernel_free(a.kernel);
        a.kernel = NULL;
    }
    *kernel = a.kernel;
    return status;
}

int spcc_kernel_results(const spcc_kernel *kernel) { return kernel ? kernel->results : 0; }

int spcc_kernel_tensors(const spcc_kernel *kernel) { return kernel ? kernel->arguments : 0; }

const char *spcc_kernel_tensor_name(const spcc_kernel *kernel, int k)
{
    return kernel && k >= 0 && k < kernel->arguments ? kernel->argument[k].name : NULL;
}

const spcc_kernel_info *spcc_kernel_get_info(const spcc_kernel *kernel)
{
    return kernel ? &kernel->info : NULL;
}
