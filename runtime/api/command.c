/* command.c - prints the spcc command line that makes the same as a call of the C API.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/target.h"
#include "runtime/api/kernel.h"

/* Adds the text in single quotes for a POSIX shell. */
static void quote(struct text *out, const char *s)
{
    text_add(out, " '");
    for (; *s; s++)
        text_addn(out, *s == '\'' ? "'\\''" : s, *s == '\'' ? 4 : 1);
    text_add(out, "'");
}

static void quote_declarations(struct text *out, const struct pipeline_request *request)
{
    const struct tin_declarations *d = &request->declared;
    for (int i = 0; i < d->tensors; i++) {
        const struct tin_declaration *t = &d->tensor[i];
        const char *option[] = {"-f", "-t", "--fill"}, *value[] = {t->format, t->type, t->fill};
        for (int j = 0; j < 3; j++) {
            if (!value[j])
                continue;
            text_printf(out, " %s", option[j]);
            quote(out, arena_printf(out->arena, "%s:%s", t->name, value[j]));
        }
    }
    for (int i = 0; i < request->n_operators; i++) {
        text_add(out, " --op");
        quote(out, request->operators[i]);
    }
    for (int i = 0; i < d->n_same; i++) {
        text_add(out, " --same");
        quote(out, d->same[i]);
    }
    for (int i = 0; i < d->sizes; i++)
        text_printf(out, " -d %s:%lld", d->size[i].var, (long long)d->size[i].size);
    for (int i = 0; i < d->n_expected; i++)
        if (d->expected[i].stored >= 0)
            text_printf(out, " --nnz %s:%lld", d->expected[i].name,
                        (long long)d->expected[i].stored);
}

const char *kernel_command(struct context *cx, const struct pipeline_request *request)
{
    static const char *const kind[] = {NULL, "assemble", "compute"};
    struct text out = text_new(cx->arena);
    text_add(&out, "spcc");
    quote(&out, request->expression);
    quote_declarations(&out, request);
    if (request->schedule && *request->schedule) {
        text_add(&out, " -s");
        quote(&out, request->schedule);
    }
    if (kind[request->kind])
        text_printf(&out, " --kernel=%s", kind[request->kind]);
    if (request->name)
        text_printf(&out, " --name=%s", request->name);
    if (request->declared.defaults.crd == TYPE_I64)
        text_add(&out, " --index=64");
    if (request->cuda)
        text_add(&out, " --target=cuda");
    if (request->target) {
        text_add(&out, " --target-cpu");
        quote(&out, request->target->name);
    }
    if (request->vector_bytes && !request->plain)
        text_printf(&out, " --vector=%d", 8 * request->vector_bytes);
    if (request->plain)
        text_add(&out, " --plain");
    if (request->no_plan)
        text_add(&out, " --no-plan");
    if (request->serial)
        text_add(&out, " --serial");
    if (request->blas) {
        text_add(&out, " --blas");
        quote(&out, request->blas);
    }
    if (request->distributes)
        text_add(&out, " --algebra=distribute");
    return out.at;
}
