/* request.c - makes the compiler's request of the options of spcc_compile.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/emit/c_words.h"
#include "runtime/api/kernel.h"
#include "runtime/api/target.h"
#include "runtime/api/tensor.h"

static const char *copy_text(struct context *cx, const char *s)
{
    return s ? arena_strdup(cx->arena, s) : NULL;
}

/* Copies texts up to NULL. */
static const char *const *copy_texts(struct context *cx, const char *const *texts)
{
    int n = 0;
    while (texts && texts[n])
        n++;
    const char **copy = arena_array(cx->arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        copy[i] = arena_strdup(cx->arena, texts[i]);
    return copy;
}

static bool bad(struct context *cx, const char *what)
{
    api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_compile_options: %s", what);
    return false;
}

static bool is_function_name(const char *name, spcc_language language)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      more[] = "0123456789_";
    size_t first = strspn(name, letters), n = first;
    while (name[n] && (strchr(letters, name[n]) || strchr(more, name[n])))
        n++;
    return first > 0 && !name[n] && !c_word_is_taken(name)
           && (language != SPCC_LANGUAGE_CUDA || !cuda_word_is_taken(name));
}

static bool valid(struct context *cx, const spcc_compile_options *o)
{
    if (o->name && !is_function_name(o->name, o->language)) {
        api_error(cx, SPCC_ERROR_ARGUMENT, "'%s' cannot be the name of a function in %s", o->name,
                  is_function_name(o->name, SPCC_LANGUAGE_C) ? "CUDA" : "C and C++");
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "the function's name is {name}");
        return false;
    }
    if (o->kind < SPCC_FUSED || o->kind > SPCC_SPLIT)
        return bad(cx, "kind is none of spcc_kind");
    if (o->engine < SPCC_ENGINE_AUTO || o->engine > SPCC_ENGINE_INTERP)
        return bad(cx, "engine is none of spcc_engine");
    if (o->n_declarations < 0 || (o->n_declarations > 0 && !o->declarations))
        return bad(cx, "declarations and n_declarations do not go together");
    if (o->n_sizes < 0 || (o->n_sizes > 0 && !o->sizes))
        return bad(cx, "sizes and n_sizes do not go together");
    if (o->n_stored < 0 || (o->n_stored > 0 && !o->stored))
        return bad(cx, "stored and n_stored do not go together");
    if (o->n_operators < 0 || (o->n_operators > 0 && !o->operators))
        return bad(cx, "operators and n_operators do not go together");
    for (int i = 0; i < o->n_operators; i++)
        if (!o->operators[i])
            return bad(cx, "an operator has no text");
    if (o->n_same < 0 || (o->n_same > 0 && !o->same))
        return bad(cx, "same and n_same do not go together");
    for (int i = 0; i < o->n_same; i++)
        if (!o->same[i])
            return bad(cx, "a promise of one pattern has no text");
    if (o->algebra != SPCC_ALGEBRA_AS_WRITTEN && o->algebra != SPCC_ALGEBRA_DISTRIBUTE)
        return bad(cx, "algebra is no spcc_algebra");
    if (o->language != SPCC_LANGUAGE_C && o->language != SPCC_LANGUAGE_CUDA)
        return bad(cx, "language is no spcc_language");
    if (o->plain && o->language != SPCC_LANGUAGE_C)
        return bad(cx, "plain is of C, and language of another");
    if (o->vector_bits != 0 && o->vector_bits != 256 && o->vector_bits != 512)
        return bad(cx, "vector_bits is neither 256 nor 512");
    return true;
}

static bool copy_declaration(struct spcc_context *api, struct context *cx,
                             const spcc_declaration *from, struct tin_declaration *to)
{
    if (!from->name)
        return bad(cx, "a declaration has no name");
    *to = (struct tin_declaration){.name = arena_strdup(cx->arena, from->name),
                                   .format = copy_text(cx, from->format),
                                   .type = copy_text(cx, from->type),
                                   .fill = copy_text(cx, from->fill)};
    if (!from->tensor)
        return true;
    if (from->format || from->type || from->fill)
        return bad(cx, arena_printf(cx->arena, "%s is declared by a tensor and by texts as well",
                                    from->name));
    to->format = api_tensor_format(cx, from->tensor, api->defaults);
    to->type = spcc_type_name(spcc_tensor_type(from->tensor));
    to->fill = copy_text(cx, spcc_tensor_fill(from->tensor));
    return true;
}

static bool copy_sizes(struct context *cx, const spcc_compile_options *o, struct tin_size *to)
{
    for (int i = 0; i < o->n_sizes; i++) {
        if (!o->sizes[i].variable)
            return bad(cx, "a size has no variable");
        if (o->sizes[i].size < 0)
            return bad(cx,
                       arena_printf(cx->arena, "the size of %s is negative", o->sizes[i].variable));
        to[i] = (struct tin_size){arena_strdup(cx->arena, o->sizes[i].variable), o->sizes[i].size};
    }
    return true;
}

static enum kernel_kind kind_of(spcc_kind kind)
{
    switch (kind) {
    case SPCC_FUSED: return KERNEL_FUSED;
    case SPCC_ASSEMBLE:
    case SPCC_SPLIT: return KERNEL_ASSEMBLE;
    case SPCC_COMPUTE: return KERNEL_COMPUTE;
    }
    return KERNEL_FUSED;
}

static const char *const *copy_some(struct context *cx, const char *const *texts, int n)
{
    const char **copy = arena_array(cx->arena, const char *, n);
    for (int i = 0; i < n; i++)
        copy[i] = arena_strdup(cx->arena, texts[i]);
    return copy;
}

const char *const *kernel_operators(struct context *cx, const spcc_compile_options *options)
{
    return copy_some(cx, options->operators, options->n_operators);
}

bool kernel_options(struct context *cx, spcc_compile_options *checked,
                    const spcc_compile_options *options)
{
    return api_options(cx, "spcc_compile_options", checked, sizeof *checked, options)
           && valid(cx, checked);
}

const struct tin_declaration *kernel_declarations(struct spcc_context *api, struct context *cx,
                                                  const spcc_compile_options *options)
{
    int n = options->n_declarations;
    struct tin_declaration *declaration = arena_array(cx->arena, struct tin_declaration, n + 1);
    for (int i = 0; i < n; i++)
        if (!copy_declaration(api, cx, &options->declarations[i], &declaration[i]))
            return NULL;
    return declaration;
}

bool kernel_request(struct spcc_context *api, struct context *cx, const char *statement,
                    const spcc_compile_options *options, struct pipeline_request *request)
{
    spcc_compile_options o = {0};
    if (!statement) {
        api_error(cx, SPCC_ERROR_ARGUMENT, "there is no statement");
        return false;
    }
    if (!kernel_options(cx, &o, options))
        return false;
    const struct tin_declaration *declaration = kernel_declarations(api, cx, &o);
    struct tin_size *size = arena_array(cx->arena, struct tin_size, o.n_sizes);
    if (!declaration || !copy_sizes(cx, &o, size))
        return false;
    const struct target *target;
    if (!api_target(api, cx, &target))
        return false;
    *request = (struct pipeline_request){.expression = arena_strdup(cx->arena, statement),
                                         .declared = {.tensor = declaration,
                                                      .tensors = o.n_declarations,
                                                      .size = size,
                                                      .sizes = o.n_sizes,
                                                      .same = copy_some(cx, o.same, o.n_same),
                                                      .n_same = o.n_same,
                                                      .defaults = api->defaults},
                                         .operators = kernel_operators(cx, &o),
                                         .n_operators = o.n_operators,
                                         .schedule = copy_text(cx, o.schedule),
                                         .name = copy_text(cx, o.name),
                                         .others = copy_texts(cx, o.others),
                                         .kind = kind_of(o.kind),
                                         .no_plan = o.no_plan,
                                         .serial = o.serial,
                                         .distributes = o.algebra == SPCC_ALGEBRA_DISTRIBUTE,
                                         .blas = api->blas,
                                         .target = target,
                                         .vector_bytes = o.vector_bits / 8,
                                         .plain = o.plain,
                                         .cuda = o.language == SPCC_LANGUAGE_CUDA,
                                         .command = copy_text(cx, o.command)};
    return kernel_expected(cx, &o, &request->declared);
}

void kernel_print_asked(struct text *out, const struct pipeline_request *request,
                        const struct tin *notation)
{
    const struct tin_declarations *declared = &request->declared;
    text_printf(out, "%d %d %d %d %d\n", request->plain, request->serial, request->no_plan,
                request->distributes, request->blas != NULL);
    tin_print(out, notation);
    for (int i = 0; i < request->n_operators; i++)
        text_printf(out, "\n%s", request->operators[i]);
    for (int i = 0; i < declared->n_same; i++)
        text_printf(out, "\nsame %s", declared->same[i]);
    text_printf(out, "\n%s\n", request->schedule ? request->schedule : "");
    for (int i = 0; i < declared->sizes; i++)
        text_printf(out, "%s=%lld ", declared->size[i].var, (long long)declared->size[i].size);
}

void kernel_print_values(struct text *out, const struct tensor_var *tensor)
{
    char fill[64];
    value_print(tensor->fill, fill, sizeof fill);
    text_printf(out, "%s %s %s ", tensor->name, type_name(tensor->type), fill);
}

void kernel_note_distribution(struct context *cx, double times)
{
    double power = 1;
    while (times >= 10 * power)
        power *= 10;
    if (times <= 0)
        return;
    api_note(cx, "this takes about %.0f times the steps that it would as a sum of products",
             floor(times / power) * power);
    diag_help(cx, &cx->diags.at[cx->diags.n - 1],
              "{algebra} lets the planner make it one; floats round otherwise then");
}
