/* convert.c - converts tensors to another format: the statement B(i,...) = A(i,...), compiled and
 * run.
 *
 * A tensor in parts is no result.  Its components are shared out in the order in which the given
 * tensor stores them, after that has the right type.
 *
 * Nothing here depends on formats.  Every format that the compiler can assemble from one that it
 * can iterate is a conversion.  The kernel cache makes a pair of formats cheap after its first
 * time.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/api/tensor.h"

struct converting {
    const struct spcc_tensor *tensor;
    spcc_type type;
    const spcc_tensor_options *options;
    spcc_tensor_options o;
    char statement[16 * ORDER_MAX], fill[64];
};

/* Writes "B(i1,i2) = A(i1,i2)". */
static void write_statement(struct context *cx, int order, char *out, size_t size)
{
    struct text modes = text_new(cx->arena);
    for (int m = 0; m < order; m++)
        text_printf(&modes, "%si%d", m ? "," : "(", m + 1);
    text_add(&modes, order ? ")" : "");
    const char *text = arena_printf(cx->arena, "B%s = A%s", modes.at, modes.at);
    context_assert(cx, strlen(text) < size);
    strcpy(out, text);
}

static spcc_status prepare(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct converting *a = arguments;
    if (!a->tensor)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "spcc_tensor_convert: there is no tensor");
    if (!a->tensor->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_convert: the sizes of the tensor are not known yet");
    if (!api_options(cx, "spcc_tensor_options", &a->o, sizeof a->o, a->options))
        return SPCC_ERROR_ARGUMENT;
    enum type type;
    if (!api_type(a->type, &type))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the value type %d is none of spcc_type",
                         (int)a->type);
    value_print(value_convert(a->tensor->tensor->fill, type), a->fill, sizeof a->fill);
    write_statement(cx, a->tensor->tensor->order, a->statement, sizeof a->statement);
    return SPCC_OK;
}

/* Compiles and runs the conversion.  The kernel's notes, such as that it is interpreted, are the
 * call's. */
static spcc_status run_conversion(spcc_context *context, const struct converting *a,
                                  spcc_tensor *to)
{
    spcc_declaration declarations[] = {{.name = "A", .tensor = a->tensor},
                                       {.name = "B", .tensor = to}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = declarations, .n_declarations = 2};
    spcc_kernel *kernel;
    spcc_status status = spcc_compile(context, a->statement, &options, &kernel);
    if (status == SPCC_OK)
        status =
            spcc_run_array(context, kernel, (spcc_tensor *[]){to, (spcc_tensor *)a->tensor}, 2);
    spcc_kernel_free(kernel);
    return status;
}

/* ---- into parts ---- */

struct sharing {
    const struct spcc_tensor *tensor;
    const char *format, *fill, *name;
    struct making m;
};

static spcc_status share_tensor(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct sharing *a = arguments;
    const struct tensor *from = a->tensor->tensor;
    struct tensor_plan plan;
    struct rt_error error;
    spcc_status status = api_plan(api, cx, a->format, api_type_of(from->type), from->order,
                                  from->dimension, a->fill, a->name, &plan);
    if (status != SPCC_OK)
        return status;
    double start = api_now_ms();
    enum rt_status done = api_unpack(a->tensor, api->threads, &a->m.coords, &error);
    if (done == RT_OK)
        done = api_pack(api, &a->m, &plan, &error);
    a->m.info.pack_ms = api_now_ms() - start;
    return done == RT_OK ? api_wrap(api, cx, &a->m) : api_fail(cx, &error);
}

static spcc_status convert_to_parts(spcc_context *context, const struct converting *a,
                                    const char *format, const spcc_tensor_options *made,
                                    spcc_tensor **converted)
{
    struct sharing sharing = {
        .tensor = a->tensor, .format = format, .fill = made->fill, .name = made->name};
    spcc_tensor *typed = NULL;
    spcc_status status = SPCC_OK;
    if (spcc_tensor_type(a->tensor) != a->type)
        status = spcc_tensor_convert(
            context, a->tensor, a->tensor->parts || a->tensor->layout ? "coo" : a->tensor->format,
            a->type, made, &typed);
    if (typed)
        sharing.tensor = typed;
    if (status == SPCC_OK)
        status = api_make(context, share_tensor, &sharing, &sharing.m, converted);
    spcc_tensor_free(typed);
    return status;
}

spcc_status spcc_tensor_convert(spcc_context *context, const spcc_tensor *tensor,
                                const char *format, spcc_type type,
                                const spcc_tensor_options *options, spcc_tensor **converted)
{
    struct converting a = {.tensor = tensor, .type = type, .options = options};
    if (!converted)
        return api_lacks(context, "converted");
    *converted = NULL;
    spcc_status status = api_call(context, prepare, &a);
    if (status != SPCC_OK)
        return status;
    spcc_tensor *to;
    spcc_tensor_options made = {
        .size = sizeof made, .name = a.o.name, .fill = a.o.fill ? a.o.fill : a.fill};
    if (format && format_parts_named(format))
        return convert_to_parts(context, &a, format, &made, converted);
    status = spcc_tensor_new(context, format, type, tensor->tensor->order, NULL, &made, &to);
    if (status == SPCC_OK)
        status = run_conversion(context, &a, to);
    if (status != SPCC_OK) {
        spcc_tensor_free(to);
        return status;
    }
    *converted = to;
    return SPCC_OK;
}
