/* packed.c - finds kernels in packs.
 *
 * A request is found by the statement as it is read, the tensors' formats, types and fills, and
 * the options.  Sizes of tensors at hand are no part of it: a pack's kernel is planned without
 * them.  Names are no part of it either: tensors and index variables are numbered by where they
 * first stand, unless something beside the statement uses their names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/packed.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/target.h"
#include "runtime/api/kernel.h"
#include "runtime/jit/packs.h"

/* ---- names by rank ---- */

struct renaming {
    struct context *cx;
    const struct pipeline *p;
    VEC(const struct index_var *) var;
};

/* Returns the tensor's new name; NULL if it is no tensor of the statement. */
static const char *rank_of(const struct renaming *r, const char *tensor)
{
    for (int t = 0; t < r->p->tensors; t++)
        if (strcmp(r->p->tensor[t]->name, tensor) == 0)
            return arena_printf(r->cx->arena, "T%d", t);
    return NULL;
}

static const struct index_var *renamed_var(struct renaming *r, const struct index_var *var)
{
    size_t n = 0;
    while (n < r->var.n && r->var.at[n] != var)
        n++;
    if (var->literal)
        return var;
    if (n == r->var.n)
        vec_push(r->cx->arena, &r->var, var);
    struct index_var *made = arena_array(r->cx->arena, struct index_var, 1);
    *made = *var;
    made->name = arena_printf(r->cx->arena, "i%zu", n);
    return made;
}

/* Returns a copy for printing. */
static const struct tin *renamed(struct renaming *r, const struct tin *tin)
{
    struct tin *made = arena_array(r->cx->arena, struct tin, 1);
    const struct index_var **index =
        arena_array(r->cx->arena, const struct index_var *, tin->indices);
    const struct tin **arg = arena_array(r->cx->arena, const struct tin *, tin->args);
    *made = *tin;
    if (tin->tensor) {
        struct tensor_var *tensor = arena_array(r->cx->arena, struct tensor_var, 1);
        *tensor = *tin->tensor;
        tensor->name = rank_of(r, tensor->name);
        made->tensor = tensor;
    }
    for (int i = 0; i < tin->indices; i++)
        index[i] = renamed_var(r, tin->index[i]);
    for (int i = 0; i < tin->args; i++)
        arg[i] = renamed(r, tin->arg[i]);
    made->index = index;
    made->arg = arg;
    return made;
}

static void rename_declarations(const struct renaming *r, struct tin_declarations *declared)
{
    struct tin_declaration *tensor =
        arena_array(r->cx->arena, struct tin_declaration, declared->tensors);
    struct tin_size *size = arena_array(r->cx->arena, struct tin_size, declared->sizes);
    for (int t = 0; t < declared->tensors; t++) {
        tensor[t] = declared->tensor[t];
        tensor[t].name = rank_of(r, tensor[t].name);
    }
    for (int s = 0; s < declared->sizes; s++) {
        size[s] = declared->size[s];
        for (size_t v = 0; v < r->var.n; v++)
            if (strcmp(r->var.at[v]->name, declared->size[s].var) == 0)
                size[s].var = arena_printf(r->cx->arena, "i%zu", v);
    }
    declared->tensor = tensor;
    declared->size = size;
}

/* Do only the statement, declarations and sizes have names? */
static bool has_few_names(const struct pipeline_request *request, const struct pipeline *p)
{
    for (int t = 0; t < p->tensors; t++)
        if (p->tensor[t]->parts || p->tensor[t]->whole)
            return false;
    bool has_schedule = request->schedule && *request->schedule;
    return !has_schedule && request->n_operators == 0 && request->declared.n_same == 0;
}

bool packed_rank(struct context *cx, struct pipeline_request *request)
{
    struct pipeline p;
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, &p);
    cx->diags.n = mistakes;
    if (!is_read || !has_few_names(request, &p))
        return is_read;
    struct renaming r = {.cx = cx, .p = &p};
    struct text out = text_new(cx->arena);
    tin_print(&out, renamed(&r, p.checked));
    request->expression = out.at;
    request->declared.n_expected = 0; /* sizes do not count */
    rename_declarations(&r, &request->declared);
    return true;
}

/* ---- widths ---- */

/* Sets the bits of what formats leave open; false if formats have those bits already. */
static bool with_width(struct context *cx, struct pipeline_request *request, int bits)
{
    struct pipeline p;
    struct tin_declarations *declared = &request->declared;
    const struct format_defaults width = api_defaults(bits);
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, &p);
    cx->diags.n = mistakes;
    if (!is_read || !has_few_names(request, &p))
        return false;
    struct tin_declaration *tensor =
        arena_copy(cx->arena, declared->tensor, sizeof *tensor * (size_t)declared->tensors);
    for (int d = 0; d < declared->tensors; d++) {
        struct text format = text_new(cx->arena);
        for (int t = 0; t < p.tensors && tensor[d].format; t++)
            if (strcmp(p.tensor[t]->name, tensor[d].name) == 0)
                format_print(&format, p.tensor[t]->format, width);
        tensor[d].format = tensor[d].format ? format.at : NULL;
    }
    declared->tensor = tensor;
    declared->defaults = width;
    return true;
}

/* ---- requests ---- */

bool packed_request(struct context *cx, const struct pipeline_request *request,
                    unsigned char digest[SHA256_SIZE])
{
    struct pipeline p;
    struct text key = text_new(cx->arena);
    size_t mistakes = cx->diags.n;
    bool is_read = pipeline_run(cx, request, STAGE_NOTATION, &p);
    cx->diags.n = mistakes;
    if (!is_read)
        return false;
    text_printf(&key, "%d %d %d\n", 8 * (int)type_size(request->declared.defaults.crd),
                (int)request->kind, request->vector_bytes);
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
    struct pipeline_request ranked = *request;
    struct jit *jit = request->cuda ? NULL : api_jit(api, cx);
    if (!jit || jit_packs(jit)->n == 0 || !packed_rank(cx, &ranked))
        return;
    const struct pipeline_request own = ranked;
    bool found = false;
    for (int other = 0; other < 2 && !found; other++) {
        ranked = own;
        if (other && !with_width(cx, &ranked, api->index_bits == 64 ? 32 : 64))
            return;
        struct jit_packed here = {0};
        found = packed_request(cx, &ranked, hash) && jit_find_packed(jit, hash, &here);
        if (found || !packed->machine)
            *packed = here;
    }
    if (!found)
        return;
    const struct target *target = target_find(packed->entry->machine);
    if (target) {
        *request = ranked;
        packed_settle(request, target);
    } else {
        *packed = (struct jit_packed){0};
    }
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
