/* tuned.c - plans and formats that were measured, kept beside the compiled kernels.
 *
 * A plan is kept for what it depends on: the statement as it is read, the tensors' formats, types
 * and fills, the sizes of its operands, about (size_about), what the user has said of the
 * schedule, the figures of the target that was asked for, and the number of threads; and for the
 * processor and this version of spcc (runtime/jit/texts.h).  Neither the order of the declarations
 * nor who compiles the kernel is part of it.  It is two lines of text, directives and a sentence
 * about them, and it is not trusted: what cannot be applied is as if it were not there.
 *
 * A format of an operand is kept for the same, but for what follows from it: the formats of sparse
 * operands, and the number of positions in any level but the operand's last.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/tuned.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "runtime/api/kernel.h"
#include "runtime/jit/cache.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/texts.h"
#include "runtime/threads/threads.h"

/* The most that api_take_text takes. */
enum { TEXT_MOST = 4000 };

/* ---- the key ---- */

/* Do the tensor's sizes follow from those of the operands? */
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
    kernel_print_values(key, tensor);
    format_print(key, tensor->format, request->declared.defaults);
    for (int i = 0; i < request->declared.n_expected; i++)
        if (!strcmp(request->declared.expected[i].name, tensor->name))
            add_expected(key, p, &request->declared.expected[i]);
    text_add(key, "\n");
}

/* Begins the key with all that depends on no tensor; false if the statement is wrong, which the
 * compiler reports. */
static bool begin_key(struct text *key, struct spcc_context *api, struct context *cx,
                      const struct pipeline_request *request, struct pipeline *p)
{
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, p);
    cx->diags.n = mistakes;
    if (!is_read)
        return false;
    text_printf(key, "%d %d\n", api->index_bits, threads_count(api->threads));
    if (request->target)
        target_print(key, request->target, false);
    kernel_print_asked(key, request, p->notation);
    return true;
}

const char *tuned_key(struct spcc_context *api, struct context *cx,
                      const struct pipeline_request *request)
{
    struct pipeline p;
    struct text key = text_new(cx->arena);
    text_add(&key, "plan ");
    if (!begin_key(&key, api, cx, request, &p))
        return NULL;
    for (int i = 0; i < p.tensors; i++)
        add_tensor(&key, &p, p.tensor[i], request);
    return key.at;
}

static void add_operand_sizes(struct text *key, const struct tin_expected *e, bool is_tuned)
{
    for (int m = 0; e->dimension && m < e->modes; m++)
        text_printf(key, ",%lld", (long long)e->dimension[m]);
    if (is_tuned && e->positions && e->levels > 0)
        text_printf(key, ":%lld", (long long)e->positions[e->levels - 1]);
}

const char *tuned_format_key(struct spcc_context *api, struct context *cx,
                             const struct pipeline_request *request, const char *operand)
{
    struct pipeline p;
    struct text key = text_new(cx->arena);
    text_printf(&key, "format of %s ", operand);
    if (!begin_key(&key, api, cx, request, &p))
        return NULL;
    for (int i = 0; i < p.tensors; i++) {
        const struct tensor_var *tensor = p.tensor[i];
        bool is_tuned = !strcmp(tensor->name, operand), stays = is_result(&p, tensor->name);
        kernel_print_values(&key, tensor);
        if (!is_tuned && (stays || format_is_full(tensor->format)))
            format_print(&key, tensor->format, request->declared.defaults);
        for (int k = 0; k < request->declared.n_expected && !stays; k++)
            if (!strcmp(request->declared.expected[k].name, tensor->name))
                add_operand_sizes(&key, &request->declared.expected[k], is_tuned);
        text_add(&key, "\n");
    }
    return key.at;
}

/* ---- found and kept ---- */

const char *tuned_recall(struct spcc_context *api, struct context *cx, const char *key,
                         const char **sentence)
{
    struct jit *jit = key ? api_jit(api, cx) : NULL;
    const char *text = jit ? api_take_text(cx, texts_recall(jit_disk(jit), key), NULL) : NULL;
    if (!text)
        return NULL;
    size_t n = strcspn(text, "\n");
    *sentence = api_printable(cx, text[n] ? text + n + 1 : "");
    return arena_strndup(cx->arena, text, n);
}

void tuned_find(struct spcc_context *api, struct context *cx, const spcc_compile_options *options,
                struct pipeline_request *request)
{
    bool asks = options->plan_for_tensors && !options->no_plan && !options->untuned
                && options->kind == SPCC_FUSED;
    const char *sentence,
        *line = asks ? tuned_recall(api, cx, tuned_key(api, cx, request), &sentence) : NULL;
    if (!line)
        return;
    request->tuned = line;
    request->tuning = sentence;
}

void tuned_complain(struct context *cx)
{
    api_note(cx, "the plan that was tuned for these tensors cannot be applied, and is not used");
}

const char *tuned_keep(struct spcc_context *api, struct context *cx, const char *key,
                       const char *line, const char *sentence)
{
    struct jit *jit = api_jit(api, cx);
    if (!jit)
        return "there is no kernel cache";
    const struct cache *cache = jit_disk(jit);
    if (cache->directory < 0)
        return jit_note(jit) ? jit_note(jit) : "there is no kernel cache";
    const char *text = arena_printf(cx->arena, "%s\n%s", line, sentence);
    if (strlen(text) > TEXT_MOST)
        return "it is too long";
    int error = texts_keep(cache, key, text);
    return error ? api_take_text(cx, cache_complaint(cache, error), "it cannot be written to")
                 : NULL;
}
