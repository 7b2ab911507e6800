/* together.c - finds the statements that are compiled together: those that the plan puts into
 * common loops.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"
#include "runtime/api/kernel.h"

struct planning {
    const char *statement;
    const spcc_compile_options *options;
    bool shares;
};

static spcc_status plan(spcc_context *api, struct context *cx, void *arguments)
{
    struct planning *a = arguments;
    struct pipeline_request request;
    struct pipeline p;
    if (!kernel_request(api, cx, a->statement, a->options, &request)
        || !pipeline_run(cx, &request, STAGE_PLAN, &p))
        return api_status(cx);
    a->shares = cin_part(cx, p.planned, p.planned->others)->others > 0;
    return SPCC_OK;
}

spcc_status spcc_shares_loops(spcc_context *context, const char *statement,
                              const spcc_compile_options *options, bool *shares)
{
    struct planning a = {.statement = statement, .options = options};
    if (!shares)
        return api_lacks(context, "shares");
    spcc_status status = api_call(context, plan, &a);
    *shares = a.shares;
    return status;
}
