/* emit.c - spcc emit and spcc explain: a stage of a statement as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/library.h"
#include "cli/text_file.h"

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static spcc_stage stage(const struct cli_request *request)
{
    switch (request->stage) {
    case CLI_STAGE_DEFAULT: break;
    case CLI_STAGE_NOTATION: return SPCC_STAGE_NOTATION;
    case CLI_STAGE_CONCRETE: return SPCC_STAGE_CONCRETE;
    case CLI_STAGE_PLAN: return SPCC_STAGE_PLAN;
    case CLI_STAGE_LATTICE: return SPCC_STAGE_LATTICE;
    case CLI_STAGE_LATTICE_DOT: return SPCC_STAGE_LATTICE_DOT;
    case CLI_STAGE_IMPERATIVE: return SPCC_STAGE_IMPERATIVE;
    case CLI_STAGE_C: return SPCC_STAGE_C;
    }
    if (request->command == CLI_EXPLAIN)
        return SPCC_STAGE_EXPLAIN;
    return request->output && ends_with(request->output, ".h") ? SPCC_STAGE_HEADER : SPCC_STAGE_C;
}

static enum cli_status write_text(const char *path, const char *text)
{
    if (path && strcmp(path, "-") != 0)
        return text_file_write(path, text);
    fputs(text, stdout); /* main looks whether that arrived */
    return CLI_DONE;
}

enum cli_status command_emit(const struct cli_request *request)
{
    enum cli_status status;
    spcc_context *context = library_open(request, &status);
    if (!context)
        return status;
    struct library_options made;
    char *text = NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (library_options_make(&made, request))
        said = spcc_emit(context, request->subject, &made.options, stage(request), &text);
    status = library_report(context, said);
    if (status == CLI_DONE)
        status = write_text(request->output, text);
    spcc_free(text);
    library_options_free(&made);
    spcc_context_free(context);
    return status;
}
