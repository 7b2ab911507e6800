/* context.c - contexts: what calls keep from one to the next.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "runtime/api/api.h"
#include "runtime/api/kernel.h"
#include "runtime/gpu/gpu.h"
#include "runtime/jit/jit.h"
#include "runtime/tensor/memory.h"

static bool settings_valid(const spcc_options *o)
{
    return o->engine >= SPCC_ENGINE_AUTO && o->engine <= SPCC_ENGINE_GPU && o->threads >= 0
           && o->max_memory >= 0 && o->max_spare >= -1
           && (o->index_bits == 0 || o->index_bits == 32 || o->index_bits == 64);
}

struct format_defaults api_defaults(int index_bits)
{
    enum type integer = index_bits == 64 ? TYPE_I64 : TYPE_I32;
    return (struct format_defaults){.pos = integer, .crd = integer};
}

spcc_status spcc_context_new(const spcc_options *options, spcc_context **context)
{
    if (!context)
        return SPCC_ERROR_ARGUMENT;
    *context = NULL;
    spcc_options o = {0};
    if ((options && !api_copy_options(&o, sizeof o, options)) || !settings_valid(&o))
        return SPCC_ERROR_ARGUMENT;
    const spcc_allocator *a = o.allocator;
    if (a && (!a->allocate || !a->reallocate || !a->release))
        return SPCC_ERROR_ARGUMENT;
    struct spcc_context *api = calloc(1, sizeof *api);
    if (!api)
        return SPCC_ERROR_MEMORY;
    api->engine = o.engine;
    api->index_bits = o.index_bits ? o.index_bits : 32;
    api->defaults = api_defaults(api->index_bits);
    api->threads = o.threads;
    api->max_memory = o.max_memory;
    api->max_spare = o.max_spare == 0 ? INT64_MAX : o.max_spare == -1 ? 0 : o.max_spare;
    api->spellings = o.spellings;
    api->gives_memory = a != NULL;
    if (a)
        api->memory =
            memory_of(&(struct memory_functions){a->allocate, a->reallocate, a->release, a->user});
    api->catch_crashes = o.catch_crashes;
    api->cache = api_strdup(o.cache);
    api->cc = api_strdup(o.cc);
    api->plugin = api_strdup(o.plugin);
    api->packs = api_strdup(o.packs);
    api->blas = api_strdup(o.blas);
    api->target = api_strdup(o.target);
    api->message = "";
    if ((o.cache && !api->cache) || (o.cc && !api->cc) || (o.plugin && !api->plugin)
        || (o.packs && !api->packs) || (o.blas && !api->blas) || (o.target && !api->target)) {
        spcc_context_free(api);
        return SPCC_ERROR_MEMORY;
    }
    *context = api;
    return SPCC_OK;
}

void spcc_context_free(spcc_context *context)
{
    if (!context)
        return;
    kernel_cache_free(context->kernels);
    gpu_release(context->gpu);
    jit_free(context->jit);
    context_free(context->adopted);
    context_free(context->call);
    free(context->cache);
    free(context->cc);
    free(context->plugin);
    free(context->packs);
    free(context->blas);
    free(context->target);
    free(context->machine);
    free(context);
}

struct jit *api_jit(struct spcc_context *api, struct context *cx)
{
    if (api->jit)
        return api->jit;
    char *error = NULL;
    struct jit_options options = {.size = sizeof options,
                                  .cache = api->cache,
                                  .cc = api->cc,
                                  .plugin = api->plugin,
                                  .packs = api->packs,
                                  .blas = api->blas,
                                  .catch_crashes = api->catch_crashes,
                                  .stop = &api->stop,
                                  .host = {.threads = run_threads,
                                           .team = run_team,
                                           .join = run_join,
                                           .stop_flag = run_stop_flag,
                                           .resize = run_resize,
                                           .release = run_release}};
    enum jit_status status = jit_new(&options, &api->jit, &error);
    if (status == JIT_OK)
        return api->jit;
    api->jit = NULL;
    if (status == JIT_NO_MEMORY) {
        free(error);
        context_fail(cx, CONTEXT_NO_MEMORY);
    }
    api_error(cx, SPCC_ERROR_SYSTEM, "%s", api_take_text(cx, error, "compilers cannot be used"));
    return NULL;
}
