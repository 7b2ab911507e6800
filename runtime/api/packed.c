/* packed.c - kernels from packs: what is looked for.
 *
 * A request goes by the statement as it is read, the tensors' formats, types and fills, and the
 * options.  Sizes of tensors at hand are no part of it: a pack's kernel is planned without them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/packed.h"

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "runtime/api/kernel.h"
#include "runtime/jit/packs.h"

bool packed_request(struct spcc_context *api, struct context *cx,
                    const struct pipeline_request *request, unsigned char digest[SHA256_SIZE])
{
    struct pipeline p;
    struct text key = text_new(cx->arena);
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, &p);
    cx->diags.n = mistakes;
    if (!is_read)
        return false;
    text_printf(&key, "%d %d %d\n", api->index_bits, (int)request->kind, request->vector_bytes);
    kernel_print_asked(&key, request, p.notation);
    for (int t = 0; t < p.tensors; t++) {
        kernel_print_values(&key, p.tensor[t]);
        format_print(&key, p.tensor[t]->format, request->declared.defaults);
        text_add(&key, "\n");
    }
    sha256_of(key.at, key.n, digest);
    return true;
}

void packed_settle(struct pipeline_request *request, const struct target *target)
{
    request->target = target;
    request->declared.expected = NULL;
    request->declared.n_expected = 0;
}

void packed_find(struct spcc_context *api, struct context *cx, struct pipeline_request *request,
                 struct jit_packed *packed)
{
    unsigned char hash[SHA256_SIZE];
    struct jit *jit = request->cuda ? NULL : api_jit(api, cx);
    if (!jit || jit_packs(jit)->n == 0 || !packed_request(api, cx, request, hash)
        || !jit_find_packed(jit, hash, packed))
        return;
    const struct target *target = target_find(packed->entry->machine);
    if (target)
        packed_settle(request, target);
    else
        *packed = (struct jit_packed){0};
}

const char *packed_trouble(struct spcc_context *api, struct context *cx,
                           const struct jit_packed *packed)
{
    if (packed->machine)
        return arena_printf(cx->arena,
                            "the kernel in the pack %s is for %s, which this processor is not",
                            api_printable(cx, packed->pack->path), packed->machine);
    const char *note = jit_packs(api->jit)->note;
    return note ? api_printable(cx, note) : NULL;
}

const char *packed_describe(struct context *cx, const struct packs *packs)
{
    struct text out = text_new(cx->arena);
    for (size_t i = 0; i < packs->n; i++)
        text_printf(&out, "%s%s", i ? ", " : "", api_printable(cx, packs->at[i].path));
    if (packs->n > 0 && packs->note)
        text_printf(&out, "; %s", api_printable(cx, packs->note));
    if (packs->n > 0)
        return out.at;
    api_error(cx, SPCC_ERROR_COMPILER, "%s",
              packs->note ? api_printable(cx, packs->note)
                          : "SPCC_PACKS lists no packs of kernels");
    return NULL;
}
