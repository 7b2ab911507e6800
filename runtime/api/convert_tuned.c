/* convert_tuned.c - converts an operand to the format that spcc_tune_formats has kept for it.
 *
 * The kept text is not trusted: one that is no format of such a tensor counts as none.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/api/trial.h"
#include "runtime/api/tuned.h"

struct recalling {
    const char *statement, *operand;
    const spcc_compile_options *options;
    const spcc_binding *bindings;
    int n_bindings;
    struct trial_options o;
    const struct spcc_tensor *tensor;
    char *format; /* NULL: none was kept */
};

/* Finds the tensor that is bound to the operand. */
static spcc_status find_tensor(struct context *cx, struct recalling *a)
{
    for (int b = 0; b < a->n_bindings && a->operand; b++)
        if (!strcmp(a->bindings[b].name, a->operand))
            a->tensor = a->bindings[b].tensor;
    return a->tensor ? SPCC_OK
                     : api_error(cx, SPCC_ERROR_ARGUMENT,
                                 "spcc_convert_to_tuned: no tensor is bound to the operand");
}

/* Is it the text of another format than that of the tensor? */
static bool is_other_format(struct spcc_context *api, struct context *cx, const char *text,
                            const struct tensor *tensor)
{
    size_t mistakes = cx->diags.n;
    const struct format *format = format_parse(cx, "a tensor", text, tensor->order, api->defaults);
    cx->diags.n = mistakes;
    return format && !format_equal(format, tensor->format);
}

static spcc_status recall(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct recalling *a = arguments;
    struct pipeline_request request;
    spcc_compile_options given = {0};
    const char *sentence;
    if (!kernel_options(cx, &given, a->options))
        return api_status(cx);
    if (given.kind != SPCC_FUSED || given.no_plan || given.untuned)
        return SPCC_OK;
    spcc_status status =
        trial_options(cx, "spcc_convert_to_tuned", a->options, a->bindings, a->n_bindings, &a->o);
    if (status == SPCC_OK)
        status = find_tensor(cx, a);
    if (status != SPCC_OK)
        return status;
    if (!kernel_request(api, cx, a->statement, &a->o.options, &request))
        return api_status(cx);
    const char *key = tuned_format_key(api, cx, &request, a->operand),
               *format = tuned_recall(api, cx, key, &sentence);
    if (!format || !is_other_format(api, cx, format, a->tensor->tensor))
        return SPCC_OK;
    a->format = api_strdup(format);
    return a->format ? SPCC_OK : SPCC_ERROR_MEMORY;
}

spcc_status spcc_convert_to_tuned(spcc_context *context, const char *statement,
                                  const spcc_compile_options *options, const spcc_binding *bindings,
                                  int n_bindings, const char *operand, spcc_tensor **converted)
{
    struct recalling a = {.statement = statement,
                          .operand = operand,
                          .options = options,
                          .bindings = bindings,
                          .n_bindings = n_bindings};
    if (!converted)
        return api_lacks(context, "converted");
    *converted = NULL;
    spcc_status status = api_call(context, recall, &a);
    spcc_tensor_options made = {.size = sizeof made, .name = operand};
    if (status == SPCC_OK && a.format)
        status = spcc_tensor_convert(context, a.tensor, a.format, spcc_tensor_type(a.tensor), &made,
                                     converted);
    free(a.o.declarations);
    free(a.format);
    return status;
}
