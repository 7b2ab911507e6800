/* tuned.c - plans that were measured, kept beside the compiled kernels.
 *
 * A plan is kept for what it depends on: the statement as it is read, the tensors' formats, types
 * and fills, the sizes of its operands to the next power of two, what the user has said of the
 * schedule, the figures of the target that was asked for, and the number of threads; and for the
 * processor and this version of spcc (runtime/jit/texts.h).  Neither the order of the declarations
 * nor who compiles the kernel is part of it.  It is two lines of text, directives and a sentence
 * about them, and it is not trusted: what cannot be applied is as if it were not there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/tuned.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "runtime/jit/cache.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/texts.h"
#include "runtime/threads/threads.h"

/* What api_take_text takes. */
enum { TEXT_MOST = 4000 };

/* ---- the key ---- */

/* Its sizes follow from those of the operands. */
static bool is_result(const struct pipeline *p, const char *name)
{
    for (int r = 0; r < tin_statements(p->notation); r++)
        if (!strcmp(p->tensor[r]->name, name))
            return true;
    return false;
}

static void add_expected(struct text *key, const struct pipeline *p, const struct tin_expected *e)
{
    if (e->stored >= 0)
        text_printf(key, " %lld", (long long)e->stored);
    if (is_result(p, e->name))
        return;
    for (int m = 0; e->dimension && m < e->modes; m++)
        text_printf(key, ",%lld", (long long)e->dimension[m]);
    for (int level = 0; e->positions && level < e->levels; level++)
        text_printf(key, ":%lld", (long long)e->positions[level]);
}

static void add_tensor(struct text *key, const struct pipeline *p, const struct tensor_var *tensor,
                       const struct pipeline_request *request)
{
    char fill[64];
    value_print(tensor->fill, fill, sizeof fill);
    text_printf(key, "%s %s %s ", tensor->name, type_name(tensor->type), fill);
    format_print(key, tensor->format, request->declared.defaults);
    for (int i = 0; i < request->declared.n_expected; i++)
        if (!strcmp(request->declared.expected[i].name, tensor->name))
            add_expected(key, p, &request->declared.expected[i]);
    text_add(key, "\n");
}

const char *tuned_key(struct spcc_context *api, struct context *cx,
                      const struct pipeline_request *request)
{
    struct pipeline p;
    struct text key = text_new(cx->arena);
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, &p);
    cx->diags.n = mistakes;
    if (!is_read)
        return NULL;
    text_printf(&key, "plan %d %d %d %d\n", request->plain, request->serial, api->index_bits,
                threads_count(api->threads));
    if (request->target)
        target_print(&key, request->target, false);
    tin_print(&key, p.notation);
    for (int i = 0; i < request->n_operators; i++)
        text_printf(&key, "\n%s", request->operators[i]);
    text_printf(&key, "\n%s\n", request->schedule ? request->schedule : "");
    for (int i = 0; i < request->declared.sizes; i++)
        text_printf(&key, "%s=%lld ", request->declared.size[i].var,
                    (long long)request->declared.size[i].size);
    for (int i = 0; i < p.tensors; i++)
        add_tensor(&key, &p, p.tensor[i], request);
    return key.at;
}

/* ---- found and kept ---- */

void tuned_find(struct spcc_context *api, struct context *cx, const spcc_compile_options *options,
                struct pipeline_request *request)
{
    bool asks = options->plan_for_tensors && !options->no_plan && !options->untuned
                && options->kind == SPCC_FUSED;
    struct jit *jit = asks ? api_jit(api, cx) : NULL;
    const char *key = jit ? tuned_key(api, cx, request) : NULL;
    const char *text = key ? api_take_text(cx, texts_recall(jit_disk(jit), key), NULL) : NULL;
    if (!text)
        return;
    size_t n = strcspn(text, "\n");
    request->tuned = arena_strndup(cx->arena, text, n);
    request->tuning = api_printable(cx, text[n] ? text + n + 1 : "");
}

void tuned_complain(struct context *cx)
{
    api_note(cx, "the plan that was tuned for these tensors cannot be applied, and is not used");
}

const char *tuned_keep(struct spcc_context *api, struct context *cx, const char *key,
                       const char *directives, const char *sentence)
{
    struct jit *jit = api_jit(api, cx);
    if (!jit)
        return "there is no kernel cache";
    const struct cache *cache = jit_disk(jit);
    if (cache->directory < 0)
        return jit_note(jit) ? jit_note(jit) : "there is no kernel cache";
    const char *text = arena_printf(cx->arena, "%s\n%s", directives, sentence);
    if (strlen(text) > TEXT_MOST)
        return "the plan is too long";
    int error = texts_keep(cache, key, text);
    return error ? api_take_text(cx, cache_complaint(cache, error), "it cannot be written to")
                 : NULL;
}
