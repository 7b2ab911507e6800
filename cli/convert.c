/* convert.c - spcc convert: a tensor from one file to another, by way of a format.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/commands.h"
#include "cli/library.h"
#include "cli/progress.h"

static enum cli_status convert(spcc_context *context, const struct cli_request *request,
                               const spcc_tensor *from)
{
    spcc_tensor *to = NULL;
    spcc_tensor_options options = {.size = sizeof options, .name = request->second};
    const spcc_tensor_info *info = spcc_tensor_get_info(from);
    spcc_write_options writing = library_writing(request, info->symmetry);
    writing.pattern = info->pattern;
    const char *format = library_alone(request, CLI_FLAG_FORMAT);
    struct progress progress;
    progress_begin(&progress, "converting to %s", format ? format : "coo");
    spcc_status said = SPCC_OK;
    if (format)
        said = spcc_tensor_convert(context, from, format, spcc_tensor_type(from), &options, &to);
    progress_end(&progress);
    enum cli_status status = library_report(context, said);
    if (status == CLI_DONE)
        status = library_report(context,
                                library_write(context, to ? to : from, request->second, &writing));
    spcc_tensor_free(to);
    return status;
}

enum cli_status command_convert(const struct cli_request *request)
{
    enum cli_status status;
    spcc_type type;
    spcc_read_options options = {.size = sizeof options, .zero_based = request->zero_based};
    if (!library_file_type(request, &type, &options.own_type))
        return CLI_BAD_USAGE;
    spcc_context *context = library_open(request, &status);
    if (!context)
        return status;
    spcc_tensor *from;
    status = library_report(context,
                            library_read(context, request->subject, "coo", type, &options, &from));
    if (status == CLI_DONE)
        status = convert(context, request, from);
    spcc_tensor_free(from);
    spcc_context_free(context);
    return status;
}
