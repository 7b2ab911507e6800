/* result_type.c - the type of a result of which nothing is said: that of its value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"
#include "runtime/api/kernel.h"

struct inferring {
    const char *statement;
    const spcc_compile_options *options;
    int result;
    spcc_type type;
};

static spcc_status infer(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct inferring *a = arguments;
    struct pipeline_request request;
    struct pipeline p;
    if (!kernel_request(api, cx, a->statement, a->options, &request))
        return api_status(cx);
    request.declared.infers = true;
    if (!pipeline_run(cx, &request, STAGE_NOTATION, &p))
        return api_status(cx);
    if (a->result < 0 || a->result >= tin_statements(p.notation))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no result %d", a->result);
    a->type = api_type_of(tin_statement(p.notation, a->result)->arg[0]->type);
    return SPCC_OK;
}

spcc_status spcc_result_type(spcc_context *context, const char *statement,
                             const spcc_compile_options *options, int result, spcc_type *type)
{
    struct inferring a = {.statement = statement, .options = options, .result = result};
    if (!type)
        return api_lacks(context, "type");
    spcc_status status = api_call(context, infer, &a);
    *type = a.type;
    return status;
}
